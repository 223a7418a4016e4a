//! The time zone in which pages show a person full times.

use std::fmt;

use jiff::{Timestamp, tz};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

use crate::domain::UnixMs;

/// The beginnings of the names that people can choose. Others are older names of the same zones, or fixed offsets.
const AREAS: [&str; 10] = [
    "Africa",
    "America",
    "Antarctica",
    "Arctic",
    "Asia",
    "Atlantic",
    "Australia",
    "Europe",
    "Indian",
    "Pacific",
];

/// A time zone by its IANA name, such as `Europe/Berlin`. The default is UTC.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Zone(tz::TimeZone);

impl Zone {
    /// Returns the zone with this name, if people can choose it.
    pub fn named(name: &str) -> Option<Self> {
        if name == Self::default().name() {
            return Some(Self::default());
        }
        let (area, _) = name.split_once('/')?;
        let zone = AREAS.contains(&area).then(|| tz::db().get(name).ok())??;
        Some(Self(zone))
    }

    pub fn name(&self) -> &str {
        self.0.iana_name().unwrap_or_default()
    }

    /// Returns whether it is the default.
    pub fn is_utc(&self) -> bool {
        *self == Self::default()
    }

    /// Returns the names that people can choose besides UTC, by area, each in the order of the alphabet.
    pub fn names() -> impl Iterator<Item = (&'static str, Vec<String>)> {
        AREAS.into_iter().map(|area| {
            let is_there = |name: &String| name.split('/').next() == Some(area);
            let names = tz::db().available().map(|name| name.to_string());
            let mut names: Vec<String> = names.filter(is_there).collect();
            names.sort_unstable();
            (area, names)
        })
    }

    /// Formats a time in this zone, with the fields of `strftime`. A time beyond the end of the calendar, of a damaged
    /// record, is its last moment.
    pub fn format(&self, time: UnixMs, fields: &str) -> String {
        let time = i64::try_from(time.0).ok();
        let time = time.and_then(|ms| Timestamp::from_millisecond(ms).ok());
        let time = time.unwrap_or(Timestamp::MAX).to_zoned(self.0.clone());
        time.strftime(fields).to_string()
    }
}

impl Default for Zone {
    fn default() -> Self {
        Self(tz::TimeZone::UTC)
    }
}

impl fmt::Display for Zone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Serialize for Zone {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Zone {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let name = String::deserialize(from)?;
        Self::named(&name).ok_or_else(|| D::Error::custom("no time zone"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_zone_has_its_name_and_formats_times_with_its_offset() {
        let time = UnixMs(1_794_492_300_000);
        for (name, text) in [
            ("UTC", "14:05 UTC"),
            ("Asia/Kolkata", "19:35 IST"),
            ("America/New_York", "09:05 EST"),
            ("America/Sao_Paulo", "11:05 -03"),
        ] {
            let zone = Zone::named(name).unwrap();
            assert_eq!(zone.to_string(), name);
            assert_eq!(zone.format(time, "%H:%M %Z"), text);
            let stored = serde_json::to_string(&zone).unwrap();
            assert_eq!(serde_json::from_str::<Zone>(&stored).unwrap(), zone);
        }
        assert!(Zone::default().is_utc());
        let last = Zone::named("Asia/Kolkata")
            .unwrap()
            .format(UnixMs(u64::MAX), "%Y");
        assert_eq!(last, "9999");
    }

    #[test]
    fn only_offered_names_can_be_chosen() {
        for name in [
            "",
            "Europe",
            "Europe/",
            "Europe/Atlantis",
            "EST",
            "Etc/GMT+5",
            "US/Pacific",
        ] {
            assert_eq!(Zone::named(name), None, "{name}");
        }
        let names: Vec<String> = Zone::names().flat_map(|(_, names)| names).collect();
        assert!(names.len() > 300, "{}", names.len());
        for name in names {
            assert!(Zone::named(&name).is_some(), "{name}");
        }
    }
}
