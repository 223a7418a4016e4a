//! The people of a plan on the site: signed up now, or found with the work of an earlier run.

use std::collections::{HashMap, HashSet};

use super::{
    jobs::retry,
    plan::{PlannedPerson, idempotency_key},
};
use crate::{
    actions::{
        accounts::{self, Credentials, NewAccount, SignUp},
        invitations::Entry,
    },
    domain::{Cursor, Page, ProfileView, StatusId, UserId},
    store::{self, PeopleOf, Store, User, Viewer},
};

/// A person of the plan on the site, with the work of an earlier run.
pub(super) struct Member {
    pub(super) id: UserId,
    pub(super) created: bool,
    pub(super) following: HashSet<UserId>,
    /// Idempotency keys expire after some hours, so texts find the posts. Deleted ones are posted again.
    pub(super) posts_by_text: HashMap<String, StatusId>,
}

/// The site that a plan is written to.
pub(super) struct SeededSite<'a> {
    pub(super) store: &'a Store,
    /// Number of concurrent operations.
    pub(super) at_once: usize,
    /// By their place in the plan.
    pub(super) members: Vec<Option<Member>>,
}

impl SeededSite<'_> {
    pub(super) fn member(&self, place: usize) -> Option<&Member> {
        self.members[place].as_ref()
    }

    pub(super) fn id(&self, place: usize) -> Option<UserId> {
        self.member(place).map(|member| member.id)
    }
}

/// Signs a person up or finds them. `None` if another person has the login.
pub(super) async fn member(
    store: &Store,
    person: &PlannedPerson,
    password_hash: &str,
) -> store::Result<Option<Member>> {
    let existing = || store.user_by_login(&person.login);
    if let Some(user) = retry(existing).await? {
        return load_member(store, person, &user).await;
    }
    let account = || NewAccount {
        login: person.login.clone(),
        name: person.name.clone(),
        password_hash: password_hash.to_owned(),
        idempotency_key: idempotency_key(&["sign up", &person.login.folded(), password_hash]),
        entry: Entry::Host,
    };
    match retry(|| accounts::sign_up(store, account())).await? {
        SignUp::Created(Credentials { uid: id, .. }) => {
            retry(|| accounts::edit_profile(store, id, &person.name, &person.bio)).await?;
            Ok(Some(Member {
                id,
                created: true,
                following: HashSet::new(),
                posts_by_text: HashMap::new(),
            }))
        }
        SignUp::Again => match retry(existing).await? {
            Some(user) => load_member(store, person, &user).await,
            None => Ok(None),
        },
        SignUp::LoginTaken | SignUp::NotAdmitted => Ok(None),
    }
}

/// Loads an existing person. A different name shows that they are not from this seed.
async fn load_member(
    store: &Store,
    person: &PlannedPerson,
    user: &User,
) -> store::Result<Option<Member>> {
    if user.name != person.name.as_str() {
        return Ok(None);
    }
    let (id, viewer) = (user.id, Viewer::Member(user.id));
    if user.bio.is_empty() {
        retry(|| accounts::edit_profile(store, id, &person.name, &person.bio)).await?;
    }
    let following =
        read_pages(|before| store.people_page(viewer, PeopleOf::Followed(id), before)).await?;
    let all = ProfileView::PostsAndReplies;
    let posts = read_pages(|before| store.profile_page(viewer, id, all, before)).await?;
    let posts = posts
        .iter()
        .map(|status| (status.message().to_owned(), status.id()));
    Ok(Some(Member {
        id,
        created: false,
        following: following.iter().map(|person| person.user.id).collect(),
        posts_by_text: posts.collect(),
    }))
}

async fn read_pages<T>(
    page: impl AsyncFn(Option<Cursor>) -> store::Result<Page<T>>,
) -> store::Result<Vec<T>> {
    let (mut items, mut before) = (Vec::new(), None);
    loop {
        let next = retry(|| page(before)).await?;
        items.extend(next.items);
        before = next.next;
        if before.is_none() {
            return Ok(items);
        }
    }
}
