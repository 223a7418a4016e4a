//! A person's profile and posts.

use super::{counts::Counts, person_row::FollowButton};
use crate::{
    domain::{AuthorPreference, Login, Mute, ProfileView},
    store::{Edge, ListMembership, ViewerRelation},
    web::{
        author_preferences::view::PreferenceForm,
        blocks::view::BlockForm,
        homes::side::OwnLinks,
        lists::members::view::AddToList,
        mutes::view::{MuteForm, unmute_button, until},
        parts::{avatar::Avatar, button_form::ButtonForm, moment, prelude::*, rich_text::RichText},
        statuses::feed::Feed,
    },
};

#[derive(Debug, Template)]
#[template(path = "people/profile.html")]
pub struct ProfilePage {
    layout: Layout,
    name: String,
    login: String,
    path: String,
    bio: RichText,
    joined: String,
    /// The inviter, for those who run the site.
    inviter: Option<Login>,
    counts: Counts,
    relation: ViewerRelation,
    avatar: Avatar,
    own_links: OwnLinks,
    button: FollowButton,
    /// The form of a message to the person, for other members.
    message: Option<String>,
    /// The form to see more or less of a followed person.
    preference: Option<PreferenceForm>,
    /// What the viewer can do besides following.
    buttons: Vec<ButtonForm>,
    /// The form to mute the person, unless they are muted.
    mute_form: Option<MuteForm>,
    block_form: Option<BlockForm>,
    /// The form that reports the person.
    report: Option<String>,
    /// The end of the mute, in words.
    muted: Option<String>,
    /// The reader's lists, if the reader is a member.
    add_to_list: Option<AddToList>,
    /// The view: posts only, or with replies.
    view: ProfileView,
    replies_path: String,
    feed: Feed,
    first: bool,
    /// The account is private.
    is_private: bool,
    /// The account is private, and the viewer does not follow it.
    is_hidden: bool,
    /// The other view contains statuses although this one does not.
    only_replies: bool,
}

/// What the viewer has chosen about a person.
pub struct ViewerChoices {
    pub relation: ViewerRelation,
    pub mute: Option<Mute>,
    pub edge: Edge,
    pub preference: AuthorPreference,
}

impl ProfilePage {
    /// Creates the page of a view of a person's statuses that began at `before`. `lists` are the
    /// reader's lists, each with whether the person is on it.
    pub fn new(
        visit: &Visit,
        (user, view): (&User, ProfileView),
        choices: ViewerChoices,
        lists: &[ListMembership],
        before: Option<Cursor>,
        page: &Page<VisibleStatus>,
    ) -> Self {
        let ViewerChoices {
            relation,
            mute,
            edge,
            preference,
        } = choices;
        let path = routes::profile(&user.login);
        let replies_path = routes::replies(&user.login);
        let view_path = match view {
            ProfileView::Posts => &path,
            ProfileView::PostsAndReplies => &replies_path,
        };
        let here = routes::page(view_path, before);
        let title = format!("{} (@{})", user.name, user.login);
        let layout = Layout {
            canonical: Some(here.clone()),
            ..Layout::new(visit, section_of(visit, user.id), title)
        };
        let layout = layout.described(format!("Posts by {} on {}.", user.name, visit.site.name));
        Self {
            layout,
            name: user.name.clone(),
            login: user.login.to_string(),
            bio: RichText::new(&user.bio),
            joined: moment::month(user.signup),
            inviter: None,
            counts: if relation.is_self {
                Counts::new(user).live()
            } else {
                Counts::new(user)
            },
            relation,
            avatar: Avatar::new(&user.login, &user.name),
            own_links: OwnLinks,
            button: FollowButton::new(visit, &here, user, relation),
            message: (visit.me().is_some() && !relation.is_self)
                .then(|| routes::message_to(&user.login)),
            preference: relation
                .following
                .then(|| PreferenceForm::new(visit, &here, user, preference)),
            buttons: reposts_button(visit, &here, user, edge)
                .into_iter()
                .chain(mute.map(|_| unmute_button(visit, &here, user)))
                .collect(),
            mute_form: (mute.is_none() && visit.me().is_some() && !relation.is_self)
                .then(|| MuteForm::new(visit, &here, user)),
            block_form: (visit.me().is_some() && !relation.is_self)
                .then(|| BlockForm::new(visit, user)),
            report: (visit.me().is_some() && !relation.is_self)
                .then(|| routes::report_person(&user.login)),
            muted: mute.map(|mute| until(visit, mute, "them")),
            add_to_list: visit
                .me()
                .map(|_| AddToList::new(visit, &here, &user.login, lists)),
            feed: Feed::new(
                visit,
                format!("{} by {}", Self::view_name(view), user.name),
                view_path,
                before,
                page,
            )
            .by(user),
            first: before.is_none(),
            is_private: user.is_private,
            is_hidden: !relation.may_see_account(user),
            only_replies: view == ProfileView::Posts && user.posts > 0,
            view,
            path,
            replies_path,
        }
    }

    pub fn with_inviter(self, inviter: Option<Login>) -> Self {
        Self { inviter, ..self }
    }

    fn view_name(view: ProfileView) -> &'static str {
        match view {
            ProfileView::Posts => "Posts",
            ProfileView::PostsAndReplies => "Posts and replies",
        }
    }
}

fn reposts_button(visit: &Visit, here: &str, user: &User, edge: Edge) -> Option<ButtonForm> {
    let (label, path) = match edge {
        Edge::None | Edge::Requested => return None,
        Edge::Follows => ("Hide reposts", routes::hide_reposts(&user.login)),
        Edge::WithoutReposts => ("Show reposts", routes::show_reposts(&user.login)),
    };
    let label = (label, format!("by {} on your home", user.name));
    Some(ButtonForm::new(visit, (path, here), "hide-reposts", label).secondary())
}
