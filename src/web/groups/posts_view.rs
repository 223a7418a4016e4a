//! The posts of a group on its page and in its feed, and the form that removes one.

use std::sync::Arc;

use crate::{
    domain::{GroupActNote, GroupReaders, IdempotencyKey, StatusId},
    store::{Group, SeenGroup},
    web::{
        parts::prelude::*,
        statuses::{
            compose::{ComposeForm, DraftTyped},
            feed::Feed,
            status_card::StatusCard,
            view::excerpt,
        },
    },
};

/// The part of the page of a group with its posts.
#[derive(Debug)]
pub struct GroupPosts {
    /// The composer, for those who post there.
    pub compose: Option<ComposeForm>,
    pub feed: Feed,
    pub is_first: bool,
}

impl GroupPosts {
    pub fn new(
        visit: &Visit,
        seen: &SeenGroup,
        before: Option<Cursor>,
        page: &Page<VisibleStatus>,
    ) -> Self {
        let group = &seen.group;
        let path = routes::group(&group.slug);
        let name = format!("Posts in {}", group.name);
        let feed = Feed::new(visit, name, &path, before, page);
        let may_post = before.is_none() && seen.may_post(visit.now);
        let compose = || {
            ComposeForm::with_draft(visit, IdempotencyKey::draw(), DraftTyped::default())
                .posting_in(Arc::clone(group))
        };
        Self {
            compose: may_post.then(compose),
            feed,
            is_first: before.is_none(),
        }
    }
}

/// Returns whether a group has a feed: everyone finds and reads it.
pub fn has_feed(group: &Group) -> bool {
    group.is_listed() && group.readable_by == GroupReaders::Everyone
}

/// The Atom feed of a group.
#[derive(Debug, Template)]
#[template(path = "groups/feed.xml")]
pub struct AtomFeed {
    origin: Arc<str>,
    name: String,
    description: String,
    page: String,
    path: String,
    /// The time of the newest post, or of the founding.
    updated: String,
    entries: Vec<AtomEntry>,
}

#[derive(Debug)]
struct AtomEntry {
    path: String,
    title: String,
    author: String,
    profile: String,
    published: String,
    updated: String,
    text: String,
}

impl AtomFeed {
    pub fn new(visit: &Visit, group: &Group, page: &Page<VisibleStatus>) -> Self {
        let newest = page.items.first().map(VisibleStatus::posted);
        Self {
            origin: Arc::clone(&visit.origin),
            name: group.name.clone(),
            description: group.description.clone(),
            page: routes::group(&group.slug),
            path: routes::group_feed(&group.slug),
            updated: visit.moment(newest.unwrap_or(group.founded)).datetime,
            entries: page
                .items
                .iter()
                .map(|status| AtomEntry::new(visit, status))
                .collect(),
        }
    }
}

impl AtomEntry {
    fn new(visit: &Visit, status: &VisibleStatus) -> Self {
        let author = status.author();
        Self {
            path: routes::status(&author.login, status.id()),
            title: excerpt(status.opening()),
            author: author.name.clone(),
            profile: routes::profile(&author.login),
            published: visit.moment(status.posted()).datetime,
            updated: visit
                .moment(status.edited().unwrap_or(status.posted()))
                .datetime,
            text: match status.warning() {
                Some(warning) => warning.to_owned(),
                None => status.message().to_owned(),
            },
        }
    }
}

/// The form that removes a post from its group.
#[derive(Debug, Template)]
#[template(path = "groups/_removal_form.html")]
pub struct RemovalForm {
    csrf_token: String,
    action: String,
    note: Field,
}

impl askama::filters::HtmlSafe for RemovalForm {}

impl RemovalForm {
    pub fn new(visit: &Visit, id: StatusId, note: Typed) -> Self {
        const { assert!(GroupActNote::MAX_CHARACTERS == 500, "the hint says so") }
        Self {
            csrf_token: visit.csrf_token.clone(),
            action: routes::remove_group_post(id),
            note: Field::new(Kind::Paragraph, "note", "Note to the author", note)
                .with_hint("Optional, up to 500 characters and 1,000 bytes. The author reads it with the notice. So do the other moderators, in the log."),
        }
    }
}

/// The page that asks before a post is removed from its group.
#[derive(Debug, Template)]
#[template(path = "groups/remove_post.html")]
pub struct RemovalPage {
    layout: Layout,
    status: StatusCard,
    form: RemovalForm,
}

impl RemovalPage {
    pub fn new(visit: &Visit, status: &VisibleStatus, form: RemovalForm) -> Self {
        let layout = Layout::new(visit, Section::Groups, "Remove this post from the group?");
        Self {
            layout: layout.wrong_if(form.note.typed.error.is_some()),
            status: StatusCard::new(visit, status).only_to_read(),
            form,
        }
    }
}
