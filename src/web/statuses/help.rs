//! The help page about the visibility of posts, with the numbers of the code.

use crate::{
    domain::{Draft, EditState, PinnedPosts, Poll},
    web::parts::prelude::*,
};

/// Equal to `VISIT_MS` in the scripts that store read positions.
const VISIT_MINUTES: u64 = 15;

#[derive(Debug, Template)]
#[template(path = "help/posting.html")]
pub struct PostingHelpPage {
    layout: Layout,
}

impl PostingHelpPage {
    pub fn new(visit: &Visit) -> Self {
        let layout = Layout::new(visit, Section::Elsewhere, "Who can see your posts").described(
            "Who can see replies, mentions, tags, reposts, warnings, polls and edits, and where.",
        );
        Self { layout }
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
