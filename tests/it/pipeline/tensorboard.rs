//! The bytes of a TensorBoard event file. TensorBoard's own reader (`EventAccumulator`, tensorboard 2.21) reads this
//! very file as two steps of `loss/policy` and one of `loss/value`.

use maydan::pipeline::tensorboard::EventFile;

#[test]
fn golden_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let mut file = EventFile::create(folder.path(), 1.5e9).unwrap();
    file.scalars(1.5e9 + 0.5, 1, [("loss/policy", 3.25), ("loss/value", 0.5)]).unwrap();
    file.scalars(1.5e9 + 1.0, 300, [("loss/policy", 2.0)]).unwrap();
    let paths: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(paths.len(), 1);
    assert!(paths[0].file_name().unwrap().to_str().unwrap().starts_with("events.out.tfevents.1500000000."));
    let hex: String = std::fs::read(&paths[0]).unwrap().iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(
        hex,
        concat!(
            // Length 26, its checksum; wall time, step 0, `brain.Event:2`, checksum.
            "1a00000000000000129bd82d",
            "09000000c00b5ad64110001a0d627261696e2e4576656e743a32",
            "7e57b311",
            // Length 52: wall time, step 1, two values.
            "34000000000000005e33175c",
            "09000020c00b5ad64110012a270a120a0b6c6f73732f706f6c69637915000050400a110a0a6c6f73732f76616c7565150000003f",
            "c4ab0760",
            // Length 34: wall time, step 300, one value.
            "220000000000000078113dfd",
            "09000040c00b5ad64110ac022a140a120a0b6c6f73732f706f6c6963791500000040",
            "3d451c84",
        )
    );
}
