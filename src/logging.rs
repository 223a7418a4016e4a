//! The log: one line per event on standard error, as text on a terminal and as JSON elsewhere. Callers
//! keep secrets out of it: passwords, cookies, tokens, messages.

use std::io::{self, IsTerminal};

use tracing_subscriber::{filter::Targets, fmt, layer::SubscriberExt, util::SubscriberInitExt};

use crate::config::{Config, LogFormat};

/// Libraries that log too much at `info`, or log errors that any visitor can cause.
const QUIET: &str = "actix_server=warn,mio=warn,rustls=warn,actix_http=off,actix_session=error";

/// Starts logging by the settings.
///
/// # Errors If the filter is invalid, or logging was started before.
pub fn start(config: &Config) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let filter: Targets = format!("{QUIET},{}", config.log)
        .parse()
        .map_err(|error| format!("REDWING_LOG: {error}"))?;
    let on_terminal = io::stderr().is_terminal();
    let json = match config.log_format {
        LogFormat::Auto => !on_terminal,
        LogFormat::Text => false,
        LogFormat::Json => true,
    };
    let lines = fmt::layer().with_writer(io::stderr);
    let log = tracing_subscriber::registry().with(filter);
    if json {
        log.with(lines.json().flatten_event(true).with_span_list(false))
            .try_init()?;
    } else {
        log.with(lines.with_ansi(on_terminal).with_target(false))
            .try_init()?;
    }
    Ok(())
}
