//! Replies: a living reply is listed under its parent and among the newest replies to the parent's
//! author. A deleted reply stays as a gap while it has replies.

use std::collections::HashSet;

use crate::actions::replies;
use crate::audit::invariants::prelude::*;

pub(in crate::audit) const REPLIES_MIRROR: Invariant = Invariant::new(
    "replies_mirror",
    "replies are listed under their parents, and deleted ones with replies as gaps",
);

const PER_ROUND_TRIP: usize = 500;

/// A parent and its reply.
type Pair = (StatusId, StatusId);

pub(in crate::audit) async fn examine(exam: &mut Examination<'_>) -> Result<()> {
    match exam.target {
        Target::Statuses(statuses) => check_statuses(exam, statuses).await,
        Target::Key(key @ Key::Replies(parent)) => {
            check_listed(exam, key, *parent, ReplyPosition::Reply).await
        }
        Target::Key(key @ Key::Gaps(parent)) => {
            check_listed(exam, key, *parent, ReplyPosition::Gap).await
        }
        Target::User(user, _) => check_received(exam, user.id).await,
        _ => Ok(()),
    }
}

/// Checks that living statuses are listed under their parents, and dead parents under theirs.
async fn check_statuses(exam: &mut Examination<'_>, statuses: &[ExaminedStatus]) -> Result<()> {
    let (mut replies, mut received) = (Vec::<Pair>::new(), Vec::new());
    for status in statuses {
        if let Life::Living(header) = &status.life
            && let Some(parent) = header.reply_to
        {
            replies.push((parent.status, status.id));
            if parent.author != header.author {
                received.push((parent.author, status.id));
            }
        }
    }
    if replies.is_empty() {
        return Ok(());
    }
    exam.examined(REPLIES_MIRROR, replies.len());
    let places: Vec<(StatusId, Pair)> = replies.iter().map(|pair| (pair.1, *pair)).collect();
    check_places(exam, &places).await?;
    let contained = exam.store.are_replies_recorded(&received).await?;
    for ((to, id), _) in received.iter().zip(contained).filter(|(_, is)| !is) {
        let key = Key::ReceivedReplies(*to);
        if exam
            .store
            .user_states(&[*to])
            .await?
            .contains(&UserState::Missing)
        {
            continue;
        }
        exam.found(Fault::missing_status(REPLIES_MIRROR, *id, &key));
    }
    check_gaps(exam, &replies).await
}

/// Checks level by level that each dead ancestor of a living reply is a gap under its parent. A second
/// look starts again from the living reply.
async fn check_gaps(exam: &mut Examination<'_>, replies: &[Pair]) -> Result<()> {
    let ids: Vec<StatusId> = replies.iter().map(|(_, id)| *id).collect();
    let threads = exam.store.threads(&ids).await?;
    let branches = ids.into_iter().zip(threads);
    let mut branches: Vec<(StatusId, Vec<StatusId>)> = branches
        .filter_map(|(id, thread)| Some((id, thread?.above)))
        .collect();
    let mut seen = HashSet::new();
    for level in 0.. {
        branches.retain(|(_, above)| above.len() > level);
        if branches.is_empty() {
            break;
        }
        let nodes: Vec<StatusId> = branches.iter().map(|(_, above)| above[level]).collect();
        let mut lives = exam.store.lives(&nodes).await?.into_iter();
        branches.retain(|_| !lives.next().is_some_and(|life| life.is_living()));
        read_on(exam, &mut branches, level).await?;
        let gaps = branches.iter().filter_map(|(id, above)| {
            let gap = (*above.get(level + 1)?, above[level]);
            seen.insert(gap).then_some((*id, gap))
        });
        let gaps: Vec<(StatusId, Pair)> = gaps.collect();
        check_places(exam, &gaps).await?;
    }
    Ok(())
}

/// Reads further ancestors of the threads that end at this level. A reply names only the nearest.
async fn read_on(
    exam: &mut Examination<'_>,
    branches: &mut [(StatusId, Vec<StatusId>)],
    level: usize,
) -> Result<()> {
    let mut ending: Vec<&mut Vec<StatusId>> = branches
        .iter_mut()
        .map(|(_, above)| above)
        .filter(|above| above.len() == level + 1)
        .collect();
    let last: Vec<StatusId> = ending.iter().map(|above| above[level]).collect();
    for (above, thread) in ending.iter_mut().zip(exam.store.threads(&last).await?) {
        above.extend(thread.into_iter().flat_map(|thread| thread.above));
    }
    Ok(())
}

/// Checks the position of each status under its parent. Faults are about the living reply.
async fn check_places(exam: &mut Examination<'_>, places: &[(StatusId, Pair)]) -> Result<()> {
    for some in places.chunks(PER_ROUND_TRIP) {
        let pairs: Vec<Pair> = some.iter().map(|(_, pair)| *pair).collect();
        let due = exam.store.expected_positions(&pairs).await?;
        let placed = exam.store.stored_positions(&pairs).await?;
        for (((from, pair), due), placed) in some.iter().zip(due).zip(placed) {
            if due != placed {
                exam.found(place_fault(&Key::Status(*from), *pair, due));
            }
        }
    }
    Ok(())
}

fn place_fault(key: &Key, (parent, id): Pair, due: ReplyPosition) -> Fault {
    let (name, parent_name) = (names::status(id), names::status(parent));
    let text = match due {
        ReplyPosition::Reply => {
            format!("{name} is missing in {}", names::key(&Key::Replies(parent)))
        }
        ReplyPosition::Gap => {
            format!("{name} was deleted and has replies, but is no gap under {parent_name}")
        }
        ReplyPosition::Nowhere => {
            format!("{name} is listed under {parent_name} and does not belong there")
        }
    };
    Fault::new(REPLIES_MIRROR, key, text)
        .unless(Key::Status(id))
        .unless(Key::Status(parent))
        .repair_by(place((parent, id)))
}

/// Puts a status into its place under a possible parent.
fn place((parent, id): Pair) -> RepairStep {
    let (name, parent_name) = (names::status(id), names::status(parent));
    let words = format!("put {name} into its place under {parent_name}");
    RepairStep::new(words, move |store| async move {
        replies::reconcile(&store, parent, id).await
    })
}

async fn check_listed(
    exam: &mut Examination<'_>,
    key: &Key,
    parent: StatusId,
    expected: ReplyPosition,
) -> Result<()> {
    let mut members = Members::of(REPLIES_MIRROR, key, "status id");
    while let Some(ids) = members.statuses(exam, |id| place((parent, id))).await? {
        let pairs: Vec<Pair> = ids.into_iter().map(|id| (parent, id)).collect();
        for some in pairs.chunks(PER_ROUND_TRIP) {
            for (pair, due) in some.iter().zip(exam.store.expected_positions(some).await?) {
                if due != expected {
                    exam.found(place_fault(key, *pair, due));
                }
            }
        }
    }
    Ok(())
}

/// Checks the newest replies to a user: living ones, by other users.
async fn check_received(exam: &mut Examination<'_>, of: UserId) -> Result<()> {
    let key = Key::ReceivedReplies(of);
    let mut members = Members::of(REPLIES_MIRROR, &key, "status id");
    while let Some(ids) = members.statuses(exam, repair::reconcile_status).await? {
        for (id, life) in ids.iter().zip(exam.store.lives(&ids).await?) {
            let is_to_user = |to: Option<StatusRef>| to.is_some_and(|to| to.author == of);
            if matches!(&life, Life::Living(reply) if reply.author != of && is_to_user(reply.reply_to))
            {
                continue;
            }
            let fault = members.wrong_member(&names::status(*id), "which is no reply to them");
            let fault = fault.unless(Key::Status(*id));
            exam.found(fault.repair_by(members.remove(id)));
        }
    }
    Ok(())
}
