//! The reported posts, messages and groups on the page of a case.

use std::collections::BTreeMap;

use crate::{
    domain::{PostName, PostText, ReportName, ReportSubject, ReportedMessage, ReportedPost},
    store::{CaseFile, SentText, UnixMs},
    web::{
        groups::words,
        parts::{moment::Moment, prelude::*},
    },
};

/// A reported message, among the messages that its reporter sent with it.
#[derive(Debug)]
pub struct MessageReport {
    pub reporter: String,
    pub messages: Vec<MessageLine>,
}

#[derive(Debug)]
pub struct MessageLine {
    pub author: String,
    pub text: String,
    pub at: Moment,
    pub is_reported: bool,
}

/// A reported post as it was, and as it is.
#[derive(Debug)]
pub struct PostThenAndNow {
    pub then: Version,
    pub options: Vec<String>,
    pub earlier: Vec<Version>,
    /// The text now, if it is another one. `None` if it is gone.
    pub now: Option<Version>,
    pub state: &'static str,
    /// A decision hides it.
    pub is_hidden: bool,
    pub is_waiting: bool,
    /// The page with the form of a decision about it. `None` if it is gone or hidden.
    pub decide: Option<String>,
}

#[derive(Debug)]
pub struct Version {
    pub message: String,
    pub warning: Option<String>,
    pub since: Moment,
}

/// A reported group, as its reporter saw it.
#[derive(Debug)]
pub struct GroupReport {
    pub reporter: String,
    pub name: String,
    pub about: String,
    pub description: String,
    pub rules: String,
    /// Its page, if everyone finds it.
    pub path: Option<String>,
}

impl Version {
    fn new(visit: &Visit, text: &PostText) -> Self {
        Self {
            message: text.message.clone(),
            warning: text.warning.clone(),
            since: visit.moment(UnixMs(text.since_ms)),
        }
    }
}

/// Returns the reports of messages on the page.
pub fn messages(visit: &Visit, data: &CaseFile) -> Vec<MessageReport> {
    let report = |(name, text): &(ReportName, SentText)| {
        let SentText::Messages(reported) = text else {
            return None;
        };
        let line = |message: &ReportedMessage| MessageLine {
            author: data.login(message.author),
            text: message.text.clone(),
            at: visit.moment(UnixMs(message.sent_ms)),
            is_reported: message.is_reported,
        };
        Some(MessageReport {
            reporter: data.reporter(name.reporter),
            messages: reported.messages.iter().map(line).collect(),
        })
    };
    data.texts.items.iter().filter_map(report).collect()
}

/// Returns the reports of groups on the page.
pub fn groups(data: &CaseFile) -> Vec<GroupReport> {
    let report = |(name, text): &(ReportName, SentText)| {
        let (SentText::Group(group), ReportSubject::Group(id)) = (text, name.subject) else {
            return None;
        };
        let listed = data.groups.iter().find(|group| group.id == id);
        Some(GroupReport {
            reporter: data.reporter(name.reporter),
            name: group.name.clone(),
            about: format!(
                "{} · {} · Owned by {}",
                words::kind_of(group.kind, group.is_unlisted),
                words::members(group.members),
                data.login(group.owner)
            ),
            description: group.description.clone(),
            rules: group.rules.clone(),
            path: listed.map(|group| routes::group(&group.slug)),
        })
    };
    data.texts.items.iter().filter_map(report).collect()
}

/// Returns the reported posts on the page, with their texts now.
pub fn posts_then_and_now(visit: &Visit, data: &CaseFile) -> Vec<PostThenAndNow> {
    let now: BTreeMap<StatusId, &VisibleStatus> =
        data.statuses.iter().map(|one| (one.id(), one)).collect();
    let line = |(name, post): &(PostName, ReportedPost)| {
        let status = now.get(&name.status);
        let is_hidden = status.is_some_and(|status| status.is_hidden_by_moderators());
        let is_edited = status.is_some_and(|status| status.revision() != name.revision);
        PostThenAndNow {
            then: Version::new(visit, &post.text),
            options: post.options.clone(),
            earlier: post
                .versions
                .iter()
                .map(|version| Version::new(visit, version))
                .collect(),
            now: status.filter(|_| is_edited).map(|status| Version {
                message: status.message().to_owned(),
                warning: status.own_warning().map(str::to_owned),
                since: visit.moment(status.edited().unwrap_or(status.posted())),
            }),
            state: match (status, is_edited) {
                (None, _) => "The post was deleted.",
                (Some(_), true) => "The post was edited after the report. Now it says:",
                (Some(_), false) => "The post is unchanged.",
            },
            is_hidden,
            is_waiting: !is_hidden && status.is_some_and(|status| status.is_waiting()),
            decide: status
                .filter(|_| !is_hidden)
                .map(|status| routes::decide_about_post(&data.user.login, status.id())),
        }
    };
    data.posts.items.iter().map(line).collect()
}

/// Returns the links to further reported posts, if one page does not show all. The link to the newest ones has a cursor,
/// because a page without one begins with the post of a form that waited for the log-in.
pub fn posts_pager(data: &CaseFile) -> Option<Pager> {
    let newest = Cursor::before(u64::MAX);
    let (before, next) = (data.before.filter(|at| *at != newest), data.posts.next);
    let here = routes::admin_case(&data.user.login);
    let mut pager = Pager::new(&here, before, next);
    pager.newest = before.map(|_| routes::older(&here, newest));
    (before.is_some() || next.is_some()).then_some(pager)
}

/// Returns the links to further reports of messages and groups, if one page does not show all.
pub fn texts_pager(data: &CaseFile) -> Option<Pager> {
    let (before, next, login) = (data.before_texts, data.texts.next, &data.user.login);
    let older = next.map(|next| routes::older_reported_texts(login, next));
    let pager = Pager::new(&routes::admin_case(login), before, None);
    let mut pager = pager.ending_with("No more messages and groups.");
    pager.older = older;
    (before.is_some() || next.is_some()).then_some(pager)
}
