//! The menu of a status, with the less common actions. It has its own page. The script loads
//! this page and shows the menu in the card.

use super::{
    action_form::ActionForm,
    press::{PersonAction, StatusAction},
    status_card::StatusCard,
};
use crate::{
    domain::{HomeFilter, Login},
    store::{self, Edge, ReplyTo},
    web::{
        addresses::Below,
        parts::{count_unless_zero, prelude::*},
        prelude::*,
    },
};

#[derive(Debug, Template)]
#[template(path = "statuses/menu.html")]
struct MenuPage {
    layout: Layout,
    status: StatusCard,
    action_form: ActionForm,
    menu: Menu,
}

#[derive(Debug, Template)]
#[template(path = "statuses/_menu.html")]
struct Menu {
    id: StatusId,
    /// The page to quote it.
    quote: Option<String>,
    /// The number of quotes; empty for zero.
    quotes: String,
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
        /// The action on the reposts of a followed person, its label, and the person.
        reposts: Option<(PersonAction, &'static str, Login)>,
    },
}

impl askama::filters::HtmlSafe for Menu {}

/// Further actions of the viewer.
#[derive(Debug, Clone, Copy)]
struct Powers {
    removes_from_group: bool,
    /// The action on the reposts of the author of the entry and its label, if the viewer follows that person.
    reposts: Option<(PersonAction, &'static str)>,
}

pub async fn show(
    app: Data<AppState>,
    me: CurrentUser,
    Numbered(id): Numbered,
    Below(below): Below,
) -> Result<HttpResponse> {
    let viewer = Viewer::Member(me.id);
    let entry = app.store.status(viewer, id).await?.ok_or(Error::NotFound)?;
    let (removes_from_group, reposts) = try_join!(
        app.store.may_remove_from_group(viewer, entry.shown()),
        action_on_reposts(&app, me.id, &entry)
    )?;
    let powers = Powers {
        removes_from_group,
        reposts,
    };
    let next = me.visitor.came_from();
    let next = next.map(|page| place(page, below, &entry));
    let menu = MenuPage::new(&me.visitor.visit(), &entry, powers, next);
    page(&menu.ok_or(Error::LoggedOut)?)
}

/// Returns the place on a page at which the person goes on reading after a press: at the post, or at another one if the
/// post leaves the page without a trace of its place.
fn place(page: LocalPath, below: Option<StatusId>, entry: &VisibleStatus) -> LocalPath {
    let parent = match entry.reply_to() {
        Some(ReplyTo::Status(parent, _)) if entry.is_own() && is_conversation(&page) => {
            Some(*parent)
        }
        _ => None,
    };
    let place = parent.or(below);
    let placed = routes::status_on(page.as_str(), place.unwrap_or(entry.id()));
    LocalPath::parse(&placed).unwrap_or(page)
}

/// Returns whether a page shows a post with its replies.
fn is_conversation(page: &LocalPath) -> bool {
    let mut parts = page.without_query().split('/').skip(1);
    let is_of_person = parts.next().is_some_and(|part| part.starts_with('@'));
    let is_of_status = parts
        .next()
        .is_some_and(|id| id.parse::<StatusId>().is_ok());
    is_of_person && is_of_status && parts.next().is_none()
}

/// Returns the action on the reposts of the person who posted or reposted the entry, and its label. `None` if the viewer
/// does not follow that person.
async fn action_on_reposts(
    app: &AppState,
    me: UserId,
    entry: &VisibleStatus,
) -> store::Result<Option<(PersonAction, &'static str)>> {
    if entry.is_own() {
        return Ok(None);
    }
    let edge = app.store.edge(me, entry.author().id).await?;
    Ok(match edge {
        Edge::Follows(filters) if filters.contains(HomeFilter::HiddenReposts) => {
            Some((PersonAction::ShowReposts, "Show"))
        }
        Edge::Follows(_) => Some((PersonAction::HideReposts, "Hide")),
        Edge::Requested | Edge::None => None,
    })
}

impl MenuPage {
    /// Creates the page of a member. A press of a button returns to the page at `next`.
    fn new(
        visit: &Visit,
        entry: &VisibleStatus,
        powers: Powers,
        next: Option<LocalPath>,
    ) -> Option<Self> {
        let card = StatusCard::new(visit, entry.shown()).only_to_read();
        let next = next.map_or_else(|| card.permalink(), |next| next.to_string());
        ActionForm::new(visit, &next).map(|form| Self {
            layout: Layout::new(visit, Section::Elsewhere, "More actions"),
            action_form: form.without_fields(),
            menu: Menu::new(visit, entry, powers, &next),
            status: card,
        })
    }
}

impl Menu {
    fn new(visit: &Visit, entry: &VisibleStatus, powers: Powers, next: &str) -> Self {
        let status = entry.shown();
        let conversation = match status.is_conversation_muted() {
            true => (StatusAction::UnmuteConversation, "Unmute conversation"),
            false => (StatusAction::MuteConversation, "Mute conversation"),
        };
        let (items, controls) = match status.is_own() {
            true => (Items::own(visit, status, next), Vec::new()),
            false => (Items::of_another(entry, powers), controls(status)),
        };
        let may_quote = status.widest_quote().is_some();
        Self {
            id: status.id(),
            quote: may_quote.then(|| routes::quote(status.id())),
            quotes: count_unless_zero(status.quote_count()),
            items,
            controls,
            removal: powers
                .removes_from_group
                .then(|| routes::remove_group_post(status.id())),
            conversation,
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
    fn own(visit: &Visit, status: &VisibleStatus, next: &str) -> Self {
        let is_editable = status.is_editable(visit.now);
        let pin = match status.is_pinned() {
            true => (StatusAction::Unpin, "Unpin from profile"),
            false => (StatusAction::Pin, "Pin to profile"),
        };
        Self::Own {
            edit: is_editable.then(|| routes::edit_status(status.id())),
            reply_control: routes::reply_control(status.id()),
            pin,
            delete: routes::delete_status_then(status.id(), next),
        }
    }

    fn of_another(entry: &VisibleStatus, powers: Powers) -> Self {
        let reposter = || entry.author().login.clone();
        let reposts = powers.reposts;
        let reposts = reposts.map(|(action, label)| (action, label, reposter()));
        let status = entry.shown();
        let login = &status.author().login;
        let (mute, mute_label) = if status.is_author_muted() {
            (PersonAction::Unmute, "Unmute")
        } else {
            (PersonAction::Mute, "Mute")
        };
        Self::OfAnother {
            profile: routes::profile(login),
            login: login.clone(),
            report: routes::report_post(status.id()),
            mute,
            mute_label,
            reposts,
        }
    }
}
