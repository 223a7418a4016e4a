//! A person in a list, and the button to follow a person or a tag.

use std::sync::Arc;

use askama::Template;

use crate::{
    domain::FoldedTag,
    store::{Person, User, ViewerRelation},
    web::{
        fragments::{Fragment, FragmentKind, Fragments},
        parts::{avatar::avatar, button_form::ButtonForm, visit::Visit},
        routes,
    },
};

use super::counts;

/// The follow button of a person or a tag.
#[derive(Debug, Template)]
#[template(path = "people/_follow_button.html")]
pub(in crate::web) struct FollowButton {
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
    pub(in crate::web) fn new(
        visit: &Visit,
        here: &str,
        user: &User,
        relation: ViewerRelation,
    ) -> Self {
        let name = user.name.clone();
        let form = |path| (path, here, name.clone());
        let offer = match visit.me() {
            None => Offer::LogIn(routes::log_in_then(routes::profile(&user.login))),
            Some(_) if relation.is_self => Offer::Nothing,
            Some(_) if relation.following => {
                Offer::unfollow(visit, form(routes::unfollow(&user.login)))
            }
            Some(_) => Offer::follow(visit, form(routes::follow(&user.login))),
        };
        Self { name, offer }
    }

    /// Creates the button of a tag.
    pub(in crate::web) fn of_tag(
        visit: &Visit,
        here: &str,
        tag: &FoldedTag,
        follows: bool,
    ) -> Self {
        let name = format!("#{tag}");
        let form = |path| (path, here, name.clone());
        let offer = match visit.me() {
            None => Offer::LogIn(routes::log_in_then(routes::tag(tag))),
            Some(_) if follows => Offer::unfollow(visit, form(routes::unfollow_tag(tag))),
            Some(_) => Offer::follow(visit, form(routes::follow_tag(tag))),
        };
        Self { name, offer }
    }
}

impl Offer {
    fn follow(visit: &Visit, (path, here, name): (String, &str, String)) -> Self {
        let label = ("Follow", name);
        Self::Form(ButtonForm::new(visit, (path, here), "follow", label))
    }

    fn unfollow(visit: &Visit, (path, here, name): (String, &str, String)) -> Self {
        let label = ("Unfollow", name);
        Self::Form(ButtonForm::new(visit, (path, here), "follow", label).secondary())
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
