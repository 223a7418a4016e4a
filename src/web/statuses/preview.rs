//! The preview of a post in its form.

use crate::{
    domain::Draft,
    web::parts::{prelude::*, rich_text::RichText},
};

#[derive(Debug, Template)]
#[template(path = "statuses/_preview.html")]
pub struct Preview {
    warning: Option<String>,
    message: RichText,
    /// The options of the poll.
    options: Vec<String>,
}

impl askama::filters::HtmlSafe for Preview {}

impl Preview {
    pub fn of(draft: &Draft) -> Self {
        let options = draft.poll.iter().flat_map(|poll| poll.options());
        Self {
            warning: draft.warning.as_ref().map(|line| line.as_str().to_owned()),
            message: RichText::new(draft.message.as_str()),
            options: options.map(|option| option.as_str().to_owned()).collect(),
        }
    }
}
