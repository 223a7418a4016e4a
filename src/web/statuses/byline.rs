//! Author, time and message of a status as cached HTML, and the status's address.

use super::visibility_select::words;
use crate::{
    domain::Visibility,
    store::{RowVersion, UnixMs},
    web::{
        fragments::{AuthorNames, Fragment, FragmentKind, Fragments},
        parts::{
            moment::{Age, Stamp},
            prelude::*,
            rich_text::RichText,
        },
    },
};

#[derive(Debug, Template)]
#[template(path = "statuses/_byline.html")]
struct Byline<'a> {
    author: &'a str,
    login: &'a str,
    profile: String,
}

/// Returns the names of an author that a cached card depends on.
pub fn author_names(author: &User) -> AuthorNames<&str> {
    AuthorNames {
        name: &author.name,
        login: author.login.as_str(),
    }
}

pub fn byline(fragments: &Fragments, author: &User) -> Fragment {
    fragments.get(author.row_version, FragmentKind::Byline, || Byline {
        author: &author.name,
        login: author.login.as_str(),
        profile: routes::profile(&author.login),
    })
}

/// Returns the time without the age.
pub fn stamp(fragments: &Fragments, row: Option<RowVersion>, posted: UnixMs) -> Fragment {
    fragments.get(row, FragmentKind::Time, || Stamp::of(posted))
}

/// Returns the message with its links.
pub fn message(fragments: &Fragments, row: Option<RowVersion>, message: &str) -> Fragment {
    fragments.get(row, FragmentKind::Message, || RichText::new(message))
}

/// Returns a visibility that is not public, for its icon, and its words.
pub fn visibility_words(status: &VisibleStatus) -> Option<(&'static str, &'static str)> {
    let visibility = status.visibility();
    let words = match visibility {
        Visibility::Public => return None,
        Visibility::Followers if status.is_for_followers_of_another() => {
            "Followers of the author of the conversation"
        }
        Visibility::Members | Visibility::Followers | Visibility::Group => words(visibility),
    };
    Some((visibility.as_str(), words))
}

/// The time of a status, which links to its page.
#[derive(Debug, Template)]
#[template(path = "statuses/_time_link.html")]
pub struct TimeLink {
    href: String,
    /// The address without an anchor, for parsers, if the link has one.
    url: Option<String>,
    stamp: Fragment,
    age: Age,
}

impl askama::filters::HtmlSafe for TimeLink {}

impl TimeLink {
    pub fn new(status: &VisibleStatus, stamp: Fragment, age: Age) -> Self {
        let href = permalink(status);
        let url = href.split_once('#').map(|(url, _)| url.to_owned());
        Self {
            href,
            url,
            stamp,
            age,
        }
    }
}

/// Returns the permalink of a status; for a reply with its anchor, because other posts are above
/// it.
pub fn permalink(status: &VisibleStatus) -> String {
    let path = routes::status(&status.author().login, status.id());
    match status.reply_to() {
        None => path,
        Some(_) => routes::status_on(&path, status.id()),
    }
}
