//! The people of a plan on the site: signed up now, or found with the work of an earlier run.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use futures_util::FutureExt;

use super::{
    job_runner::retry,
    plan::{PlannedPerson, idempotency_key},
};
use crate::{
    actions::accounts::{self, Credentials, NewAccount, SignUp},
    domain::{ProfileView, StatusId, UserId},
    store::{self, Store, User, Viewer},
};

/// A person of the plan on the site, with the work of an earlier run.
pub(super) struct Member {
    pub(super) place: usize,
    pub(super) id: UserId,
    pub(super) created: bool,
    pub(super) following: HashSet<UserId>,
    pub(super) posts_by_text: HashMap<String, StatusId>,
}

/// Signs a person up or finds them. `None` if another person has the login.
pub(super) async fn member(
    store: &Store,
    place: usize,
    person: &PlannedPerson,
    password_hash: &str,
) -> store::Result<Option<Member>> {
    if let Some(user) = retry(|| store.user_by_login(&person.login).boxed_local()).await? {
        return load_member(store, place, person, user).await;
    }
    let account = || NewAccount {
        login: person.login.clone(),
        name: person.name.clone(),
        password_hash: password_hash.to_owned(),
        idempotency_key: idempotency_key(&["sign up", &person.login.folded(), password_hash]),
    };
    match retry(|| accounts::sign_up(store, account()).boxed_local()).await? {
        SignUp::Created(Credentials { uid: id, .. }) => {
            retry(|| accounts::edit_profile(store, id, &person.name, &person.bio).boxed_local())
                .await?;
            Ok(Some(Member {
                place,
                id,
                created: true,
                following: HashSet::new(),
                posts_by_text: HashMap::new(),
            }))
        }
        SignUp::Again => {
            let user = retry(|| store.user_by_login(&person.login).boxed_local()).await?;
            match user {
                Some(user) => load_member(store, place, person, user).await,
                None => Ok(None),
            }
        }
        SignUp::LoginTaken => Ok(None),
    }
}

/// Loads an existing person. A different name shows that they are not from this seed.
async fn load_member(
    store: &Store,
    place: usize,
    person: &PlannedPerson,
    user: Arc<User>,
) -> store::Result<Option<Member>> {
    if user.name != person.name.as_str() {
        return Ok(None);
    }
    if user.bio.is_empty() {
        retry(|| accounts::edit_profile(store, user.id, &person.name, &person.bio).boxed_local())
            .await?;
    }
    let following = if user.following == 0 {
        HashSet::new()
    } else {
        following(store, user.id).await?
    };
    let posts_by_text = if user.posts == 0 {
        HashMap::new()
    } else {
        posts_by_text(store, user.id).await?
    };
    Ok(Some(Member {
        place,
        id: user.id,
        created: false,
        following,
        posts_by_text,
    }))
}

/// Returns the people that a person follows already.
async fn following(store: &Store, id: UserId) -> store::Result<HashSet<UserId>> {
    let mut found = HashSet::new();
    let mut before = None;
    loop {
        let page = retry(|| {
            store
                .following_page(Viewer::Member(id), id, before)
                .boxed_local()
        })
        .await?;
        found.extend(page.items.iter().map(|person| person.user.id));
        before = page.next;
        if before.is_none() {
            return Ok(found);
        }
    }
}

/// Returns the posts of a person by their texts, because idempotency keys expire after some hours.
/// Deleted posts are posted again.
async fn posts_by_text(store: &Store, id: UserId) -> store::Result<HashMap<String, StatusId>> {
    let mut found = HashMap::new();
    let mut before = None;
    loop {
        let page = retry(|| {
            store
                .profile_page(Viewer::Member(id), id, ProfileView::PostsAndReplies, before)
                .boxed_local()
        })
        .await?;
        let texts = page.items.iter();
        found.extend(texts.map(|status| (status.message().to_owned(), status.id())));
        before = page.next;
        if before.is_none() {
            return Ok(found);
        }
    }
}
