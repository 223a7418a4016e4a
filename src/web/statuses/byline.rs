//! Author, time and message of a status as cached HTML, and the status's address.

use askama::Template;

use crate::{
    store::{RowVersion, UnixMs, User, VisibleStatus},
    web::{
        fragments::{Fragment, FragmentKind, Fragments},
        parts::{moment::Stamp, rich_text::RichText},
        routes,
    },
};

/// The author of a status.
#[derive(Debug, Template)]
#[template(path = "statuses/_byline.html")]
struct Byline<'a> {
    author: &'a str,
    login: &'a str,
    profile: String,
}

/// Returns the author's byline.
pub(in crate::web) fn byline(fragments: &Fragments, author: &User) -> Fragment {
    fragments.get(author.row_version, FragmentKind::Byline, || Byline {
        author: &author.name,
        login: author.login.as_str(),
        profile: routes::profile(&author.login),
    })
}

/// Returns the time without the age.
pub(in crate::web) fn stamp(
    fragments: &Fragments,
    row: Option<RowVersion>,
    posted: UnixMs,
) -> Fragment {
    fragments.get(row, FragmentKind::Time, || Stamp::of(posted))
}

/// Returns the message with its links.
pub(in crate::web) fn message(
    fragments: &Fragments,
    row: Option<RowVersion>,
    message: &str,
) -> Fragment {
    fragments.get(row, FragmentKind::Message, || RichText::new(message))
}

/// Returns the permalink of a status; for a reply with its anchor, because other posts are above
/// it.
pub(in crate::web) fn permalink(status: &VisibleStatus) -> String {
    let path = routes::status(&status.author().login, status.id());
    match status.reply_to() {
        None => path,
        Some(_) => routes::status_on(&path, status.id()),
    }
}
