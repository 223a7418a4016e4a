//! A person's profile: who they are and what they wrote.

use askama::Template;

use crate::{
    domain::{Cursor, Page},
    store::{Edge, Listing, Relation, Reposts, User, VisibleStatus},
    web::routes,
};

use super::{
    Layout, Visit, avatar::Avatar, counts::Counts, feed::Feed, layout::section_of,
    members::OnLists, moment, person_row::FollowButton, reposts::HideButton, rich_text::RichText,
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
    counts: Counts,
    relation: Relation,
    avatar: Avatar,
    button: FollowButton,
    /// Whether their reposts come to the reader's home, where the reader follows them.
    hide: Option<HideButton>,
    /// The reader's lists, where there is a member who reads.
    on_lists: Option<OnLists>,
    feed: Feed,
    first: bool,
}

impl ProfilePage {
    /// The page of that person's statuses that began at `before`. `lists` are the reader's, each with
    /// whether the person stands in it.
    #[must_use]
    pub fn new(
        visit: &Visit,
        user: &User,
        (relation, edge): (Relation, Edge),
        lists: &[Listing],
        before: Option<Cursor>,
        page: &Page<VisibleStatus>,
    ) -> Self {
        let path = routes::profile(&user.login);
        let here = routes::page(&path, before);
        let title = format!("{} (@{})", user.name, user.login);
        let layout = Layout::new(visit, section_of(visit, user.id), title)
            .described(format!("What {} writes on Redwing.", user.name));
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
            button: FollowButton::new(visit, &here, user, relation),
            hide: match edge {
                Edge::None => None,
                Edge::Follows => Some(Reposts::Shown),
                Edge::WithoutReposts => Some(Reposts::Hidden),
            }
            .map(|reposts| HideButton::new(visit, &here, user, reposts)),
            on_lists: visit
                .me()
                .map(|_| OnLists::new(visit, &here, &user.login, lists)),
            feed: Feed::new(
                visit,
                format!("Posts by {}", user.name),
                &path,
                before,
                page,
            ),
            first: before.is_none(),
            path,
        }
    }
}
