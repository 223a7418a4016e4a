//! What the machine says that the tests run on: its variables, and the programs it has.

use std::{ffi::OsString, path::PathBuf};

#[expect(
    clippy::disallowed_methods,
    reason = "the tests' own settings, which are no settings of Redwing"
)]
pub fn variable(name: &str) -> Option<OsString> {
    std::env::var_os(name)
}

/// The file of a program on PATH.
pub fn program(name: &str) -> Option<PathBuf> {
    let path = variable("PATH")?;
    std::env::split_paths(&path)
        .map(|directory| directory.join(name))
        .find(|file| file.is_file())
}
