//! Runs the posts and buttons of a plan, round after round.

use std::collections::HashMap;

use futures_util::FutureExt;

use super::{
    job_runner::{JobRunner, retry},
    members::Member,
    plan::{Button, Plan, PlannedPost, PlannedPress, Reference, idempotency_key},
    progress::{Completed, Progress},
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
type PostsByNumber = HashMap<usize, StatusRef>;

/// Creates missing posts, and presses the buttons of a round after it. Returns the number of buttons.
pub(super) async fn write_posts<'a>(
    plan: &Plan,
    store: &Store,
    runner: &JobRunner,
    known: impl Fn(usize) -> Option<&'a Member>,
) -> store::Result<(Completed, usize)> {
    let progress = Progress::begin("posts", plan.posts());
    let mut presses: HashMap<usize, Vec<&PlannedPress>> = HashMap::new();
    for press in &plan.presses {
        presses.entry(press.post).or_default().push(press);
    }
    let (mut posted, mut pressed) = (PostsByNumber::new(), 0);
    for round in &plan.rounds {
        write_round(round, store, runner, &known, &progress, &mut posted).await?;
        let of_round = round.iter().filter_map(|post| presses.get(&post.number));
        let on_site = |press: &&PlannedPress| {
            let (by, post) = (known(press.person)?.id, posted.get(&press.post)?);
            Some((by, post.status, press.button))
        };
        let on_site = of_round.flatten().filter_map(on_site);
        let job = async |(by, id, button)| press_button(store, by, id, button).await;
        pressed += runner.run_all(on_site, job).await?.len();
    }
    Ok((progress.end(), pressed))
}

/// The missing part of a post after an earlier run.
enum Missing {
    All { reference: Option<StatusRef> },
    Edit(StatusId),
}

/// Posts the missing part of a round. `posted` receives all of its posts.
async fn write_round<'a>(
    round: &[PlannedPost],
    store: &Store,
    runner: &JobRunner,
    known: impl Fn(usize) -> Option<&'a Member>,
    progress: &Progress,
    posted: &mut PostsByNumber,
) -> store::Result<()> {
    let mut missing = Vec::new();
    for post in round {
        let Some(author) = known(post.author) else {
            continue;
        };
        let found = |message: &Message| author.posts_by_text.get(message.as_str()).copied();
        let with_typo = post.typo.as_ref().and_then(found);
        if let Some(status) = found(&post.message).or(with_typo) {
            let author = author.id;
            posted.insert(post.number, StatusRef { status, author });
        }
        match (found(&post.message), with_typo) {
            (Some(_), _) => {}
            (None, Some(id)) => missing.push((post, author.id, Missing::Edit(id))),
            (None, None) => {
                let reference = post
                    .reference
                    .map(|reference| posted.get(&reference.number()).copied());
                if reference != Some(None) {
                    let reference = reference.flatten();
                    missing.push((post, author.id, Missing::All { reference }));
                }
            }
        }
    }
    let job = async |(post, author, missing)| {
        let status = write_post(store, author, post, missing).await?;
        progress.step();
        Ok(status.map(|status| (post.number, StatusRef { status, author })))
    };
    posted.extend(runner.run_all(missing, job).await?.into_iter().flatten());
    Ok(())
}

/// Returns `None` if the status that it refers to was deleted.
async fn write_post(
    store: &Store,
    author: UserId,
    post: &PlannedPost,
    missing: Missing,
) -> store::Result<Option<StatusId>> {
    let id = match missing {
        Missing::Edit(id) => Some(id),
        Missing::All { reference } => create_post(store, author, post, reference).await?,
    };
    if let Some(id) = id.filter(|_| post.typo.is_some()) {
        let edited = EditState {
            message: post.message.clone(),
            warning: post.warning.clone(),
            revision: 0,
        };
        // An edit that comes too late, as in a run long after the first, is skipped.
        retry(|| edits::edit(store, author, id, &edited).boxed_local()).await?;
    }
    Ok(id)
}

async fn create_post(
    store: &Store,
    author: UserId,
    post: &PlannedPost,
    reference: Option<StatusRef>,
) -> store::Result<Option<StatusId>> {
    let idempotency_key = idempotency_key(&["post", &author.to_string(), post.message.as_str()]);
    let draft = || Draft {
        message: post.typo.as_ref().unwrap_or(&post.message).clone(),
        warning: post.warning.clone(),
        poll: post.poll.clone(),
        reply_to: reference
            .filter(|_| matches!(post.reference, Some(Reference::ReplyTo(_))))
            .map(|origin| origin.status),
        quote_of: reference.filter(|_| matches!(post.reference, Some(Reference::QuoteOf(_)))),
    };
    let posted =
        retry(|| statuses::post(store, author, draft(), &idempotency_key).boxed_local()).await?;
    Ok(match posted {
        Post::Posted(id) => Some(id),
        Post::KeyReused | Post::TargetDeleted => None,
    })
}

/// Repeats buttons that were pressed before, which changes nothing.
async fn press_button(
    store: &Store,
    by: UserId,
    id: StatusId,
    button: Button,
) -> store::Result<()> {
    match button {
        Button::Favourite => {
            retry(|| favourites::favourite(store, by, id).boxed_local()).await?;
        }
        Button::Bookmark => {
            retry(|| bookmarks::bookmark(store, by, id).boxed_local()).await?;
        }
        Button::Repost => {
            retry(|| reposts::repost(store, by, id).boxed_local()).await?;
        }
        Button::Vote(ballot) => {
            retry(|| polls::vote(store, by, id, ballot).boxed_local()).await?;
        }
    }
    Ok(())
}
