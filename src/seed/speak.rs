//! Runs the posts and buttons of a plan, round after round.

use std::collections::HashMap;

use futures_util::FutureExt;

use super::{
    crew::{Crew, patiently},
    members::Member,
    plan::{About, Button, Plan, PlannedPost, PlannedPress, idempotency_key},
    progress::{Progress, Throttle},
};
use crate::{
    actions::{
        bookmarks, edits, favourites, polls, reposts,
        statuses::{self, Post},
    },
    domain::{Draft, EditState, Message, StatusId, StatusRef, UserId},
    store::{self, Store},
};

/// The posts of the plan on the site, by number.
type Said = HashMap<usize, StatusRef>;

/// Posts what is missing, and presses the buttons of a round after it. Returns the number of buttons.
pub(super) async fn talk_all<'a>(
    plan: &Plan,
    store: &Store,
    crew: &Crew,
    known: impl Fn(usize) -> Option<&'a Member>,
) -> store::Result<(Throttle, usize)> {
    let progress = Progress::begin("posts", plan.posts());
    let mut presses: HashMap<usize, Vec<&PlannedPress>> = HashMap::new();
    for press in &plan.presses {
        presses.entry(press.post).or_default().push(press);
    }
    let (mut said, mut pressed) = (Said::new(), 0);
    for round in &plan.rounds {
        say_round(round, store, crew, &known, &progress, &mut said).await?;
        let of_round = round.iter().filter_map(|post| presses.get(&post.number));
        let on_site = |press: &&PlannedPress| {
            let (by, post) = (known(press.person)?.id, said.get(&press.post)?);
            Some((by, post.status, press.button))
        };
        let on_site = of_round.flatten().filter_map(on_site);
        let job = async |(by, id, button)| press(store, by, id, button).await;
        pressed += crew.each(on_site, job).await?.len();
    }
    Ok((progress.end(), pressed))
}

/// The missing part of a post after an earlier run.
enum Missing {
    All { about: Option<StatusRef> },
    EditState(StatusId),
}

/// Posts the missing part of a round. `said` receives all of its posts.
async fn say_round<'a>(
    round: &[PlannedPost],
    store: &Store,
    crew: &Crew,
    known: impl Fn(usize) -> Option<&'a Member>,
    progress: &Progress,
    said: &mut Said,
) -> store::Result<()> {
    let mut missing = Vec::new();
    for post in round {
        let Some(author) = known(post.author) else {
            continue;
        };
        let found = |message: &Message| author.said.get(message.as_str()).copied();
        let slipped = post.slip.as_ref().and_then(found);
        if let Some(status) = found(&post.message).or(slipped) {
            let author = author.id;
            said.insert(post.number, StatusRef { status, author });
        }
        match (found(&post.message), slipped) {
            (Some(_), _) => {}
            (None, Some(id)) => missing.push((post, author.id, Missing::EditState(id))),
            (None, None) => {
                let about = post.about.map(|about| said.get(&about.number()).copied());
                if about != Some(None) {
                    let about = about.flatten();
                    missing.push((post, author.id, Missing::All { about }));
                }
            }
        }
    }
    let job = async |(post, author, missing)| {
        let status = say(store, author, post, missing).await?;
        progress.step();
        Ok(status.map(|status| (post.number, StatusRef { status, author })))
    };
    said.extend(crew.each(missing, job).await?.into_iter().flatten());
    Ok(())
}

/// Returns `None` if the status that it refers to was deleted.
async fn say(
    store: &Store,
    author: UserId,
    post: &PlannedPost,
    missing: Missing,
) -> store::Result<Option<StatusId>> {
    let id = match missing {
        Missing::EditState(id) => Some(id),
        Missing::All { about } => first_say(store, author, post, about).await?,
    };
    if let Some(id) = id.filter(|_| post.slip.is_some()) {
        let correction = EditState {
            message: post.message.clone(),
            warning: post.warning.clone(),
            revision: 0,
        };
        // An edit that comes too late, as in a run long after the first, is skipped.
        patiently(|| edits::edit(store, author, id, &correction).boxed_local()).await?;
    }
    Ok(id)
}

async fn first_say(
    store: &Store,
    author: UserId,
    post: &PlannedPost,
    about: Option<StatusRef>,
) -> store::Result<Option<StatusId>> {
    let idempotency_key = idempotency_key(&["post", &author.to_string(), post.message.as_str()]);
    let draft = || Draft {
        message: post.slip.as_ref().unwrap_or(&post.message).clone(),
        warning: post.warning.clone(),
        poll: post.poll.clone(),
        answers: about
            .filter(|_| matches!(post.about, Some(About::Answers(_))))
            .map(|origin| origin.status),
        quotes: about.filter(|_| matches!(post.about, Some(About::Quotes(_)))),
    };
    let posted =
        patiently(|| statuses::post(store, author, draft(), &idempotency_key).boxed_local())
            .await?;
    Ok(match posted {
        Post::Posted(id) => Some(id),
        Post::KeyReused | Post::NothingToAnswer => None,
    })
}

/// Repeats buttons that were pressed before, which changes nothing.
async fn press(store: &Store, by: UserId, id: StatusId, button: Button) -> store::Result<()> {
    match button {
        Button::Favourite => {
            patiently(|| favourites::favourite(store, by, id).boxed_local()).await?;
        }
        Button::Bookmark => {
            patiently(|| bookmarks::bookmark(store, by, id).boxed_local()).await?;
        }
        Button::Repost => {
            patiently(|| reposts::repost(store, by, id).boxed_local()).await?;
        }
        Button::Vote(ballot) => {
            patiently(|| polls::vote(store, by, id, ballot).boxed_local()).await?;
        }
    }
    Ok(())
}
