//! The environment of the tests: variables, installed programs, and a thread with a deep stack.

use std::{ffi::OsString, panic::resume_unwind, path::PathBuf, thread};

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

/// Bytes of a stack for futures that are nested deeply. Without optimisation, each has kilobytes of its own, and the 2 MiB
/// of a usual thread do not always suffice.
const DEEP_STACK_BYTES: usize = 16 << 20;

/// Runs a test on a thread with a deep stack.
pub fn with_deep_stack(test: impl FnOnce() + Send) {
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(DEEP_STACK_BYTES);
        let running = thread.spawn_scoped(scope, test).expect("a thread starts");
        if let Err(panic) = running.join() {
            resume_unwind(panic);
        }
    });
}
