//! Types of settings that the standard library does not have, and their parsers.

use std::{fmt, net::SocketAddr, path::PathBuf, str::FromStr, time::Duration};

use clap::{ValueEnum, builder::RangedU64ValueParser};

/// Largest number of any setting. The sum of a few of them never overflows.
const MOST: u64 = 1_000_000_000;

/// Most threads of one kind in a process.
pub(super) const MAX_THREADS: u64 = 1024;

/// Parses a count with a lower bound.
pub(super) fn at_least<T: TryFrom<u64>>(least: u64) -> RangedU64ValueParser<T> {
    RangedU64ValueParser::new().range(least..=MOST)
}

/// Parses a count with an upper bound, where 0 has its own meaning.
pub(super) fn up_to<T: TryFrom<u64>>(most: u64) -> RangedU64ValueParser<T> {
    RangedU64ValueParser::new().range(0..=most)
}

/// Parses an address that only this machine reaches.
pub(super) fn loopback(text: &str) -> Result<SocketAddr, String> {
    let address: SocketAddr = text.parse().map_err(|_| "an address and port")?;
    if address.ip().is_loopback() {
        Ok(address)
    } else {
        Err("not a loopback address such as 127.0.0.1:9100: anybody could read how the site is used".into())
    }
}

pub(super) fn millis(text: &str) -> Result<Duration, String> {
    positive(text).map(Duration::from_millis)
}

pub(super) fn days(text: &str) -> Result<Duration, String> {
    positive(text).map(|days| Duration::from_secs(days * 86_400))
}

/// Parses a whole number from 1 on, the form of every duration.
fn positive(text: &str) -> Result<u64, String> {
    match text.parse() {
        Ok(number @ 1..=MOST) => Ok(number),
        _ => Err("a whole number from 1 to 1,000,000,000 is needed".into()),
    }
}

/// Speed of the scrub.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scrub {
    /// 1000 rows a second on a cluster, where a failover can lose the last writes of a primary. Off on one
    /// node.
    Auto,
    /// Rows per second: keys, and members of their values.
    Rows(u64),
    /// No scrub.
    Off,
}

impl FromStr for Scrub {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "auto" => Ok(Self::Auto),
            "off" => Ok(Self::Off),
            _ => positive(text)
                .map(Self::Rows)
                .map_err(|error| format!("auto, off, or {error}")),
        }
    }
}

/// Format of a log line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    Auto,
    Text,
    Json,
}

/// Address to serve on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Listen {
    Tcp(SocketAddr),
    Unix(PathBuf),
}

impl FromStr for Listen {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.strip_prefix("unix:") {
            Some("") => Err("unix: needs a path".into()),
            Some(path) => Ok(Self::Unix(path.into())),
            None => text
                .parse()
                .map(Self::Tcp)
                .map_err(|_| "an address and port, or unix:PATH".into()),
        }
    }
}

impl Listen {
    /// Whether it is an address beyond this machine's own.
    #[must_use]
    pub fn is_of_the_network(&self) -> bool {
        match self {
            Self::Tcp(address) => !address.ip().is_loopback(),
            Self::Unix(_) => false,
        }
    }
}

/// A setting that is never shown.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl FromStr for Secret {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(Self(text.to_owned()))
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::super::values::*;
    use crate::config::Config;

    #[derive(Parser)]
    struct CommandLine {
        #[command(flatten)]
        config: Config,
    }

    fn configured(setting: &str) -> Result<Config, String> {
        CommandLine::try_parse_from(["redwing", setting])
            .map(|line| line.config)
            .map_err(|error| error.to_string())
    }

    #[test]
    fn required_counts_refuse_zero() {
        for name in [
            "home-size",
            "max-following",
            "pass-size",
            "task-attempts",
            "max-sessions",
            "max-form-bytes",
            "max-arriving-bytes",
            "max-connections",
            "max-streams",
            "streams-per-person",
            "sign-ups-per-hour",
            "log-ins-per-quarter",
            "posts-per-hour",
            "follows-per-hour",
        ] {
            let refusal = configured(&format!("--{name}=0")).unwrap_err();
            assert!(refusal.contains(name), "{refusal}");
            assert!(configured(&format!("--{name}=1")).is_ok(), "{name}");
        }
    }

    #[test]
    fn thread_and_queue_sizes_refuse_huge_numbers() {
        for name in ["threads", "workers", "concurrent-hashes", "waiting-hashes"] {
            assert!(configured(&format!("--{name}=0")).is_ok(), "{name}");
            assert!(configured(&format!("--{name}=1000000000000000000")).is_err());
        }
    }

    #[test]
    fn the_metrics_address_must_be_loopback() {
        for address in ["127.0.0.1:9100", "[::1]:9100", "127.8.8.8:0"] {
            assert!(loopback(address).is_ok(), "{address}");
        }
        for address in [
            "0.0.0.0:9100",
            "[::]:9100",
            "203.0.113.9:9100",
            "localhost:9100",
        ] {
            assert!(loopback(address).is_err(), "{address}");
        }
    }

    #[test]
    fn the_default_settings_are_valid() {
        assert_eq!(configured("--threads=0").unwrap().validate(), Ok(()));
    }
}
