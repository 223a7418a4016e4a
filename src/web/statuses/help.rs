//! The help page about the visibility of posts, with the numbers of the code.

use crate::{
    domain::{
        Draft, EditState, MAX_NEWCOMER_LINKS, MAX_NEWCOMER_MENTIONS, Message, PinnedPosts, Poll,
    },
    web::parts::prelude::*,
};

/// Equal to `VISIT_MS` in the scripts that store read positions.
const VISIT_MINUTES: u64 = 15;

#[derive(Debug, Template)]
#[template(path = "help/posting.html")]
pub struct PostingHelpPage {
    layout: Layout,
    /// Days for which an account is new. 0: new accounts have no limits.
    newcomer_days: u64,
}

impl PostingHelpPage {
    pub fn new(visit: &Visit, newcomer_days: u64) -> Self {
        let layout = Layout::new(visit, Section::Elsewhere, "Who can see your posts").described(
            "Who can see replies, mentions, tags, reposts, warnings, polls and edits, and where.",
        );
        Self {
            layout,
            newcomer_days,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::help::*;

    #[test]
    fn the_visit_length_matches_the_scripts() {
        let said = format!("{VISIT_MINUTES} * 60000");
        let prelude = include_str!("../../store/redis/prelude/reading.lua");
        let visit = prelude.lines().find(|line| line.contains("VISIT_MS"));
        assert!(visit.is_some_and(|line| line.contains(&said)));
    }
}
