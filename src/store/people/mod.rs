//! Reads of people: by id, by login, as pages of followers and followed people, and as suggestions.

pub(super) mod accounts;
pub(super) mod calls;
pub(super) mod deletion;
mod files;
pub(super) mod records;
pub(super) mod rename;
pub(super) mod storage;
pub(super) mod suggestions;

use std::sync::Arc;

use futures_util::try_join;

use super::{
    PageInProgress, Rest, ViewerRelation, access::Access, cache::shared_rows::RowVersion,
    prelude::*,
};
use crate::domain::{AccountState, Correspondents, FormerLogins, GroupId, PinnedPosts, Visibility};

/// Number of people in `people:newest` and in `people:followed`.
pub const PEOPLE_KEPT: usize = 1000;

/// The people of a page.
#[derive(Debug, Clone, Copy)]
pub enum PeopleOf {
    Followers(UserId),
    /// Followed by the user.
    Followed(UserId),
    Favourites(StatusId),
    /// Those who repost without a comment.
    Reposts(StatusId),
    /// The members.
    List(ListId),
    /// Those who ask to follow the user.
    Requests(UserId),
    /// Those who came by an invitation of the user.
    Invited(UserId),
    /// The members of a group, those who ask to join it, those who are invited, and those who cannot join.
    Group(GroupId),
    GroupRequests(GroupId),
    GroupInvited(GroupId),
    GroupBanned(GroupId),
}

impl Store {
    pub async fn user(&self, id: UserId) -> Result<Option<User>> {
        user(id, self.connection.query(User::command(&id)).await?)
    }

    /// Returns a person by login, also by one that they had within the last year. Two round trips: the login, then
    /// the person, whose record must name the login.
    pub async fn user_by_login(&self, login: &Login) -> Result<Option<Arc<User>>> {
        let Some(id) = self.holder(login).await? else {
            return Ok(None);
        };
        let (user, now) = try_join!(self.known_user(id), self.now())?;
        Ok(user.filter(|user| user.is_named(login, now)))
    }

    /// Returns a person by login, also by one that they had within the last year, if the viewer may find them. Two
    /// round trips.
    pub async fn find_user(&self, viewer: Viewer, login: &Login) -> Result<Option<Arc<User>>> {
        self.user_if(viewer, login, Access::may_find).await
    }

    /// Returns a person with this login whom the viewer may block and report, like [`Store::find_user`].
    pub async fn find_user_to_report(
        &self,
        viewer: Viewer,
        login: &Login,
    ) -> Result<Option<Arc<User>>> {
        self.user_if(viewer, login, Access::may_report).await
    }

    /// Returns the person with this login, if the access permits it. A person who is not permitted costs as much as one
    /// who does not exist.
    async fn user_if(
        &self,
        viewer: Viewer,
        login: &Login,
        permits: fn(&Access, &User) -> bool,
    ) -> Result<Option<Arc<User>>> {
        let Some(id) = self.holder(login).await? else {
            return Ok(None);
        };
        let ids = [id];
        let (access, users, now) = try_join!(
            self.access_to(viewer, &ids),
            self.rows_of::<User>(&ids),
            self.now()
        )?;
        let user = users.into_iter().next().flatten();
        let user = user.filter(|user| user.is_named(login, now));
        Ok(user.filter(|user| permits(&access, user)))
    }

    /// Returns the people with these logins, in their order. `None` in the place of a login that no one has whom the
    /// viewer may find. Two round trips.
    pub async fn find_users(
        &self,
        viewer: Viewer,
        logins: &[Login],
    ) -> Result<Vec<Option<UserId>>> {
        let holders = self.holders(logins).await?;
        let ids = holders.iter().flatten().filter_map(|id| id.parse().ok());
        let ids: Vec<UserId> = ids.collect();
        let people = self.people(viewer, &ids).await?;
        let with_login = |login: &Login| {
            let has_login = |person: &&Person| person.user.login.folded() == login.folded();
            people.iter().find(has_login).map(|person| person.user.id)
        };
        Ok(logins.iter().map(with_login).collect())
    }

    /// Returns a person, at least as new as this connection's last round trip. One round trip, none if
    /// cached.
    pub async fn known_user(&self, id: UserId) -> Result<Option<Arc<User>>> {
        let users = self.rows_of::<User>(&[id]).await?;
        Ok(users.into_iter().next().flatten())
    }

    /// Returns the viewer's relation to a person. One round trip.
    pub async fn relation(&self, viewer: Viewer, to: UserId) -> Result<ViewerRelation> {
        let reads = viewer.id().map(|viewer| edges(viewer, to));
        let reads = reads.into_iter().flatten().collect();
        let answers = self.connection.batch(reads).await?;
        relation(viewer, to, &mut answers.into_iter())
    }

    /// Returns one page of the followers of a person, or of the people they follow. `None` if the viewer may not
    /// see them.
    pub async fn connections_page(
        &self,
        viewer: Viewer,
        person: &User,
        of: PeopleOf,
        before: Option<Cursor>,
    ) -> Result<Option<Page<Person>>> {
        match self.may_see_account(viewer, person).await? {
            true => self.people_page(viewer, of, before).await.map(Some),
            false => Ok(None),
        }
    }

    /// Returns one page of these people, newest first.
    pub async fn people_page(
        &self,
        viewer: Viewer,
        of: PeopleOf,
        before: Option<Cursor>,
    ) -> Result<Page<Person>> {
        let key = match of {
            PeopleOf::Followers(user) => keys::followers(user),
            PeopleOf::Followed(user) => keys::following(user),
            PeopleOf::Favourites(status) => keys::favourited_by(status),
            PeopleOf::Reposts(status) => return self.reposters_page(viewer, status, before).await,
            PeopleOf::List(list) => keys::list_members(list),
            PeopleOf::Requests(user) => keys::requests(user),
            PeopleOf::Invited(user) => keys::invited(user),
            PeopleOf::Group(group) => keys::group_members(group),
            PeopleOf::GroupRequests(group) => keys::group_requests(group),
            PeopleOf::GroupInvited(group) => keys::group_invited(group),
            PeopleOf::GroupBanned(group) => keys::group_banned(group),
        };
        let rows = async |before, count| {
            let rows = self.edges_before(&key, before, count).await?;
            let place = |(id, score): (u64, f64)| (id, Cursor::before(score as u64));
            Ok(rows.into_iter().map(place).collect())
        };
        self.people_at(viewer, before, rows).await
    }

    /// Returns one page of the people that `rows` yields, each with the cursor of the next entry. `rows`
    /// takes a cursor and a count. A page is full unless the people end, or nearly all of them are hidden.
    pub(super) async fn people_at(
        &self,
        viewer: Viewer,
        before: Option<Cursor>,
        rows: impl AsyncFn(Option<Cursor>, usize) -> Result<Vec<(u64, Cursor)>>,
    ) -> Result<Page<Person>> {
        let mut page = PageInProgress::new(before);
        while let Some((cursor, wanted)) = page.wants() {
            let places = rows(cursor, wanted).await?;
            let ids = user_ids(places.iter().map(|(id, _)| *id));
            let people = self.people(viewer, &ids).await?;
            page.add_people(&places, people.into_iter(), Rest::of(places.len(), wanted));
        }
        Ok(page.finish())
    }

    /// Returns the members of a ZSET of relations older than the cursor, with scores.
    pub(super) async fn edges_before(
        &self,
        key: &str,
        before: Option<Cursor>,
        count: usize,
    ) -> Result<Vec<(u64, f64)>> {
        let from = before.map_or_else(|| "+inf".to_owned(), |cursor| format!("({}", cursor.get()));
        let range = range_by_score(key, from, "-inf", count).with(("REV", "WITHSCORES"));
        self.connection.query(range).await
    }

    /// Returns these people as the viewer sees them, without those who do not exist or whom the viewer may
    /// not find. One round trip.
    pub async fn people(&self, viewer: Viewer, ids: &[UserId]) -> Result<Vec<Person>> {
        let (mut people, access) = try_join!(
            self.people_and_blocked(viewer, ids),
            self.access_to(viewer, ids)
        )?;
        people.retain(|person| access.may_find(&person.user));
        Ok(people)
    }

    /// Returns these people, with those whom the viewer may not find, for the page of blocked people. One
    /// round trip.
    pub(super) async fn people_and_blocked(
        &self,
        viewer: Viewer,
        ids: &[UserId],
    ) -> Result<Vec<Person>> {
        let mut reads = Vec::with_capacity(4 * ids.len());
        for id in ids {
            reads.push(User::command(id));
            if let Viewer::Member(viewer) = viewer {
                reads.extend(edges(viewer, *id));
            }
        }
        let mut answers = self.connection.batch(reads).await?.into_iter();
        let mut people = Vec::with_capacity(ids.len());
        for id in ids {
            let user = user(*id, answers.next().unwrap_or_default())?;
            let relation = relation(viewer, *id, &mut answers)?;
            people.extend(user.map(|user| Person {
                user: Arc::new(user),
                relation,
            }));
        }
        Ok(people)
    }
}

impl CachedRow for User {
    type Question = UserId;

    const SHARED: bool = true;

    fn key(id: &UserId) -> Key {
        Key::User(*id)
    }

    fn command(id: &UserId) -> Cmd {
        let fields = redis::cmd("HMGET").with((keys::user(*id), "login", "name", "bio", "signup"));
        let fields = fields.with(("posts", "followers", "following"));
        let fields = fields.with(("visibility", "default_visibility", "private", "requests"));
        let fields = fields.with(("messages_from", "group_messages_from", "read_marks"));
        fields
            .with(("suspended", "leaving", "application", "former_logins"))
            .with(("pinned", "public_favourites", "newcomer_since", "limited"))
    }

    fn parse(id: &UserId, answer: Value) -> Result<Option<Self>> {
        user(*id, answer)
    }

    fn bytes(&self) -> usize {
        let texts = self.login.as_str().len() + self.name.len() + self.bio.len();
        size_of::<Self>()
            + texts
            + self.state.text_bytes()
            + self.former_logins.bytes()
            + self.pinned.bytes()
    }

    fn set_version(&mut self, version: RowVersion) {
        self.row_version = Some(version);
    }
}

/// Builds the reads of the relation between two people in both directions.
fn edges(viewer: UserId, other: UserId) -> [Cmd; 3] {
    [
        redis::cmd("ZSCORE").with((keys::following(viewer), other.get())),
        redis::cmd("ZSCORE").with((keys::following(other), viewer.get())),
        redis::cmd("ZSCORE").with((keys::requested(viewer), other.get())),
    ]
}

/// Decodes the replies to [`edges`]. A visitor has no relation.
fn relation(
    viewer: Viewer,
    to: UserId,
    answers: &mut impl Iterator<Item = Value>,
) -> Result<ViewerRelation> {
    let Viewer::Member(viewer) = viewer else {
        return Ok(ViewerRelation::default());
    };
    let mut edge = || read::<Option<f64>>(answers.next().unwrap_or_default());
    Ok(ViewerRelation {
        is_self: viewer == to,
        following: edge()?.is_some(),
        followed_by: edge()?.is_some(),
        requested: edge()?.is_some(),
    })
}

fn user(id: UserId, answer: Value) -> Result<Option<User>> {
    let fields: Vec<Option<String>> = read(answer)?;
    let mut fields = fields.into_iter();
    let mut text = || fields.next().flatten();
    let (login, name, bio) = (text(), text(), text());
    let (Some(login), Some(name)) = (login.as_deref().and_then(Login::stored), name) else {
        return Ok(None);
    };
    let mut number = || text().and_then(|number| number.parse().ok()).unwrap_or(0);
    let (signup, posts, followers, following) = (number(), number(), number(), number());
    let mut visibility = || text().and_then(|text| Visibility::stored(&text));
    let (last, chosen) = (visibility(), visibility());
    let is_private = text().is_some();
    let requests = text().and_then(|number| number.parse().ok());
    let mut correspondents = || text().and_then(|text| Correspondents::stored(&text));
    let (messages_from, group_messages_from) = (correspondents(), correspondents());
    let shows_read_marks = text().is_some();
    let (suspended, leaving, application) = (text(), text(), text());
    let (former_logins, pinned) = (text(), text());
    let shows_favourites = text().is_some();
    let newcomer_since = text().and_then(|ms| ms.parse().ok()).map(UnixMs);
    let is_limited = text().is_some();
    Ok(Some(User {
        id,
        login,
        name,
        bio: bio.unwrap_or_default(),
        signup: UnixMs(signup),
        posts,
        followers,
        following,
        is_private,
        is_limited,
        requests: requests.unwrap_or_default(),
        default_visibility: chosen,
        last_visibility: last.unwrap_or_default(),
        messages_from: messages_from.unwrap_or_default(),
        group_messages_from: group_messages_from.unwrap_or_default(),
        shows_read_marks,
        state: AccountState::stored(suspended, leaving.as_deref(), application.as_deref()),
        former_logins: FormerLogins::stored(former_logins.as_deref()),
        pinned: PinnedPosts::stored(pinned.as_deref()),
        shows_favourites,
        newcomer_since,
        row_version: None,
    }))
}
