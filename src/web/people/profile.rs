//! A person's profile and posts.

use askama::Template;

use crate::{
    domain::{AuthorPreference, Cursor, Page, ProfileView},
    store::{Edge, ListMembership, User, ViewerRelation, VisibleStatus},
    web::{
        author_preferences::view::PreferenceForm,
        homes::side::OwnLinks,
        lists::members::view::AddToList,
        parts::{
            avatar::Avatar,
            button_form::ButtonForm,
            layout::{Layout, section_of},
            moment,
            rich_text::RichText,
            visit::Visit,
        },
        routes,
        statuses::feed::Feed,
    },
};

use super::{counts::Counts, person_row::FollowButton};

#[derive(Debug, Template)]
#[template(path = "people/profile.html")]
pub struct ProfilePage {
    layout: Layout,
    name: String,
    login: String,
    path: String,
    bio: RichText,
    joined: String,
    counts: Counts,
    relation: ViewerRelation,
    avatar: Avatar,
    own_links: OwnLinks,
    button: FollowButton,
    /// The form to see more or less of a followed person.
    preference: Option<PreferenceForm>,
    /// What the viewer can do besides following.
    buttons: Vec<ButtonForm>,
    /// The reader's lists, if the reader is a member.
    add_to_list: Option<AddToList>,
    /// The view: posts only, or with replies.
    view: ProfileView,
    replies_path: String,
    feed: Feed,
    first: bool,
    /// The other view contains statuses although this one does not.
    only_replies: bool,
}

impl ProfilePage {
    /// Creates the page of a view of a person's statuses that began at `before`. `lists` are the
    /// reader's lists, each with whether the person is on it.
    #[must_use]
    pub fn new(
        visit: &Visit,
        (user, view): (&User, ProfileView),
        (relation, edge, preference): (ViewerRelation, Edge, AuthorPreference),
        lists: &[ListMembership],
        before: Option<Cursor>,
        page: &Page<VisibleStatus>,
    ) -> Self {
        let path = routes::profile(&user.login);
        let replies_path = routes::replies(&user.login);
        let view_path = match view {
            ProfileView::Posts => &path,
            ProfileView::PostsAndReplies => &replies_path,
        };
        let here = routes::page(view_path, before);
        let title = format!("{} (@{})", user.name, user.login);
        let layout = Layout::new(visit, section_of(visit, user.id), title)
            .described(format!("Posts by {} on Redwing.", user.name));
        Self {
            layout,
            name: user.name.clone(),
            login: user.login.to_string(),
            bio: RichText::new(&user.bio),
            joined: moment::month(user.signup),
            counts: if relation.is_self {
                Counts::new(user).live()
            } else {
                Counts::new(user)
            },
            relation,
            avatar: Avatar::new(&user.login, &user.name),
            own_links: OwnLinks,
            button: FollowButton::new(visit, &here, user, relation),
            preference: relation
                .following
                .then(|| PreferenceForm::new(visit, &here, user, preference)),
            buttons: reposts_button(visit, &here, user, edge)
                .into_iter()
                .collect(),
            add_to_list: visit
                .me()
                .map(|_| AddToList::new(visit, &here, &user.login, lists)),
            feed: Feed::new(
                visit,
                format!("{} by {}", Self::view_name(view), user.name),
                view_path,
                before,
                page,
            ),
            first: before.is_none(),
            only_replies: view == ProfileView::Posts && user.posts > 0,
            view,
            path,
            replies_path,
        }
    }

    fn view_name(view: ProfileView) -> &'static str {
        match view {
            ProfileView::Posts => "Posts",
            ProfileView::PostsAndReplies => "Posts and replies",
        }
    }
}

/// Creates the button to hide or show the reposts of a followed person.
fn reposts_button(visit: &Visit, here: &str, user: &User, edge: Edge) -> Option<ButtonForm> {
    let (label, path) = match edge {
        Edge::None => return None,
        Edge::Follows => ("Hide reposts", routes::hide_reposts(&user.login)),
        Edge::WithoutReposts => ("Show reposts", routes::show_reposts(&user.login)),
    };
    let label = (label, format!("by {} on your home", user.name));
    Some(ButtonForm::new(visit, (path, here), "hide-reposts", label).secondary())
}
