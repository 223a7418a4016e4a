//! The help page about the visibility of posts, with the numbers of the code.

use askama::Template;

use crate::{
    domain::{Draft, EditState, Poll},
    web::parts::{
        layout::{Layout, Section},
        visit::Visit,
    },
};

/// Equal to `VISIT_MS` in the scripts that store read positions.
const VISIT_MINUTES: u64 = 15;

#[derive(Debug, Template)]
#[template(path = "help/posting.html")]
pub struct PostingHelpPage {
    layout: Layout,
}

impl PostingHelpPage {
    #[must_use]
    pub fn new(visit: &Visit) -> Self {
        let layout = Layout::new(visit, Section::Elsewhere, "Who can see your posts").described(
            "Who can see replies, mentions, tags, reposts, warnings, polls and edits, and where.",
        );
        Self { layout }
    }

    fn most_mentioned(&self) -> usize {
        Draft::MAX_MENTIONED
    }

    fn most_tags(&self) -> usize {
        Draft::MAX_TAGS
    }

    fn options(&self) -> (usize, usize) {
        (Poll::MIN_OPTIONS, Poll::MAX_OPTIONS)
    }

    fn edit_minutes(&self) -> u64 {
        EditState::OPEN_MS / 60_000
    }

    fn visit_minutes(&self) -> u64 {
        VISIT_MINUTES
    }

    fn max_edits(&self) -> u64 {
        EditState::MAX
    }
}

#[cfg(test)]
mod tests {
    use super::super::help::*;

    #[test]
    fn the_visit_length_matches_the_scripts() {
        let said = format!("{VISIT_MINUTES} * 60000");
        let prelude = include_str!("../../store/redis/prelude.lua");
        let visit = prelude.lines().find(|line| line.contains("VISIT_MS"));
        assert!(visit.is_some_and(|line| line.contains(&said)));
    }
}
