//! What the program needs of libtorch to start, and what it says where that is gone, as after `rm -r .libtorch`. The
//! stand-in is in `src/model/missing.c`.

use std::{path::Path, process::Command};

/// Where build.rs puts what stands in for libtorch, on systems for which it does.
const FOLDER: Option<&str> = option_env!("MAYDAN_MISSING");

fn maydan() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_maydan"));
    command.arg("--version");
    command
}

/// The loader looks in `LD_LIBRARY_PATH` first, so it finds the stand-ins as it would at the end of the runpath.
#[test]
fn a_program_without_libtorch_says_what_to_do_in_one_line() {
    let Some(folder) = FOLDER else { return println!("skipped: nothing stands in for libtorch on this system") };
    let names = ["libtorch_cpu.so", "libtorch.so", "libc10.so"];
    let preloaded = names.map(|name| ("LD_PRELOAD", format!("{folder}/{name}")));
    for (variable, value) in [("LD_LIBRARY_PATH", folder.to_owned())].into_iter().chain(preloaded) {
        let output = maydan().env(variable, &value).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{variable}={value}: {error}");
        assert!(
            error.starts_with("error: libtorch ") && error.ends_with('\n') && error.lines().count() == 1,
            "{error}"
        );
        assert!(error.contains("make setup") && error.contains("LIBTORCH") && error.contains("/lib: "), "{error}");
        assert!(output.stdout.is_empty());
    }
    assert!(maydan().output().unwrap().status.success(), "where libtorch is there, nothing takes its place");
}

/// What stands in must be found last, and nothing of the GPU's be among it: the program asks for that by name.
#[test]
fn what_stands_in_for_libtorch_comes_last() {
    let Some(folder) = FOLDER else { return println!("skipped: nothing stands in for libtorch on this system") };
    let Ok(read) = Command::new("readelf").args(["-d", "-W", env!("CARGO_BIN_EXE_maydan")]).output() else {
        return println!("skipped: readelf is not installed");
    };
    let text = String::from_utf8(read.stdout).unwrap();
    let line = text.lines().find(|line| line.contains("(RUNPATH)") || line.contains("(RPATH)")).unwrap();
    let path = line.split(['[', ']']).nth(1).unwrap();
    let folders: Vec<&str> = path.split(':').collect();
    assert_eq!(folders.iter().position(|&entry| entry == folder), Some(folders.len() - 1), "{path}");
    assert!(folders.len() > 1, "{path}");
    for entry in std::fs::read_dir(folder).unwrap() {
        let name = entry.unwrap().file_name();
        assert!(!Path::new(&name).display().to_string().contains("cuda"), "{name:?}");
    }
}

/// The linker of this test is the system's own, GNU ld on most, which Rust links with before 1.90; later Rust brings LLVM's.
#[test]
fn a_program_of_the_system_s_linker_starts_with_the_libtorch_of_make_setup() {
    let libraries = Path::new(env!("CARGO_MANIFEST_DIR")).join(".libtorch/torch/lib");
    if !libraries.is_dir() {
        return println!("skipped: libtorch is not that of `make setup`");
    }
    let folder = tempfile::tempdir().unwrap();
    let (source, program) = (folder.path().join("main.c"), folder.path().join("main"));
    // `at::get_num_threads`, so that libtorch is needed.
    let text = "int _ZN2at15get_num_threadsEv(void); int main(void) { return _ZN2at15get_num_threadsEv() < 1; }";
    std::fs::write(&source, text).unwrap();
    let linked = Command::new("cc")
        .arg(&source)
        .arg("-o")
        .arg(&program)
        .arg(format!("-L{}", libraries.display()))
        .arg(format!("-Wl,--as-needed,-rpath,{}", libraries.display()))
        .args(["-ltorch_cpu", "-ltorch", "-lc10"])
        .output()
        .unwrap();
    assert!(linked.status.success(), "{}", String::from_utf8_lossy(&linked.stderr));
    let run = Command::new(&program).output().unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
}
