//! The environment of the tests: variables and installed programs.

use std::{ffi::OsString, path::PathBuf};

use proptest::prelude::ProptestConfig;

#[expect(
    clippy::disallowed_methods,
    reason = "the tests' own settings, which are no settings of Redwing"
)]
pub fn variable(name: &str) -> Option<OsString> {
    std::env::var_os(name)
}

/// Returns the file of a program on PATH.
pub fn program(name: &str) -> Option<PathBuf> {
    let path = variable("PATH")?;
    std::env::split_paths(&path)
        .map(|directory| directory.join(name))
        .find(|file| file.is_file())
}

/// Returns the number of random games against a model: REDWING_MODEL_CASES, or the default.
pub fn games(usual: u32) -> ProptestConfig {
    let asked = variable("REDWING_MODEL_CASES").and_then(|cases| cases.to_str()?.parse().ok());
    ProptestConfig {
        cases: asked.unwrap_or(usual),
        max_shrink_iters: 512,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}
