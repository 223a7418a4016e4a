//! A person in a list, and the button to follow a person or a tag.

use std::sync::Arc;

use askama::Template;

use crate::{
    domain::FoldedTag,
    store::{Person, User, ViewerRelation},
    web::{
        fragments::{Fragment, FragmentKind, Fragments},
        parts::{avatar::avatar, visit::Visit},
        routes,
    },
};

use super::counts;

/// The follow button of a person or a tag.
#[derive(Debug, Template)]
#[template(path = "people/_follow_button.html")]
pub(in crate::web) struct FollowButton {
    csrf_token: String,
    /// The page of the button, to return to.
    here: String,
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
    /// The form's action.
    Follow(String),
    Unfollow(String),
}

impl FollowButton {
    /// Creates the button for the page at the path `here`.
    pub(in crate::web) fn new(
        visit: &Visit,
        here: &str,
        user: &User,
        relation: ViewerRelation,
    ) -> Self {
        let offer = match visit.me() {
            None => Offer::LogIn(routes::log_in_then(routes::profile(&user.login))),
            Some(_) if relation.is_self => Offer::Nothing,
            Some(_) if relation.following => Offer::Unfollow(routes::unfollow(&user.login)),
            Some(_) => Offer::Follow(routes::follow(&user.login)),
        };
        Self {
            csrf_token: visit.csrf_token.clone(),
            here: here.to_owned(),
            name: user.name.clone(),
            offer,
        }
    }

    /// Creates the button of a tag.
    pub(in crate::web) fn of_tag(
        visit: &Visit,
        here: &str,
        tag: &FoldedTag,
        follows: bool,
    ) -> Self {
        let offer = match visit.me() {
            None => Offer::LogIn(routes::log_in_then(routes::tag(tag))),
            Some(_) if follows => Offer::Unfollow(routes::unfollow_tag(tag)),
            Some(_) => Offer::Follow(routes::follow_tag(tag)),
        };
        Self {
            csrf_token: visit.csrf_token.clone(),
            here: here.to_owned(),
            name: format!("#{tag}"),
            offer,
        }
    }
}

#[derive(Debug, Template)]
#[template(path = "people/_person_row.html")]
pub(in crate::web) struct PersonRow {
    user: Arc<User>,
    fragments: Arc<Fragments>,
    follows_you: bool,
    button: FollowButton,
}

impl askama::filters::HtmlSafe for PersonRow {}

/// The beginning of a row, which is the same for every viewer.
#[derive(Debug, Template)]
#[template(path = "people/_person_head.html")]
struct PersonHead<'a> {
    user: &'a User,
    profile: String,
    followers: String,
    avatar: Fragment,
}

impl PersonRow {
    /// Creates the row for the page at the path `here`.
    pub(in crate::web) fn new(visit: &Visit, here: &str, person: &Person) -> Self {
        let Person { user, relation } = person;
        Self {
            user: Arc::clone(user),
            fragments: Arc::clone(&visit.fragments),
            follows_you: relation.followed_by,
            button: FollowButton::new(visit, here, user, *relation),
        }
    }

    fn head(&self) -> Fragment {
        let user = &*self.user;
        let head = || PersonHead {
            user,
            profile: routes::profile(&user.login),
            followers: counts::followers(user.followers),
            avatar: avatar(&self.fragments, user),
        };
        self.fragments
            .get(user.row_version, FragmentKind::PersonHead, head)
    }
}
