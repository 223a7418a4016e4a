//! A page of the settings that lists people whose profiles the viewer may not find, each with a button that undoes
//! something: blocked people.

use crate::{
    store::User,
    web::parts::{avatar::Avatar, prelude::*},
};

#[derive(Debug, Template)]
#[template(path = "settings/related_people.html")]
pub struct RelatedPeoplePage<B: Template + askama::filters::HtmlSafe> {
    layout: Layout,
    texts: Texts,
    first: bool,
    people: Vec<RelatedPerson<B>>,
    pager: Pager,
}

/// The texts of such a page.
#[derive(Debug, Clone, Copy)]
pub struct Texts {
    pub path: &'static str,
    pub title: &'static str,
    pub empty_title: &'static str,
    pub empty: &'static str,
}

/// A person on such a page, with the button.
#[derive(Debug)]
pub struct RelatedPerson<B> {
    name: String,
    login: String,
    avatar: Avatar,
    /// The form that reports them.
    report: String,
    button: B,
}

impl<B: Template + askama::filters::HtmlSafe> RelatedPeoplePage<B> {
    /// Creates the page that began at `before`.
    pub fn new(
        visit: &Visit,
        texts: Texts,
        (before, next): (Option<Cursor>, Option<Cursor>),
        people: Vec<RelatedPerson<B>>,
    ) -> Self {
        Self {
            layout: Layout::new(visit, Section::Settings, texts.title),
            first: before.is_none(),
            people,
            pager: Pager::new(texts.path, before, next).ending_with("No more people."),
            texts,
        }
    }
}

impl<B> RelatedPerson<B> {
    /// Creates the row of a person whose profile the viewer may not find.
    pub fn new(user: &User, button: B) -> Self {
        Self {
            name: user.name.clone(),
            login: user.login.to_string(),
            avatar: Avatar::new(user.id, &user.name),
            report: routes::report_person(&user.login),
            button,
        }
    }
}
