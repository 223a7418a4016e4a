//! Carries out a plan by the same actions that people's clicks call, and finds out beforehand
//! what an earlier run has already done.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use futures_util::FutureExt;

use super::{
    crew::{Crew, patiently},
    plan::{Plan, PlannedFollow, PlannedPerson, PlannedPost, PlannedPress, nonce},
    progress::{Pace, Progress},
};
use crate::{
    actions::{
        accounts::{self, Credentials, NewAccount, SignUp},
        favourites, follows, reposts,
        statuses::{self, Post},
    },
    domain::{Draft, ProfileView, StatusId, UserId},
    store::{self, Store, User, Viewer},
};

/// What came of a plan.
#[derive(Debug)]
pub(super) struct Loaded {
    pub(super) people: Pace,
    pub(super) follows: Pace,
    pub(super) posts: Pace,
    /// Stars and reposts.
    pub(super) presses: Pace,
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
    said: HashMap<String, StatusId>,
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
    let (posts, ids) = post_all(&plan, store, crew, known).await?;
    let presses = press_all(&plan, store, crew, known, &ids).await?;
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
        presses,
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
                said: HashMap::new(),
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
        HashMap::new()
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
async fn said(store: &Store, id: UserId) -> store::Result<HashMap<String, StatusId>> {
    let mut found = HashMap::new();
    let mut before = None;
    loop {
        let page = patiently(|| {
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

/// Posts what was not said yet. Gives the ids of all posts of the plan that are there, by their numbers.
async fn post_all<'a>(
    plan: &Plan,
    store: &Store,
    crew: &Crew,
    known: impl Fn(usize) -> Option<&'a Member>,
) -> store::Result<(Pace, HashMap<usize, StatusId>)> {
    let progress = Progress::begin("posts", plan.posts());
    let mut ids = HashMap::new();
    for round in &plan.rounds {
        let mut missing = Vec::new();
        for post in round {
            let Some(author) = known(post.author) else {
                continue;
            };
            if let Some(id) = author.said.get(post.message.as_str()) {
                ids.insert(post.number, *id);
                continue;
            }
            let answers = post.answers.map(|number| ids.get(&number).copied());
            if answers != Some(None) {
                missing.push((post, author.id, answers.flatten()));
            }
        }
        let posted = crew
            .each(missing, async |(post, author, answers)| {
                let posted = say(store, author, post, answers).await?;
                progress.step();
                Ok(posted.map(|id| (post.number, id)))
            })
            .await?;
        ids.extend(posted.into_iter().flatten());
    }
    Ok((progress.end(), ids))
}

/// `None` where what it answers was deleted meanwhile.
async fn say(
    store: &Store,
    author: UserId,
    post: &PlannedPost,
    answers: Option<StatusId>,
) -> store::Result<Option<StatusId>> {
    let text = post.message.as_str();
    let nonce = nonce(&["post", &author.to_string(), text]);
    let draft = || Draft {
        answers,
        ..Draft::from(&post.message)
    };
    let posted = patiently(|| statuses::post(store, author, draft(), &nonce).boxed_local()).await?;
    Ok(match posted {
        Post::Posted(id) => Some(id),
        _ => None,
    })
}

/// Presses stars and reposts. Whoever pressed one before presses it again, which changes nothing.
async fn press_all<'a>(
    plan: &Plan,
    store: &Store,
    crew: &Crew,
    known: impl Fn(usize) -> Option<&'a Member>,
    ids: &HashMap<usize, StatusId>,
) -> store::Result<Pace> {
    let on_site = |press: &PlannedPress| Some((known(press.person)?.id, *ids.get(&press.post)?));
    let progress = Progress::begin("stars", plan.favourites.len() + plan.reposts.len());
    let stars = plan.favourites.iter().filter_map(on_site);
    crew.each(stars, async |(by, id)| {
        patiently(|| favourites::favour(store, by, id).boxed_local()).await?;
        progress.step();
        Ok(())
    })
    .await?;
    let again = plan.reposts.iter().filter_map(on_site);
    crew.each(again, async |(by, id)| {
        patiently(|| reposts::repost(store, by, id).boxed_local()).await?;
        progress.step();
        Ok(())
    })
    .await?;
    Ok(progress.end())
}
