//! The choice of who can reply to a post and quote it, in the composer and on a page of its own.

use super::words;
use crate::{
    domain::{Repliers, ReplyControl},
    web::parts::prelude::*,
};

#[derive(Debug, Clone, Copy, Template)]
#[template(path = "reply_control/_reply_control_fields.html")]
pub struct ReplyControlFields {
    chosen: ReplyControl,
}

impl askama::filters::HtmlSafe for ReplyControlFields {}

impl ReplyControlFields {
    pub fn new(chosen: ReplyControl) -> Self {
        Self { chosen }
    }

    fn words(&self, repliers: &Repliers) -> &'static str {
        words::choice_words(*repliers)
    }
}
