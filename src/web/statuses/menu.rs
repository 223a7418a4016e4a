//! The menu "More" under a status: what is done less often than to reply, repost, favourite and bookmark.

use super::press::{PersonAction, StatusAction};
use crate::{domain::Login, web::parts::prelude::*};

#[derive(Debug, Template)]
#[template(path = "statuses/_menu.html")]
pub(super) struct Menu {
    id: StatusId,
    items: Items,
    /// The actions on a reply in the viewer's conversation, or on a quote of their post, with their labels.
    controls: Vec<(StatusAction, &'static str)>,
    /// The page to remove it from its group, for those who run the group.
    removal: Option<String>,
    /// The action that mutes or unmutes the conversation, and its label.
    conversation: (StatusAction, &'static str),
}

#[derive(Debug)]
enum Items {
    /// Of a status of the viewer.
    Own {
        /// The edit page, while editing is possible.
        edit: Option<String>,
        /// The page to change who can reply and quote.
        reply_control: String,
        /// The action that pins or unpins it, and its label.
        pin: (StatusAction, &'static str),
        /// The page to delete it.
        delete: String,
    },
    OfAnother {
        /// The profile has the form to add the author to lists.
        profile: String,
        login: Login,
        /// The form to report the status.
        report: String,
        mute: PersonAction,
        mute_label: &'static str,
        /// Another person who reposted it.
        reposter: Option<Login>,
        /// Whether the menu offers to hide the reposter's reposts: where the viewer follows them.
        hides_reposts: bool,
    },
}

impl askama::filters::HtmlSafe for Menu {}

impl Menu {
    /// Returns the menu of an entry of a timeline, or `None` for visitors.
    pub(super) fn new(visit: &Visit, entry: &VisibleStatus) -> Option<Self> {
        visit.me()?;
        let status = entry.shown();
        let conversation = match status.is_conversation_muted() {
            true => (StatusAction::UnmuteConversation, "Unmute conversation"),
            false => (StatusAction::MuteConversation, "Mute conversation"),
        };
        let (items, controls) = match status.is_own() {
            true => (Items::own(visit, status), Vec::new()),
            false => (Items::of_another(entry), controls(status)),
        };
        Some(Self {
            id: status.id(),
            items,
            controls,
            removal: None,
            conversation,
        })
    }

    /// Offers to remove it from its group, if it is by another person.
    pub(super) fn offer_removal(&mut self) {
        let is_of_another = matches!(self.items, Items::OfAnother { .. });
        self.removal = is_of_another.then(|| routes::remove_group_post(self.id));
    }

    /// Offers to hide the reposts of the person who reposted it.
    pub(super) fn offer_to_hide_reposts(&mut self) {
        if let Items::OfAnother { hides_reposts, .. } = &mut self.items {
            *hides_reposts = true;
        }
    }
}

/// Returns the actions of the viewer on a status of another person.
fn controls(status: &VisibleStatus) -> Vec<(StatusAction, &'static str)> {
    let hide = match status.is_hidden() {
        true => (StatusAction::Show, "Show reply"),
        false => (StatusAction::Hide, "Hide reply"),
    };
    let detach = (StatusAction::Detach, "Remove my post from this quote");
    let hide = status.may_hide().then_some(hide);
    let detach = status.may_detach().then_some(detach);
    hide.into_iter().chain(detach).collect()
}

impl Items {
    fn own(visit: &Visit, status: &VisibleStatus) -> Self {
        let is_editable = status.is_editable(visit.now);
        let pin = match status.is_pinned() {
            true => (StatusAction::Unpin, "Unpin from profile"),
            false => (StatusAction::Pin, "Pin to profile"),
        };
        Self::Own {
            edit: is_editable.then(|| routes::edit_status(status.id())),
            reply_control: routes::reply_control(status.id()),
            pin,
            delete: routes::delete_status(status.id()),
        }
    }

    fn of_another(entry: &VisibleStatus) -> Self {
        let status = entry.shown();
        let login = &status.author().login;
        let (mute, mute_label) = if status.is_author_muted() {
            (PersonAction::Unmute, "Unmute")
        } else {
            (PersonAction::Mute, "Mute")
        };
        let is_repost_of_another = entry.is_repost() && !entry.is_own();
        Self::OfAnother {
            profile: routes::profile(login),
            login: login.clone(),
            report: routes::report_post(status.id()),
            mute,
            mute_label,
            reposter: is_repost_of_another.then(|| entry.author().login.clone()),
            hides_reposts: false,
        }
    }
}
