//! The choice of who can reply to a post and quote it, in the composer and on a page of its own.

use super::words;
use crate::{
    domain::{FieldConflicts, Repliers, ReplyControl},
    web::parts::{field::conflict_error, prelude::*},
};

#[derive(Debug, Clone, Template)]
#[template(path = "reply_control/_reply_control_fields.html")]
pub struct ReplyControlFields {
    chosen: ReplyControl,
    pub repliers_error: Option<String>,
}

impl askama::filters::HtmlSafe for ReplyControlFields {}

impl ReplyControlFields {
    pub fn new(chosen: ReplyControl) -> Self {
        Self {
            chosen,
            repliers_error: None,
        }
    }

    /// Adds the error of a choice that another device changed too. A box has only two values, so two people who change
    /// it agree.
    #[must_use]
    pub fn in_conflict(self, conflicts: &FieldConflicts) -> Self {
        let stored = conflicts.stored("repliers").and_then(Repliers::stored);
        let repliers_error = stored.map(|stored| conflict_error(words::choice_words(stored)));
        Self {
            repliers_error,
            ..self
        }
    }

    fn words(&self, repliers: &Repliers) -> &'static str {
        words::choice_words(*repliers)
    }
}
