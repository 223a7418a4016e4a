//! `redwing status`: the health of a site for a person in a terminal. Each warning says what to do.

mod checks;

use std::{error::Error, fmt, process::ExitCode};

use clap::Args;
use serde::Serialize;

use crate::{output, store::Store};

#[derive(Debug, Args)]
pub struct StatusArgs {
    /// Print one JSON document instead of lines.
    #[arg(long)]
    json: bool,
}

/// How well a part of the site is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    Ok,
    /// The site works, and someone should act.
    Warning,
    /// The site, or a part of it, does not work.
    Failure,
}

/// The health of a part of the site.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Check {
    pub part: &'static str,
    pub level: Level,
    pub text: String,
    /// What to do about it.
    pub remedy: Option<String>,
}

impl Check {
    fn ok(part: &'static str, text: impl Into<String>) -> Self {
        Self {
            part,
            level: Level::Ok,
            text: text.into(),
            remedy: None,
        }
    }

    fn warning(part: &'static str, text: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self {
            level: Level::Warning,
            remedy: Some(remedy.into()),
            ..Self::ok(part, text)
        }
    }

    fn failure(part: &'static str, text: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self {
            level: Level::Failure,
            ..Self::warning(part, text, remedy)
        }
    }
}

/// The health of a site.
#[derive(Debug, Serialize)]
pub struct Status {
    pub level: Level,
    pub checks: Vec<Check>,
}

impl Status {
    fn new(checks: Vec<Check>) -> Self {
        let levels = checks.iter().map(|check| check.level);
        let level = levels.max().unwrap_or(Level::Ok);
        Self { level, checks }
    }

    /// Returns the exit code of the process: 0 if all is well, 1 after a warning, 2 after a failure.
    pub fn exit_code(&self) -> ExitCode {
        match self.level {
            Level::Ok => ExitCode::SUCCESS,
            Level::Warning => ExitCode::from(1),
            Level::Failure => ExitCode::from(2),
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for Check {
            part,
            level,
            text,
            remedy,
        } in &self.checks
        {
            let word = match level {
                Level::Ok => "ok",
                Level::Warning => "WARNING",
                Level::Failure => "FAILURE",
            };
            writeln!(f, "{word:<8} {part:<10} {text}")?;
            if let Some(remedy) = remedy {
                writeln!(f, "{:<19} {remedy}", "")?;
            }
        }
        let count = self.checks.iter().filter(|check| check.level > Level::Ok);
        match count.count() {
            0 => write!(f, "All is well."),
            1 => write!(f, "One thing needs attention."),
            number => write!(f, "{number} things need attention."),
        }
    }
}

/// Examines a site and prints its health.
///
/// # Errors
/// If it cannot be printed. A Redis that cannot be reached is a failure in the report.
pub async fn print(
    args: &StatusArgs,
    store: &Store,
) -> Result<ExitCode, Box<dyn Error + Send + Sync>> {
    let status = Status::new(checks::all(store).await);
    if args.json {
        output::print_document(&status)?;
    } else {
        output::print_line(&status)?;
    }
    Ok(status.exit_code())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_check_decides_and_each_warning_has_its_remedy() {
        let checks = vec![
            Check::ok("Redis", "8.0"),
            Check::warning("memory", "85 %", "Raise maxmemory."),
        ];
        let status = Status::new(checks.clone());
        assert_eq!(status.level, Level::Warning);
        assert_eq!(
            status.to_string(),
            "ok       Redis      8.0\n\
             WARNING  memory     85 %\n\
             \x20                   Raise maxmemory.\n\
             One thing needs attention."
        );
        let worse = [
            checks,
            vec![Check::failure("queue", "stuck", "Start a worker.")],
        ]
        .concat();
        assert_eq!(Status::new(worse).level, Level::Failure);
        assert_eq!(Status::new(Vec::new()).to_string(), "All is well.");
    }
}
