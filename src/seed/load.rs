//! Carries out a plan by the same actions that people's clicks call, and finds out beforehand
//! what an earlier run has already done.

use std::{collections::HashSet, sync::Arc};

use futures_util::FutureExt;

use super::{
    crew::{Crew, patiently},
    plan::{Plan, PlannedFollow, PlannedPerson, nonce},
    progress::{Pace, Progress},
};
use crate::{
    actions::{
        accounts::{self, Credentials, NewAccount, SignUp},
        follows, statuses,
    },
    domain::{ProfileView, UserId},
    store::{self, Store, User, Viewer},
};

/// What came of a plan.
#[derive(Debug)]
pub(super) struct Loaded {
    pub(super) people: Pace,
    pub(super) follows: Pace,
    pub(super) posts: Pace,
    /// Logins of those who were signed up now; the others were there already.
    pub(super) created: Vec<String>,
    /// Logins that somebody else holds, whom the seed leaves alone.
    pub(super) strangers: Vec<String>,
    pub(super) interrupted: bool,
}

/// A person of the plan on the site, and what an earlier run has done for them.
struct Member {
    place: usize,
    id: UserId,
    created: bool,
    following: HashSet<UserId>,
    said: HashSet<String>,
}

/// Makes what is not there yet.
pub(super) async fn carry_out(
    plan: Plan,
    store: &Store,
    crew: &Crew,
    password_hash: &str,
) -> store::Result<Loaded> {
    let progress = Progress::begin("people", plan.people.len());
    let found = crew
        .each(plan.people.iter().enumerate(), async |(place, person)| {
            let member = member(store, place, person, password_hash).await;
            progress.step();
            member
        })
        .await?;
    let people = progress.end();

    let mut members: Vec<Option<Member>> = plan.people.iter().map(|_| None).collect();
    for member in found.into_iter().flatten() {
        let place = member.place;
        members[place] = Some(member);
    }
    let known = |place: usize| members[place].as_ref();
    let follows = follow_all(&plan.follows, store, crew, known).await?;
    let posts = post_all(&plan, store, crew, known).await?;
    let interrupted = crew.interrupted();
    let logins = |wanted: fn(Option<&Member>) -> bool| {
        let with = plan.people.iter().zip(&members);
        let wanted = with.filter(|(_, member)| wanted(member.as_ref()));
        wanted.map(|(person, _)| person.login.to_string()).collect()
    };
    Ok(Loaded {
        people,
        follows,
        posts,
        created: logins(|member| member.is_some_and(|member| member.created)),
        strangers: if interrupted {
            Vec::new()
        } else {
            logins(|member| member.is_none())
        },
        interrupted,
    })
}

/// Signs a person up, or finds them; `None` where somebody else has their login.
async fn member(
    store: &Store,
    place: usize,
    person: &PlannedPerson,
    password_hash: &str,
) -> store::Result<Option<Member>> {
    if let Some(user) = patiently(|| store.user_by_login(&person.login).boxed_local()).await? {
        return welcome_back(store, place, person, user).await;
    }
    let account = || NewAccount {
        login: person.login.clone(),
        name: person.name.clone(),
        password_hash: password_hash.to_owned(),
        nonce: nonce(&["sign up", &person.login.folded(), password_hash]),
    };
    match patiently(|| accounts::sign_up(store, account()).boxed_local()).await? {
        SignUp::Created(Credentials { uid: id, .. }) => {
            patiently(|| {
                accounts::edit_profile(store, id, &person.name, &person.bio).boxed_local()
            })
            .await?;
            Ok(Some(Member {
                place,
                id,
                created: true,
                following: HashSet::new(),
                said: HashSet::new(),
            }))
        }
        SignUp::Again => {
            let user = patiently(|| store.user_by_login(&person.login).boxed_local()).await?;
            match user {
                Some(user) => welcome_back(store, place, person, user).await,
                None => Ok(None),
            }
        }
        SignUp::LoginTaken => Ok(None),
    }
}

/// A person who is there already. A name of their own shows that they are not of this seed.
async fn welcome_back(
    store: &Store,
    place: usize,
    person: &PlannedPerson,
    user: Arc<User>,
) -> store::Result<Option<Member>> {
    if user.name != person.name.as_str() {
        return Ok(None);
    }
    if user.bio.is_empty() {
        patiently(|| {
            accounts::edit_profile(store, user.id, &person.name, &person.bio).boxed_local()
        })
        .await?;
    }
    let following = if user.following == 0 {
        HashSet::new()
    } else {
        following(store, user.id).await?
    };
    let said = if user.posts == 0 {
        HashSet::new()
    } else {
        said(store, user.id).await?
    };
    Ok(Some(Member {
        place,
        id: user.id,
        created: false,
        following,
        said,
    }))
}

/// Whom somebody follows already.
async fn following(store: &Store, id: UserId) -> store::Result<HashSet<UserId>> {
    let mut found = HashSet::new();
    let mut before = None;
    loop {
        let page = patiently(|| {
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

/// What somebody has posted already. By its text, since nonces are forgotten after some hours;
/// what was deleted since is posted again.
async fn said(store: &Store, id: UserId) -> store::Result<HashSet<String>> {
    let mut found = HashSet::new();
    let mut before = None;
    loop {
        let page = patiently(|| {
            store
                .profile_page(Viewer::Member(id), id, ProfileView::PostsAndReplies, before)
                .boxed_local()
        })
        .await?;
        found.extend(page.items.iter().map(|status| status.message().to_owned()));
        before = page.next;
        if before.is_none() {
            return Ok(found);
        }
    }
}

async fn follow_all<'a>(
    planned: &[PlannedFollow],
    store: &Store,
    crew: &Crew,
    known: impl Fn(usize) -> Option<&'a Member>,
) -> store::Result<Pace> {
    let missing: Vec<_> = planned
        .iter()
        .filter_map(|edge| known(edge.follower).zip(known(edge.followed)))
        .filter(|(follower, followed)| !follower.following.contains(&followed.id))
        .collect();
    let progress = Progress::begin("follows", missing.len());
    crew.each(missing, async |(follower, followed)| {
        patiently(|| follows::follow(store, follower.id, followed.id).boxed_local()).await?;
        progress.step();
        Ok(())
    })
    .await?;
    Ok(progress.end())
}

async fn post_all<'a>(
    plan: &Plan,
    store: &Store,
    crew: &Crew,
    known: impl Fn(usize) -> Option<&'a Member>,
) -> store::Result<Pace> {
    let progress = Progress::begin("posts", plan.posts());
    for round in &plan.rounds {
        let missing = round
            .iter()
            .filter_map(|post| Some((known(post.author)?, &post.message)))
            .filter(|(author, message)| !author.said.contains(message.as_str()));
        crew.each(missing, async |(author, message)| {
            let nonce = nonce(&["post", &author.id.to_string(), message.as_str()]);
            patiently(|| statuses::post(store, author.id, message, &nonce).boxed_local()).await?;
            progress.step();
            Ok(())
        })
        .await?;
    }
    Ok(progress.end())
}
