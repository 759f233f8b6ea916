//! Checks that the libtorch that `tch` will use is the right one, and bakes its folder into every binary and test, so
//! that plain `cargo run` and `cargo test` find it without `LD_LIBRARY_PATH`. Tells the program what it was built of.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

const VERSION: &str = "2.11.0";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=LIBTORCH");
    println!("cargo::rustc-env=MAYDAN_LIBTORCH={VERSION}");
    println!("cargo::rustc-env=MAYDAN_COMMIT={}", commit().unwrap_or_default());
    if env::var_os("CARGO_FEATURE_TORCH").is_none() {
        return;
    }
    let remedy = format!("run `make setup`, or set LIBTORCH to the torch folder of an installed torch {VERSION} wheel");
    let Some(libtorch) = env::var_os("LIBTORCH").map(PathBuf::from) else {
        println!("cargo::error=LIBTORCH is not set and .cargo/config.toml was not read: {remedy}");
        return;
    };
    let version_file = libtorch.join("version.py");
    println!("cargo::rerun-if-changed={}", version_file.display());
    match fs::read_to_string(&version_file) {
        Err(_) => {
            println!("cargo::error=libtorch {VERSION} not found in {}: {remedy}", libtorch.display());
        }
        Ok(text) if !text.contains(&format!("'{VERSION}")) => {
            println!("cargo::error=libtorch in {} is not version {VERSION}: {remedy}", libtorch.display());
        }
        Ok(_) => {
            println!("cargo::rustc-link-arg=-Wl,-rpath,{}", libtorch.join("lib").display());
            // From `target/release` and `target/debug/deps`, so that the project's folder can be moved.
            for up in ["../..", "../../.."] {
                println!("cargo::rustc-link-arg=-Wl,-rpath,$ORIGIN/{up}/.libtorch/torch/lib");
            }
            compile_missed(&libtorch);
            compile_missing(&libtorch);
        }
    }
}

/// The commit that a release is built of, where the sources are a clone. Other builds do without, and are not made anew
/// after each commit.
fn commit() -> Option<String> {
    if env::var("PROFILE").as_deref() != Ok("release") {
        return None;
    }
    println!("cargo::rerun-if-changed=.git/HEAD");
    let head = fs::read_to_string(".git/HEAD").ok()?;
    let Some(reference) = head.trim().strip_prefix("ref: ") else { return Some(head.trim().get(..12)?.to_owned()) };
    let file = Path::new(".git").join(reference);
    println!("cargo::rerun-if-changed={}", file.display());
    Some(fs::read_to_string(file).ok()?.trim().get(..12)?.to_owned())
}

/// What tch does not have of libtorch.
fn compile_missed(libtorch: &Path) {
    const SOURCES: [&str; 2] = ["src/model/onednn.cpp", "src/model/script.cpp"];
    for source in SOURCES {
        println!("cargo::rerun-if-changed={source}");
    }
    cc::Build::new()
        .cpp(true)
        .std("c++17")
        .warnings(false)
        .include(libtorch.join("include"))
        .include(libtorch.join("include/torch/csrc/api/include"))
        .files(SOURCES)
        .compile("maydan_libtorch");
}

/// What answers for libtorch where it is gone, see `src/model/missing.c`; its folder comes last in the runpath.
///
/// The GPU's libraries are left out: the program asks for them itself, and does without where they are not there.
fn compile_missing(libtorch: &Path) {
    const SOURCE: &str = "src/model/missing.c";
    const LIBRARIES: [&str; 3] = ["libtorch_cpu.so", "libtorch.so", "libc10.so"];
    println!("cargo::rerun-if-changed={SOURCE}");
    let target = ["OS", "ENV", "ARCH"].map(|part| env::var(format!("CARGO_CFG_TARGET_{part}")).unwrap_or_default());
    if target != ["linux", "gnu", "x86_64"] {
        return;
    }
    // Not OUT_DIR itself, which cargo has programs that it runs look in first.
    let folder = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR")).join("missing");
    fs::create_dir_all(&folder).expect("OUT_DIR can be written");
    let message = format!(
        "error: libtorch {VERSION} is not in {}: run `make setup` in the project's folder, or build again with LIBTORCH \
         set to the torch folder of an installed torch {VERSION} wheel\n",
        libtorch.join("lib").display(),
    );
    let literal: String = message.bytes().map(|byte| format!("\\{byte:03o}")).collect();
    let first = folder.join(LIBRARIES[0]);
    let mut compiler = cc::Build::new().get_compiler().to_command();
    compiler.args(["-shared", "-fPIC", "-nostdlib", "-fno-stack-protector", SOURCE, "-o"]).arg(&first);
    let status = compiler.arg(format!("-DMESSAGE=\"{literal}\"")).status();
    assert!(status.is_ok_and(|status| status.success()), "{SOURCE}: expected a C compiler that makes a shared library");
    for name in &LIBRARIES[1..] {
        fs::copy(&first, folder.join(name)).expect("OUT_DIR can be written");
    }
    println!("cargo::rustc-link-arg=-Wl,-rpath,{}", folder.display());
    println!("cargo::rustc-env=MAYDAN_MISSING={}", folder.display());
}
