//! A person in a list, and the button to follow a person or a tag.

use std::sync::Arc;

use super::counts;
use crate::{
    domain::FoldedTag,
    store::{Person, ViewerRelation},
    web::{
        fragments::{Fragment, FragmentKind, Fragments},
        parts::{avatar::avatar, button_form::ButtonForm, prelude::*},
        privacy::requests::AnswerForm,
        statuses::press::PersonAction,
    },
};

/// The follow button of a person or a tag.
#[derive(Debug, Template)]
#[template(path = "people/_follow_button.html")]
pub struct FollowButton {
    name: String,
    offer: Offer,
}

impl askama::filters::HtmlSafe for FollowButton {}

#[derive(Debug)]
enum Offer {
    /// The person is the viewer.
    Nothing,
    /// The log-in page for visitors.
    LogIn(String),
    Form(ButtonForm),
}

impl FollowButton {
    /// Creates the button for the page at the path `here`.
    pub fn new(visit: &Visit, here: &str, user: &User, relation: ViewerRelation) -> Self {
        let (login, name) = (&user.login, user.name.clone());
        if relation.is_self && visit.me().is_some() {
            let offer = Offer::Nothing;
            return Self { name, offer };
        }
        if user.is_private && visit.me().is_some() && !relation.following || relation.requested {
            let offer = Offer::Form(request_button(visit, here, user, relation));
            return Self { name, offer };
        }
        let follows = relation.following;
        let action = if follows {
            routes::unfollow
        } else {
            routes::follow
        };
        Self::of(
            visit,
            here,
            name,
            (routes::profile(login), action(login)),
            follows,
        )
    }

    pub fn of_tag(visit: &Visit, here: &str, tag: &FoldedTag, follows: bool) -> Self {
        let action = if follows {
            routes::unfollow_tag
        } else {
            routes::follow_tag
        };
        let name = format!("#{tag}");
        Self::of(visit, here, name, (routes::tag(tag), action(tag)), follows)
    }

    /// Creates the button that posts to `action`. For visitors it logs in and then opens `page`.
    fn of(
        visit: &Visit,
        here: &str,
        name: String,
        (page, action): (String, String),
        follows: bool,
    ) -> Self {
        let form = |label| ButtonForm::new(visit, (action, here), "follow", (label, name.clone()));
        let offer = match visit.me() {
            None => Offer::LogIn(routes::log_in_then(page)),
            Some(_) if follows => Offer::Form(form("Unfollow").secondary()),
            Some(_) => Offer::Form(form("Follow")),
        };
        Self { name, offer }
    }
}

/// Creates the button that asks to follow a private account, or withdraws the request.
fn request_button(visit: &Visit, here: &str, user: &User, relation: ViewerRelation) -> ButtonForm {
    let (login, name) = (&user.login, user.name.clone());
    let (label, path) = match relation.requested {
        true => ("Withdraw request", routes::withdraw_request(login)),
        false => ("Ask to follow", routes::follow(login)),
    };
    let button = ButtonForm::new(visit, (path, here), "follow-request", (label, name));
    match relation.requested {
        true => button.secondary(),
        false => button,
    }
}

#[derive(Debug, Template)]
#[template(path = "people/_person_row.html")]
pub struct PersonRow {
    user: Arc<User>,
    fragments: Arc<Fragments>,
    follows_you: bool,
    /// A line about the person on this page.
    remark: Option<String>,
    button: RowButton,
    /// Only the names and the button, for the column beside a timeline.
    is_compact: bool,
}

impl askama::filters::HtmlSafe for PersonRow {}

/// The acts on the person of a row.
#[derive(Debug)]
enum RowButton {
    Follow(FollowButton),
    Answer(AnswerForm),
    Link(RowLink),
    Press(PressButton),
}

/// A follow button in a form around many people.
#[derive(Debug, Template)]
#[template(path = "people/_press_button.html")]
struct PressButton {
    action: PersonAction,
    label: &'static str,
    login: String,
    name: String,
}

impl PressButton {
    fn new(person: &Person) -> Self {
        let (action, label) = match (person.relation.requested, person.user.is_private) {
            (true, _) => (PersonAction::Withdraw, "Withdraw request"),
            (false, true) => (PersonAction::AskToFollow, "Ask to follow"),
            (false, false) => (PersonAction::Follow, "Follow"),
        };
        Self {
            action,
            label,
            login: person.user.login.to_string(),
            name: person.user.name.clone(),
        }
    }

    fn is_secondary(&self) -> bool {
        self.action == PersonAction::Withdraw
    }
}

/// A link to a page about the person.
#[derive(Debug, Template)]
#[template(path = "people/_row_link.html")]
struct RowLink {
    path: String,
    label: &'static str,
    /// Words after the label, for screen readers.
    object: String,
}

impl std::fmt::Display for RowButton {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Follow(button) => button.fmt(f),
            Self::Answer(form) => form.fmt(f),
            Self::Link(link) => link.fmt(f),
            Self::Press(button) => button.fmt(f),
        }
    }
}

impl askama::filters::HtmlSafe for RowButton {}

/// The beginning of a row, which is the same for every viewer.
#[derive(Debug, Template)]
#[template(path = "people/_person_head.html")]
struct PersonHead<'a> {
    user: &'a User,
    profile: String,
    followers: String,
    avatar: Fragment,
    is_compact: bool,
}

impl PersonRow {
    /// Creates a row with the follow button, for the page at the path `here`.
    pub fn new(visit: &Visit, here: &str, person: &Person) -> Self {
        let button = FollowButton::new(visit, here, &person.user, person.relation);
        Self::of(visit, person, RowButton::Follow(button))
    }

    /// Creates a row with the answers to the request of the person.
    pub fn with_answers(visit: &Visit, person: &Person, form: AnswerForm) -> Self {
        Self::of(visit, person, RowButton::Answer(form))
    }

    /// Creates a row with another button than the follow button.
    pub fn with_button(visit: &Visit, person: &Person, form: ButtonForm) -> Self {
        let (name, offer) = (person.user.name.clone(), Offer::Form(form));
        Self::of(
            visit,
            person,
            RowButton::Follow(FollowButton { name, offer }),
        )
    }

    /// Creates a row with a link to a page: its path, its label, and words for screen readers.
    pub fn with_link(
        visit: &Visit,
        person: &Person,
        (path, label, object): (String, &'static str, String),
    ) -> Self {
        let link = RowLink {
            path,
            label,
            object,
        };
        Self::of(visit, person, RowButton::Link(link))
    }

    fn of(visit: &Visit, person: &Person, button: RowButton) -> Self {
        Self {
            user: Arc::clone(&person.user),
            fragments: Arc::clone(&visit.fragments),
            follows_you: person.relation.followed_by,
            remark: None,
            button,
            is_compact: false,
        }
    }

    /// Creates a row without note and numbers. Its button belongs to a form around the list.
    pub fn compact(visit: &Visit, person: &Person) -> Self {
        Self {
            is_compact: true,
            ..Self::of(visit, person, RowButton::Press(PressButton::new(person)))
        }
    }

    pub fn remarking(self, remark: String) -> Self {
        let remark = Some(remark);
        Self { remark, ..self }
    }

    pub fn all<'a>(
        visit: &Visit,
        here: &str,
        people: impl IntoIterator<Item = &'a Person>,
    ) -> Vec<Self> {
        let rows = people.into_iter();
        rows.map(|person| Self::new(visit, here, person)).collect()
    }

    fn head(&self) -> Fragment {
        let user = &*self.user;
        let head = || PersonHead {
            user,
            profile: routes::profile(&user.login),
            followers: counts::followers(user.followers),
            avatar: avatar(&self.fragments, user),
            is_compact: self.is_compact,
        };
        let kind = match self.is_compact {
            true => FragmentKind::CompactPersonHead,
            false => FragmentKind::PersonHead,
        };
        self.fragments.get(user.row_version, kind, head)
    }
}
