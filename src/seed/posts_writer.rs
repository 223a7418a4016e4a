//! Runs the posts and buttons of a plan, round after round.

use std::{collections::HashMap, time::Duration};

use super::{
    dates::{age_of_edit, age_of_favourite, age_of_repost},
    follows_writer::FollowsWriter,
    jobs::{retry, run_all},
    members::SeededSite,
    outcome::{Outcome, Outcomes, Refusal},
    plan::{Button, Plan, PlannedPost, PlannedPress, Reference, idempotency_key},
    progress::{Completed, Progress},
};
use crate::{
    actions::{
        bookmarks, edits, favourites, polls,
        reposts::{self, Repost},
        statuses::{self, Post},
    },
    domain::{
        Draft, EditState, GroupId, Message, ReplyControl, StatusId, StatusRef, UserId, Visibility,
    },
    store::{self, Actor, Cast, Store},
};

/// The posts of the plan on the site, by number.
type PostsByNumber = HashMap<usize, StatusRef>;

/// The groups of the plan on the site, by their place in the plan.
type GroupsByPlace = HashMap<usize, GroupId>;

/// Creates missing posts, runs the follows of the time before each round, and presses its buttons after it. Returns the
/// outcomes of the buttons.
pub(super) async fn write_posts(
    plan: &Plan,
    groups: &GroupsByPlace,
    follows: &mut FollowsWriter<'_>,
) -> store::Result<(Completed, Outcomes)> {
    let site = follows.site;
    let progress = Progress::begin("posts", plan.posts());
    let mut presses: HashMap<usize, Vec<&PlannedPress>> = HashMap::new();
    for press in &plan.presses {
        presses.entry(press.post).or_default().push(press);
    }
    let (mut posted, mut pressed) = (PostsByNumber::new(), Outcomes::default());
    for round in &plan.rounds {
        follows
            .write_until(round.first().map_or(Duration::ZERO, |post| post.age))
            .await?;
        write_round(round, (site, groups), &progress, &mut posted).await?;
        let of_post = |post: &PlannedPost| {
            let presses = presses.get(&post.number).into_iter().flatten();
            presses.map(|press| (*press, post.age)).collect::<Vec<_>>()
        };
        let on_site = |(press, age): (&PlannedPress, Duration)| {
            let (by, post) = (site.id(press.person)?, posted.get(&press.post)?);
            Some(((by, age), post.status, press.button))
        };
        let on_site = round.iter().flat_map(of_post).filter_map(on_site);
        let job = |(by, id, button)| press_button(site.store, by, id, button);
        pressed.extend(run_all(site.at_once, on_site, job).await?);
    }
    follows.write_until(Duration::ZERO).await?;
    Ok((progress.end(), pressed))
}

/// The missing part of a post after an earlier run.
enum Missing {
    All {
        reference: Option<StatusRef>,
        group: Option<GroupId>,
    },
    Edit(StatusId),
}

/// Posts the missing part of a round. `posted` receives all of its posts.
async fn write_round(
    round: &[PlannedPost],
    (site, groups): (&SeededSite<'_>, &GroupsByPlace),
    progress: &Progress,
    posted: &mut PostsByNumber,
) -> store::Result<()> {
    let mut missing = Vec::new();
    for post in round {
        let Some(author) = site.member(post.author) else {
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
                let target = |reference: Reference| posted.get(&reference.number()).copied();
                let reference = post.reference.and_then(target);
                let group = post.group.and_then(|place| groups.get(&place).copied());
                let is_complete = reference.is_some() == post.reference.is_some()
                    && group.is_some() == post.group.is_some();
                if is_complete {
                    missing.push((post, author.id, Missing::All { reference, group }));
                }
            }
        }
    }
    let job = async |(post, author, missing)| {
        let status = write_post(site.store, author, post, missing).await?;
        if status.is_some() {
            progress.step();
        }
        Ok(status.map(|status| (post.number, StatusRef { status, author })))
    };
    let written = run_all(site.at_once, missing, job).await?;
    posted.extend(written.into_iter().flatten());
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
        Missing::All { reference, group } => {
            create_post(store, author, post, (reference, group)).await?
        }
    };
    if let Some(id) = id.filter(|_| post.typo.is_some()) {
        let edited = EditState {
            message: post.message.clone(),
            warning: post.warning.clone(),
            revision: 0,
            visibility: None,
        };
        // An edit that comes too late, as in a run long after the first, is skipped.
        let age = age_of_edit(post.age, post.message.as_str());
        let actor = || Actor::dated_back(author, age);
        retry(|| edits::edit(store, actor(), id, &edited)).await?;
    }
    Ok(id)
}

async fn create_post(
    store: &Store,
    author: UserId,
    post: &PlannedPost,
    (reference, group): (Option<StatusRef>, Option<GroupId>),
) -> store::Result<Option<StatusId>> {
    let idempotency_key = idempotency_key(&["post", &author.to_string(), post.message.as_str()]);
    let is_quote = matches!(post.reference, Some(Reference::QuoteOf(_)));
    let draft = || Draft {
        message: post.typo.as_ref().unwrap_or(&post.message).clone(),
        warning: post.warning.clone(),
        poll: post.poll.clone(),
        reply_to: reference.filter(|_| !is_quote).map(|parent| parent.status),
        quote_of: reference.filter(|_| is_quote),
        visibility: Visibility::Public,
        group,
        reply_control: ReplyControl::default(),
    };
    let actor = || Actor::dated_back(author, post.age);
    let posted = retry(|| statuses::post(store, actor(), draft(), &idempotency_key)).await?;
    Ok(match posted {
        Post::Posted(id) | Post::ChangedSince(id) => Some(id),
        Post::KeyReused
        | Post::TargetDeleted
        | Post::ReplyRefused
        | Post::QuoteRefused
        | Post::GroupRefused(_) => None,
    })
}

/// Repeats buttons that were pressed before, which changes nothing.
async fn press_button(
    store: &Store,
    (by, age): (UserId, Duration),
    id: StatusId,
    button: Button,
) -> store::Result<Outcome> {
    Ok(match button {
        Button::Favourite => {
            let age = age_of_favourite(age, &format!("{by} {id}"));
            let actor = || Actor::dated_back(by, age);
            let set = retry(|| favourites::favourite(store, actor(), id)).await?;
            Outcome::of_relation(set, Refusal::Favourite)
        }
        Button::Bookmark => {
            let set = retry(|| bookmarks::bookmark(store, by, id)).await?;
            Outcome::of_relation(set, Refusal::Bookmark)
        }
        Button::Repost => {
            let actor = || Actor::dated_back(by, age_of_repost(age));
            match retry(|| reposts::repost(store, actor(), id)).await? {
                Repost::Done(_) => Outcome::Done,
                Repost::Unknown => Outcome::Obsolete,
            }
        }
        Button::Vote(ballot) => match retry(|| polls::vote(store, by, id, ballot)).await? {
            Cast::Counted => Outcome::Done,
            _ => Outcome::Obsolete,
        },
    })
}
