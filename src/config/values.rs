//! Types of settings that the standard library does not have, and their parsers.

use std::{
    ffi::OsStr, fmt, marker::PhantomData, net::SocketAddr, ops::RangeInclusive, path::PathBuf,
    str::FromStr, time::Duration,
};

use clap::{Arg, Command, ValueEnum, builder::TypedValueParser, error::ErrorKind};

/// Largest count of a setting that only takes memory or patience. The sum of a few of them never overflows.
const MAX_COUNT: u64 = 1_000_000;

/// Largest rate of actions. It only sets the time between two of them.
pub(super) const MAX_RATE: u64 = 1_000_000_000;
/// Most threads of one kind in a process.
pub(super) const MAX_THREADS: u64 = 1024;
/// Longest time-out: an hour. A person waits for most of them.
const MAX_TIMEOUT_MS: u64 = 3_600_000;
/// Longest time in days: ten years.
const MAX_DAYS: u64 = 3650;

/// Parser of a whole number with bounds. A number that reaches a script needs an upper bound: Redis
/// answers no one else while a script runs, and `unpack` takes only some thousand values.
#[derive(Clone)]
pub(super) struct WholeNumber<T> {
    bounds: RangeInclusive<u64>,
    number: PhantomData<fn() -> T>,
}

impl<T> WholeNumber<T> {
    /// Names the setting, its bounds and the given value.
    fn refusal(&self, command: &Command, setting: Option<&Arg>, given: &str) -> clap::Error {
        let flag = setting.and_then(Arg::get_long).unwrap_or_default();
        let variable = setting.and_then(Arg::get_env).unwrap_or_default();
        let (least, most) = (self.bounds.start(), self.bounds.end());
        let message = format!(
            "--{flag} ({}) needs a whole number from {least} to {most}, not '{given}'\n",
            variable.to_string_lossy()
        );
        clap::Error::raw(ErrorKind::ValueValidation, message).with_cmd(command)
    }
}

impl<T: TryFrom<u64> + Clone + Send + Sync + 'static> TypedValueParser for WholeNumber<T> {
    type Value = T;

    fn parse_ref(
        &self,
        command: &Command,
        setting: Option<&Arg>,
        given: &OsStr,
    ) -> Result<T, clap::Error> {
        let given = given.to_string_lossy();
        let number = given
            .parse()
            .ok()
            .filter(|number| self.bounds.contains(number));
        let number = number.and_then(|number| T::try_from(number).ok());
        number.ok_or_else(|| self.refusal(command, setting, &given))
    }
}

/// Parses a count with a lower bound and the largest upper one.
pub(super) fn at_least<T: TryFrom<u64>>(least: u64) -> WholeNumber<T> {
    between(least, MAX_COUNT)
}

/// Parses a count with an upper bound, where 0 has its own meaning.
pub(super) fn up_to<T: TryFrom<u64>>(most: u64) -> WholeNumber<T> {
    between(0, most)
}

pub(super) fn between<T: TryFrom<u64>>(least: u64, most: u64) -> WholeNumber<T> {
    let (bounds, number) = (least..=most, PhantomData);
    WholeNumber { bounds, number }
}

pub(super) fn millis() -> impl TypedValueParser<Value = Duration> {
    between::<u64>(1, MAX_TIMEOUT_MS).map(Duration::from_millis)
}

pub(super) fn days() -> impl TypedValueParser<Value = Duration> {
    between::<u64>(1, MAX_DAYS).map(|days| Duration::from_secs(days * 86_400))
}

/// Parses an address that only this machine reaches.
pub(super) fn loopback(text: &str) -> Result<SocketAddr, String> {
    let address: SocketAddr = text.parse().map_err(|_| "an address and port")?;
    if address.ip().is_loopback() {
        Ok(address)
    } else {
        Err("not a loopback address such as 127.0.0.1:9100: anyone could read the metrics of the site".into())
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
    Off,
}

impl FromStr for Scrub {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "auto" => Ok(Self::Auto),
            "off" => Ok(Self::Off),
            _ => {
                let rows = text
                    .parse()
                    .ok()
                    .filter(|rows| (1..=MAX_COUNT).contains(rows));
                let expected = format!("auto, off, or a whole number from 1 to {MAX_COUNT}");
                rows.map(Self::Rows).ok_or(expected)
            }
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    Auto,
    Text,
    Json,
}

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
    pub fn is_of_the_network(&self) -> bool {
        match self {
            Self::Tcp(address) => !address.ip().is_loopback(),
            Self::Unix(_) => false,
        }
    }
}

/// A setting that is never shown.
#[derive(Clone, PartialEq, Eq, derive_more::From)]
pub struct Secret(String);

impl Secret {
    pub fn reveal(&self) -> &str {
        &self.0
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
        for name in "home-size max-following pass-size task-attempts max-sessions max-form-bytes \
            max-arriving-bytes max-connections max-streams streams-per-person sign-ups-per-hour \
            log-ins-per-quarter posts-per-hour follows-per-hour"
            .split(' ')
        {
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
    fn a_number_out_of_bounds_is_refused_with_setting_bounds_and_value() {
        let refusal = configured("--home-size=2001").unwrap_err();
        for word in "--home-size|REDWING_HOME_SIZE|from 1 to 2000|'2001'".split('|') {
            assert!(refusal.contains(word), "{word}: {refusal}");
        }
        for setting in ["--home-size=many", "--home-size=-1", "--dormant-days=3651"] {
            assert!(configured(setting).is_err(), "{setting}");
        }
    }

    #[test]
    fn the_metrics_address_must_be_loopback() {
        for address in ["127.0.0.1:9100", "[::1]:9100", "127.8.8.8:0"] {
            assert!(loopback(address).is_ok(), "{address}");
        }
        for address in "0.0.0.0:9100 [::]:9100 203.0.113.9:9100 localhost:9100".split(' ') {
            assert!(loopback(address).is_err(), "{address}");
        }
    }

    #[test]
    fn the_default_settings_are_valid() {
        assert_eq!(configured("--threads=0").unwrap().validate(), Ok(()));
    }
}
