//! Checks that the libtorch that `tch` will use is the right one, and bakes its folder into every binary and test, so
//! that plain `cargo run` and `cargo test` find it without `LD_LIBRARY_PATH`.

use std::{
    env,
    path::{Path, PathBuf},
};

const VERSION: &str = "2.11.0";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=LIBTORCH");
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
    match std::fs::read_to_string(&version_file) {
        Err(_) => {
            println!("cargo::error=libtorch {VERSION} not found in {}: {remedy}", libtorch.display());
        }
        Ok(text) if !text.contains(&format!("'{VERSION}")) => {
            println!("cargo::error=libtorch in {} is not version {VERSION}: {remedy}", libtorch.display());
        }
        Ok(_) => {
            println!("cargo::rustc-link-arg=-Wl,-rpath,{}", libtorch.join("lib").display());
            compile_onednn(&libtorch);
        }
    }
}

/// What tch does not have of libtorch, see `src/model/onednn.cpp`.
fn compile_onednn(libtorch: &Path) {
    const SOURCE: &str = "src/model/onednn.cpp";
    println!("cargo::rerun-if-changed={SOURCE}");
    cc::Build::new()
        .cpp(true)
        .std("c++17")
        .warnings(false)
        .include(libtorch.join("include"))
        .include(libtorch.join("include/torch/csrc/api/include"))
        .file(SOURCE)
        .compile("maydan_onednn");
}
