//! The page on which the author of a post changes who can reply and quote.

use super::fields::ReplyControlFields;
use crate::{
    domain::{ReplyControl, ShownValues},
    web::{parts::prelude::*, statuses::status_card::StatusCard},
};

#[derive(Debug, Template)]
#[template(path = "reply_control/reply_control.html")]
pub struct ReplyControlPage {
    layout: Layout,
    permalink: String,
    action: String,
    fields: ReplyControlFields,
    shown: ShownValues,
    /// The post is a reply: the first post of the conversation limits replies too.
    is_reply: bool,
    status: StatusCard,
}

impl ReplyControlPage {
    pub fn new(visit: &Visit, status: &VisibleStatus) -> Self {
        let author = status.author();
        Self {
            layout: Layout::new(visit, section_of(visit, author.id), "Replies and quotes"),
            permalink: routes::status(&author.login, status.id()),
            action: routes::reply_control(status.id()),
            fields: ReplyControlFields::new(status.reply_control()),
            shown: shown_values(status.reply_control()),
            is_reply: status.reply_to().is_some(),
            status: StatusCard::new(visit, status).only_to_read(),
        }
    }
}

fn shown_values(control: ReplyControl) -> ShownValues {
    ShownValues::of([
        ("repliers", control.repliers.as_str().to_owned()),
        ("quoting_closed", control.is_quoting_closed.to_string()),
    ])
}
