//! The text of a status as HTML for other programs and for `index.html`: escaped, with full addresses.

use askama::Template;
use url::Url;

use super::documents::Moment;
use crate::{
    domain::{FoldedTag, Login, Segment, UnixMs, segments},
    store::{Original, ReplyTo, User, VisibleStatus},
    web::routes,
};

/// Returns a text as HTML.
pub fn content_of(text: &str, site: &Url) -> String {
    let content = Content { text, site };
    content.render().unwrap_or_default()
}

#[derive(Debug, Template)]
#[template(path = "export/_content.html")]
struct Content<'a> {
    text: &'a str,
    site: &'a Url,
}

impl askama::filters::HtmlSafe for Content<'_> {}

impl Content<'_> {
    fn segments(&self) -> Vec<Segment<'_>> {
        segments(self.text)
    }

    fn address(&self, path: &str) -> String {
        self.site
            .join(path)
            .map_or_else(|_| path.to_owned(), String::from)
    }

    fn profile(&self, login: &Login) -> String {
        self.address(&routes::profile(login))
    }

    fn tag(&self, tag: &FoldedTag) -> String {
        self.address(&routes::tag(tag))
    }
}

/// The beginning of `index.html`, before the statuses.
#[derive(Debug, Template)]
#[template(path = "export/index_head.html")]
pub struct IndexHead<'a> {
    name: &'a str,
    login: &'a Login,
    bio: Content<'a>,
    address: String,
    made: Moment,
    posts: usize,
    likes: usize,
    bookmarks: usize,
    messages: usize,
}

/// Number of entries of each part of an archive.
#[derive(Debug, Clone, Copy, Default)]
pub struct Totals {
    pub posts: usize,
    pub likes: usize,
    pub bookmarks: usize,
    pub messages: usize,
}

impl<'a> IndexHead<'a> {
    pub fn new(user: &'a User, site: &'a Url, made: UnixMs, totals: Totals) -> Self {
        let bio = Content {
            text: &user.bio,
            site,
        };
        Self {
            name: &user.name,
            login: &user.login,
            address: bio.profile(&user.login),
            bio,
            made: Moment::new(made),
            posts: totals.posts,
            likes: totals.likes,
            bookmarks: totals.bookmarks,
            messages: totals.messages,
        }
    }
}

/// A status in `index.html`.
#[derive(Debug, Template)]
#[template(path = "export/_status.html")]
pub struct IndexStatus<'a> {
    id: u64,
    address: String,
    posted: Moment,
    is_edited: bool,
    /// The author of the original of a repost.
    repost_of: Option<&'a Login>,
    /// The address of the status that it replies to, and its author.
    reply_to: Option<(String, &'a Login)>,
    warning: Option<&'a str>,
    content: Content<'a>,
    options: Vec<(&'a str, u64)>,
    /// The address of the quoted status.
    quoted: Option<String>,
}

impl<'a> IndexStatus<'a> {
    pub fn new(status: &'a VisibleStatus, site: &'a Url) -> Self {
        let shown = status.shown();
        let content = Content {
            text: shown.message(),
            site,
        };
        let address = |login: &Login, id| content.address(&routes::status(login, id));
        Self {
            id: status.id().get(),
            address: address(&shown.author().login, shown.id()),
            posted: Moment::new(status.posted()),
            is_edited: shown.edited().is_some(),
            repost_of: status.is_repost().then_some(&shown.author().login),
            reply_to: match shown.reply_to() {
                Some(ReplyTo::Status(id, author)) => {
                    Some((address(&author.login, *id), &author.login))
                }
                Some(ReplyTo::Gap) | None => None,
            },
            // As in `outbox.json`: the archive has the texts of its person.
            warning: match shown.is_own() {
                true => shown.own_warning(),
                false => shown.warning(),
            },
            // The results of the polls of others may still be hidden from the person.
            options: shown.poll().filter(|_| shown.is_own()).map_or_else(
                Vec::new,
                |(poll, tally)| {
                    let options = poll.options().iter().map(|option| option.as_str());
                    options.zip(tally.votes.iter().copied()).collect()
                },
            ),
            quoted: match shown.quoted() {
                Some(Original::Status(quoted)) => {
                    Some(address(&quoted.author().login, quoted.id()))
                }
                _ => None,
            },
            content,
        }
    }
}
