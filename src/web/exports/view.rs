//! The page of the export.

use crate::{
    domain::{Export, ExportStage},
    web::parts::{moment::Moment, prelude::*},
};

const MIB: u64 = 1024 * 1024;
/// Why no archive is made now.
pub const NO_SPACE: &str = "The site has no space for archives now. Try again later.";

#[derive(Debug, Template)]
#[template(path = "exports/export.html")]
pub struct ExportPage {
    layout: Layout,
    /// The page to return to: the settings, or the page of a restricted account.
    above: (&'static str, &'static str),
    state: State,
}

#[derive(Debug)]
enum State {
    None,
    /// Percent that is read.
    UnderWay(u64),
    Done {
        made: Moment,
        until: Moment,
        /// `3 MB`.
        size: String,
    },
    /// Why the last one was not finished.
    Failed(&'static str),
}

const UNFINISHED: &str = "The last archive failed. Make a new one.";

impl ExportPage {
    pub fn new(visit: &Visit, is_restricted: bool, export: Option<&Export>) -> Self {
        let state = match export {
            None => State::None,
            Some(export) if export.is_interrupted(visit.now) => State::Failed(UNFINISHED),
            Some(export) => match export.stage {
                ExportStage::Failed => State::Failed(UNFINISHED),
                ExportStage::NoSpace => State::Failed(NO_SPACE),
                ExportStage::Done => State::Done {
                    made: visit.moment(export.at),
                    until: visit.moment(export.until()),
                    size: match export.bytes.div_ceil(MIB) {
                        0 | 1 => "less than 1 MB".to_owned(),
                        number => format!("{} MB", count(number)),
                    },
                },
                _ => State::UnderWay(export.percent()),
            },
        };
        let layout = Layout::new(visit, Section::Settings, "Download your account");
        Self {
            layout: match is_restricted {
                true => layout.without_navigation(),
                false => layout,
            },
            above: match is_restricted {
                true => (routes::ACCOUNT, "Your account"),
                false => (routes::SETTINGS, "Settings"),
            },
            state,
        }
    }

    pub fn is_under_way(&self) -> bool {
        matches!(self.state, State::UnderWay(_))
    }
}
