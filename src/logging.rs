//! The log: one line an event on standard error, for people on a terminal and as JSON elsewhere.
//! What must never be in it (passwords, cookies, tokens, messages) is kept out where it is logged.

use std::io::{self, IsTerminal};

use tracing_subscriber::{EnvFilter, fmt, layer::SubscriberExt, util::SubscriberInitExt};

use crate::config::{Config, LogFormat};

/// Libraries that tell more at `info` than the one who runs a site wants to know, or raise as errors
/// what any stranger can send.
const QUIET: &str = "actix_server=warn,mio=warn,rustls=warn,actix_http=off,actix_session=error";

/// Starts logging as the settings say.
///
/// # Errors
/// When the filter cannot be read, or logging was started before.
pub fn start(config: &Config) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let filter = EnvFilter::try_new(format!("{QUIET},{}", config.log))
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
