//! The page with the choice of light or dark pages.

use crate::web::parts::{prelude::*, theme::Theme};

#[derive(Debug, Template)]
#[template(path = "settings/display.html")]
pub struct DisplayPage {
    layout: Layout,
    themes: [Theme; 3],
}

impl DisplayPage {
    pub fn new(visit: &Visit) -> Self {
        Self {
            layout: Layout::new(visit, Section::Settings, "Display"),
            themes: Theme::ALL,
        }
    }
}
