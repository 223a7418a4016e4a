//! A person's profile and posts.

use super::{counts::Counts, person_row::FollowButton, profile_menu::ProfileMenu};
use crate::{
    domain::{AuthorPreference, Login, Mute, ProfileView},
    store::{
        AccountPage, Edge, ListMembership, ShownInviter, UnixMs, Viewer, ViewerRelation,
        may_see_favourites,
    },
    web::{
        homes::side::OwnLinks,
        mutes::view::until,
        parts::{avatar::Avatar, button_form::ButtonForm, moment, prelude::*, rich_text::RichText},
        statuses::feed::Feed,
    },
};

/// A tab of a profile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tab {
    Statuses(ProfileView),
    Favourites,
}

impl Tab {
    const ALL: [Self; 3] = [
        Self::Statuses(ProfileView::Posts),
        Self::Statuses(ProfileView::PostsAndReplies),
        Self::Favourites,
    ];

    fn name(self) -> &'static str {
        match self {
            Self::Statuses(ProfileView::Posts) => "Posts",
            Self::Statuses(ProfileView::PostsAndReplies) => "Replies",
            Self::Favourites => "Favourites",
        }
    }

    fn path(self, login: &Login) -> String {
        match self {
            Self::Statuses(ProfileView::Posts) => routes::profile(login),
            Self::Statuses(ProfileView::PostsAndReplies) => routes::replies(login),
            Self::Favourites => routes::favourites_of(login),
        }
    }
}

/// The link to a tab.
#[derive(Debug)]
struct TabLink {
    name: &'static str,
    path: String,
    is_current: bool,
}

#[derive(Debug, Template)]
#[template(path = "people/profile.html")]
pub struct ProfilePage {
    layout: Layout,
    name: String,
    login: String,
    path: String,
    bio: RichText,
    joined: String,
    /// The inviter, if the viewer may know them.
    inviter: Option<ShownInviter>,
    /// The limits of a new account, for those who may end them.
    newcomer: Option<Newcomer>,
    counts: Counts,
    relation: ViewerRelation,
    avatar: Avatar,
    own_links: OwnLinks,
    button: FollowButton,
    /// What the viewer can do besides following, for members.
    menu: Option<ProfileMenu>,
    /// The end of the mute, in words.
    muted: Option<String>,
    tab: Tab,
    tabs: Vec<TabLink>,
    /// Who sees the tab of favourites, for the person.
    favourites_note: Option<&'static str>,
    replies_path: String,
    feed: Feed,
    first: bool,
    /// The account is private.
    is_private: bool,
    is_limited: bool,
    /// Only followers see the posts, and the viewer is none.
    is_hidden: bool,
    /// The other view contains statuses although this one does not.
    only_replies: bool,
}

/// The end of the limits of a new account, and the button that ends them at once.
#[derive(Debug)]
struct Newcomer {
    until: String,
    button: ButtonForm,
}

/// The choices of the viewer about a person.
pub struct ViewerChoices {
    pub relation: ViewerRelation,
    pub mute: Option<Mute>,
    pub edge: Edge,
    pub preference: AuthorPreference,
}

impl ProfilePage {
    /// Creates the page of a tab that began at `before`. `lists` are the reader's lists, each with whether the person
    /// is on it.
    pub fn new(
        visit: &Visit,
        (user, tab): (&User, Tab),
        choices: ViewerChoices,
        lists: &[ListMembership],
        before: Option<Cursor>,
        page: &AccountPage,
    ) -> Self {
        let ViewerChoices { relation, mute, .. } = choices;
        let path = routes::profile(&user.login);
        let tab_path = tab.path(&user.login);
        let here = routes::page(&tab_path, before);
        let title = format!("{} (@{})", user.name, user.login);
        let layout = Layout {
            canonical: Some(here.clone()),
            ..Layout::new(visit, section_of(visit, user.id), title)
        };
        let layout = layout.described(format!("Posts by {} on {}.", user.name, visit.site.name));
        let note = match user.shows_favourites {
            true => "Others see this tab.",
            false => "Only you see this tab.",
        };
        Self {
            layout,
            name: user.name.clone(),
            login: user.login.to_string(),
            bio: RichText::new(&user.bio),
            joined: moment::month(user.signup),
            inviter: None,
            newcomer: None,
            counts: if relation.is_self {
                Counts::new(user).live()
            } else {
                Counts::new(user)
            },
            relation,
            avatar: Avatar::new(user.id, &user.name),
            own_links: OwnLinks,
            button: FollowButton::new(visit, &here, user, relation),
            menu: ProfileMenu::new(visit, &here, user, &choices, lists),
            muted: mute.map(|mute| until(visit, mute, "them")),
            feed: feed(visit, (user, tab), before, page),
            first: before.is_none(),
            is_private: user.is_private,
            is_limited: user.is_limited,
            is_hidden: !relation.may_see_account(user),
            only_replies: tab == Tab::Statuses(ProfileView::Posts) && user.posts > 0,
            favourites_note: (relation.is_self && tab == Tab::Favourites).then_some(note),
            tab,
            tabs: tab_links(visit, user, tab),
            path,
            replies_path: routes::replies(&user.login),
        }
    }

    pub fn with_inviter(self, inviter: Option<ShownInviter>) -> Self {
        Self { inviter, ..self }
    }

    /// Shows the end of the limits of a new account to a viewer who may vouch.
    pub fn with_newcomer(self, visit: &Visit, until: Option<UnixMs>) -> Self {
        let login = Login::stored(&self.login);
        let newcomer = login.zip(until).map(|(login, until)| Newcomer {
            until: moment::full(until, &visit.zone),
            button: ButtonForm::new(
                visit,
                (routes::vouch(&login), &self.path),
                "vouch",
                ("Vouch", format!("for @{login}")),
            )
            .secondary(),
        });
        Self { newcomer, ..self }
    }
}

/// Returns the statuses of a tab. Those of favourites have several authors.
fn feed(
    visit: &Visit,
    (user, tab): (&User, Tab),
    before: Option<Cursor>,
    page: &AccountPage,
) -> Feed {
    let name = match tab {
        Tab::Statuses(ProfileView::Posts) => format!("Posts by {}", user.name),
        Tab::Statuses(ProfileView::PostsAndReplies) => {
            format!("Posts and replies by {}", user.name)
        }
        Tab::Favourites => format!("Favourites of {}", user.name),
    };
    let path = tab.path(&user.login);
    let feed = Feed::new(visit, name, &path, before, &page.statuses);
    match tab {
        Tab::Statuses(_) => feed.below_pinned(visit, &page.pinned).by(user),
        Tab::Favourites => feed,
    }
}

fn tab_links(visit: &Visit, user: &User, current: Tab) -> Vec<TabLink> {
    let viewer = visit
        .me()
        .map_or(Viewer::Anonymous, |me| Viewer::Member(me.id));
    let has = |tab: &Tab| *tab != Tab::Favourites || may_see_favourites(viewer, user);
    let link = |tab: Tab| TabLink {
        name: tab.name(),
        path: tab.path(&user.login),
        is_current: tab == current,
    };
    Tab::ALL.into_iter().filter(has).map(link).collect()
}
