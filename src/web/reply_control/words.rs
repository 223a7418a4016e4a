//! The rules about replies and quotes in words.

use crate::{domain::Repliers, store::ReplyLimit, web::parts::prelude::*};

/// Returns the words of a choice in a form.
pub fn choice_words(repliers: Repliers) -> &'static str {
    match repliers {
        Repliers::Everyone => "Everyone",
        Repliers::Followers => "Your followers",
        Repliers::Followed => "People you follow",
        Repliers::Mentioned => "People you mention",
        Repliers::NoOne => "No one",
    }
}

/// Returns who can reply, in a sentence without a full stop: on the card of a post.
pub fn limit_words(limit: &ReplyLimit) -> String {
    let login = limit.author.as_ref().map(|author| &author.login);
    let Some(login) = login else {
        return "Replies in this conversation are limited".to_owned();
    };
    match (limit.repliers, limit.is_of_conversation) {
        (Repliers::Everyone, _) => "Everyone can reply".to_owned(),
        (Repliers::Followers, false) => "Only followers can reply".to_owned(),
        (Repliers::Followers, true) => format!("Only followers of @{login} can reply"),
        (Repliers::Followed, _) => format!("Only people that @{login} follows can reply"),
        (Repliers::Mentioned, false) => "Only mentioned people can reply".to_owned(),
        (Repliers::Mentioned, true) => {
            format!("Only people that @{login} mentioned can reply")
        }
        (Repliers::NoOne, false) => "Replies are closed".to_owned(),
        (Repliers::NoOne, true) => "Replies in this conversation are closed".to_owned(),
    }
}

/// Returns why the group of a status does not let the viewer reply.
fn group_words(status: &VisibleStatus) -> Option<&'static str> {
    let is_closed = status.group().is_none_or(|group| group.closes_replies);
    status.is_closed_by_group().then_some(match is_closed {
        true => "Replies are closed in this group",
        false => "Only members of this group can reply",
    })
}

/// The reason why the viewer has no reply form, in its place.
#[derive(Debug)]
pub struct ReplyRefusal {
    pub words: String,
    /// The profile of the person to follow, with their login, if followers can reply.
    pub to_follow: Option<(String, String)>,
}

impl ReplyRefusal {
    /// Returns `None` if the viewer may reply, also after a log-in.
    pub fn new(visit: &Visit, status: &VisibleStatus) -> Option<Self> {
        if let Some(words) = group_words(status).filter(|_| visit.me().is_some()) {
            return Some(Self {
                words: words.to_owned(),
                to_follow: None,
            });
        }
        let limit = status.reply_limit().filter(|_| !status.may_reply())?;
        let is_closed = limit.repliers == Repliers::NoOne;
        if visit.me().is_none() && !is_closed {
            return None;
        }
        let author = limit.author.as_ref();
        let author = author.filter(|_| limit.repliers == Repliers::Followers);
        Some(Self {
            words: limit_words(limit),
            to_follow: author
                .map(|author| (routes::profile(&author.login), author.login.to_string())),
        })
    }
}
