//! The page with the choices of light or dark pages, and of the time zone.

use crate::{
    domain::{ShownValues, Zone},
    web::parts::{prelude::*, theme::Theme},
};

#[derive(Debug, Template)]
#[template(path = "settings/display.html")]
pub struct DisplayPage {
    layout: Layout,
    themes: [Theme; 3],
    areas: Vec<Area>,
    shown: ShownValues,
    /// Whether the zone is UTC.
    is_utc: bool,
    /// The time of this page in the zone.
    now: String,
}

/// The time zones of a part of the world.
#[derive(Debug)]
struct Area {
    name: &'static str,
    zones: Vec<ZoneChoice>,
}

#[derive(Debug)]
struct ZoneChoice {
    name: String,
    /// `Buenos Aires`.
    label: String,
    is_chosen: bool,
}

impl Area {
    fn new(visit: &Visit, (area, names): (&'static str, Vec<String>)) -> Self {
        let choice = |name: String| ZoneChoice {
            label: name[area.len() + 1..].replace('_', " ").replace('/', ", "),
            is_chosen: name == visit.zone.name(),
            name,
        };
        Self {
            name: area,
            zones: names.into_iter().map(choice).collect(),
        }
    }
}

impl DisplayPage {
    pub fn new(visit: &Visit) -> Self {
        Self {
            layout: Layout::new(visit, Section::Settings, "Display"),
            themes: Theme::ALL,
            areas: Zone::names().map(|area| Area::new(visit, area)).collect(),
            shown: ShownValues::of([("zone", visit.zone.name().to_owned())]),
            is_utc: visit.zone.is_utc(),
            now: visit.moment(visit.now).full,
        }
    }
}
