//! The page of the shields.

use crate::{domain::Shields, web::parts::prelude::*};

#[derive(Debug, Template)]
#[template(path = "shields/_form.html")]
pub struct ShieldsForm {
    csrf_token: String,
    holds_links: bool,
}

impl askama::filters::HtmlSafe for ShieldsForm {}

impl ShieldsForm {
    pub fn new(visit: &Visit, shields: &Shields) -> Self {
        Self {
            csrf_token: visit.csrf_token.clone(),
            holds_links: shields.holds_links,
        }
    }
}

#[derive(Debug, Template)]
#[template(path = "shields/edit.html")]
pub struct ShieldsPage {
    layout: Layout,
    form: ShieldsForm,
}

impl ShieldsPage {
    pub fn new(visit: &Visit, form: ShieldsForm) -> Self {
        let layout = Layout::new(visit, Section::Settings, "Shields against spam");
        Self { layout, form }
    }
}
