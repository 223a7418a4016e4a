//! The page on which the author of a post changes who can reply and quote.

use super::fields::ReplyControlFields;
use crate::{
    domain::{FieldConflicts, ReplyControl, ShownValues},
    web::{parts::prelude::*, statuses::status_card::StatusCard},
};

#[derive(Debug, Template)]
#[template(path = "reply_control/reply_control.html")]
pub struct ReplyControlPage {
    layout: Layout,
    permalink: String,
    action: String,
    errors: ErrorSummary,
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
            errors: ErrorSummary::of([]),
            fields: ReplyControlFields::new(status.reply_control()),
            shown: shown_values(status.reply_control()),
            is_reply: status.reply_to().is_some(),
            status: StatusCard::new(visit, status).only_to_read(),
        }
    }

    /// Shows the choices of a form again, with the errors of those that another device changed too.
    #[must_use]
    pub fn in_conflict(
        self,
        chosen: ReplyControl,
        (shown, conflicts): (ShownValues, &FieldConflicts),
    ) -> Self {
        let fields = ReplyControlFields::new(chosen).in_conflict(conflicts);
        let error = fields.repliers_error.as_deref();
        Self {
            layout: self.layout.wrong_if(true),
            errors: ErrorSummary::of([]).with("repliers", "Who can reply", error),
            fields,
            shown: shown.with_conflicts(conflicts),
            ..self
        }
    }
}

fn shown_values(control: ReplyControl) -> ShownValues {
    ShownValues::of([
        ("repliers", control.repliers.as_str().to_owned()),
        ("quoting_closed", control.is_quoting_closed.to_string()),
    ])
}
