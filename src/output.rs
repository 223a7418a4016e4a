//! Standard output and standard error of the commands. A command ends quietly when its reader, such as `head`, is gone.
//! The macros of std would panic then, so only this module prints.

use std::{
    error::Error,
    fmt::Display,
    io::{self, ErrorKind, Write},
};

use serde::Serialize;

/// Exit code after standard output was closed: 128 and the number of SIGPIPE, as shells show it for other tools.
pub(crate) const CLOSED_EXIT_CODE: u8 = 141;

/// The reader of standard output is gone.
#[derive(Debug, thiserror::Error)]
#[error("standard output is closed")]
pub(crate) struct Closed;

/// An error of printing, worded for the operator.
type Failure = Box<dyn Error + Send + Sync>;

/// Prints a line to standard output.
///
/// # Errors
/// [`Closed`] if the reader is gone, and errors of the system, such as a full disk.
pub(crate) fn print_line(text: impl Display) -> Result<(), Failure> {
    writeln!(io::stdout().lock(), "{text}").map_err(describe)
}

/// Prints a JSON document to standard output.
///
/// # Errors
/// Those of [`print_line`], and a value that cannot be JSON.
pub(crate) fn print_document(value: &impl Serialize) -> Result<(), Failure> {
    print_line(serde_json::to_string_pretty(value)?)
}

/// Prints a line of a process that goes on without a reader.
pub(crate) fn announce(text: impl Display) {
    // Nothing depends on it.
    let _ = writeln!(io::stdout().lock(), "{text}");
}

/// Prints a line to standard error.
pub(crate) fn print_error(text: impl Display) {
    // There is no other place for the text.
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// Returns whether a command failed because the reader of its output is gone.
pub(crate) fn is_closed(failure: &Failure) -> bool {
    failure.is::<Closed>()
}

fn describe(error: io::Error) -> Failure {
    match error.kind() {
        ErrorKind::BrokenPipe => Closed.into(),
        _ => error.into(),
    }
}
