//! The menu "More" under a status: what is done less often than to reply, repost, favourite and bookmark.

use crate::{domain::Login, web::parts::prelude::*};

#[derive(Debug, Template)]
#[template(path = "statuses/_menu.html")]
pub(super) struct Menu {
    items: Items,
    /// The actions on a reply in the viewer's conversation, or on a quote of their post: paths and labels.
    controls: Vec<(String, &'static str)>,
    /// The action that mutes or unmutes the conversation, and its label.
    conversation: (String, &'static str),
}

#[derive(Debug)]
enum Items {
    /// Of a status of the viewer.
    Own {
        /// The edit page, while editing is possible.
        edit: Option<String>,
        /// The page to change who can reply and quote.
        reply_control: String,
        /// The page to delete it.
        delete: String,
    },
    OfAnother {
        /// The profile has the form to add the author to lists.
        profile: String,
        login: Login,
        mute: String,
        mute_label: &'static str,
        /// The action that blocks the author at once. Its notice says what was removed, and offers to undo it.
        block: String,
        /// Another person who reposted it.
        reposter: Option<Login>,
        /// The action that hides the reposter's reposts, where the viewer follows them.
        hide_reposts: Option<String>,
    },
}

impl askama::filters::HtmlSafe for Menu {}

impl Menu {
    /// Returns the menu of an entry of a timeline, or `None` for visitors.
    pub(super) fn new(visit: &Visit, entry: &VisibleStatus) -> Option<Self> {
        visit.me()?;
        let status = entry.shown();
        let conversation = match status.is_conversation_muted() {
            true => (
                routes::unmute_conversation(status.id()),
                "Unmute conversation",
            ),
            false => (routes::mute_conversation(status.id()), "Mute conversation"),
        };
        let (items, controls) = match status.is_own() {
            true => (Items::own(visit, status), Vec::new()),
            false => (Items::of_another(entry), controls(status)),
        };
        Some(Self {
            items,
            controls,
            conversation,
        })
    }

    /// Offers to hide the reposts of the person who reposted it.
    pub(super) fn offer_to_hide_reposts(&mut self) {
        if let Items::OfAnother {
            reposter: Some(reposter),
            hide_reposts,
            ..
        } = &mut self.items
        {
            *hide_reposts = Some(routes::hide_reposts(reposter));
        }
    }
}

/// Returns the actions of the viewer on a status of another person.
fn controls(status: &VisibleStatus) -> Vec<(String, &'static str)> {
    let id = status.id();
    let hide = match status.is_hidden() {
        true => (routes::show_reply(id), "Show reply"),
        false => (routes::hide_reply(id), "Hide reply"),
    };
    let detach = (routes::detach_quote(id), "Remove my post from this quote");
    let hide = status.may_hide().then_some(hide);
    let detach = status.may_detach().then_some(detach);
    hide.into_iter().chain(detach).collect()
}

impl Items {
    fn own(visit: &Visit, status: &VisibleStatus) -> Self {
        let is_editable = status.is_editable(visit.now);
        Self::Own {
            edit: is_editable.then(|| routes::edit_status(status.id())),
            reply_control: routes::reply_control(status.id()),
            delete: routes::delete_status(status.id()),
        }
    }

    fn of_another(entry: &VisibleStatus) -> Self {
        let status = entry.shown();
        let login = &status.author().login;
        let (mute, mute_label) = if status.is_author_muted() {
            (routes::unmute(login), "Unmute")
        } else {
            (routes::mute(login), "Mute")
        };
        let is_repost_of_another = entry.is_repost() && !entry.is_own();
        Self::OfAnother {
            profile: routes::profile(login),
            login: login.clone(),
            mute,
            mute_label,
            block: routes::block(login),
            reposter: is_repost_of_another.then(|| entry.author().login.clone()),
            hide_reposts: None,
        }
    }
}
