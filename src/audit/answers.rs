//! Replies: a living reply is listed under its parent and among the newest replies to the parent's
//! author. A deleted reply stays as a gap while it has replies.

use std::collections::HashSet;

use super::{
    Invariant,
    edges::named,
    fault::{Concern, Fault, Findings, Remedy, Subject},
};
use crate::{
    domain::{Stand, StatusId, StatusRef, UserId},
    store::{Key, Life, Pages, Result, Row, Store},
};

/// Number of statuses per round trip.
const PER_ROUND_TRIP: usize = 500;

/// A parent and its reply.
type Pair = (StatusId, StatusId);

/// Checks that these living statuses are listed under their parents, and dead parents under theirs.
pub(super) async fn check(
    store: &Store,
    living: &[StatusId],
    findings: &mut Findings,
) -> Result<()> {
    let lives = store.lives(living).await?;
    let (mut answers, mut noted) = (Vec::<Pair>::new(), Vec::new());
    for (id, life) in living.iter().zip(lives) {
        let Some(come) = life.living() else { continue };
        let Some(answered) = come.reply_to else {
            continue;
        };
        answers.push((answered.status, *id));
        if answered.author != come.author {
            noted.push((answered.author, *id));
        }
    }
    if answers.is_empty() {
        return Ok(());
    }
    findings.examined(Invariant::AnswersMirror, answers.len());
    let places: Vec<(StatusId, Pair)> = answers.iter().map(|pair| (pair.1, *pair)).collect();
    check_places(store, &places, findings).await?;
    for ((to, id), noted) in noted.iter().zip(store.are_noted(&noted).await?) {
        if !noted {
            let what = format!("{id} is missing among the answers to user {to}");
            let fault = Fault::new(Invariant::AnswersMirror, Subject::Status(*id), what);
            let fault = fault.unless([Concern::Status(*id)]);
            findings.found(fault.repair_by(Remedy::Status(*id)));
        }
    }
    check_gaps(store, &answers, findings).await
}

/// Checks level by level that each dead ancestor of a living reply is a gap under its parent. A second
/// look starts again from the living reply.
async fn check_gaps(store: &Store, answers: &[Pair], findings: &mut Findings) -> Result<()> {
    let ids: Vec<StatusId> = answers.iter().map(|(_, id)| *id).collect();
    let threads = store.threads(&ids).await?;
    let lines = ids.into_iter().zip(threads);
    let mut lines: Vec<(StatusId, Vec<StatusId>)> = lines
        .filter_map(|(id, thread)| Some((id, thread?.above)))
        .collect();
    let mut seen = HashSet::new();
    for level in 0.. {
        lines.retain(|(_, above)| above.len() > level);
        if lines.is_empty() {
            break;
        }
        let nodes: Vec<StatusId> = lines.iter().map(|(_, above)| above[level]).collect();
        let mut lives = store.lives(&nodes).await?.into_iter();
        lines.retain(|_| !lives.next().is_some_and(|life| life.is_living()));
        read_on(store, &mut lines, level).await?;
        let gaps = lines.iter().filter_map(|(id, above)| {
            let gap = (*above.get(level + 1)?, above[level]);
            seen.insert(gap).then_some((*id, gap))
        });
        let gaps: Vec<(StatusId, Pair)> = gaps.collect();
        check_places(store, &gaps, findings).await?;
    }
    Ok(())
}

/// Reads further ancestors of the threads that end at this level, because a reply names only the
/// nearest.
async fn read_on(
    store: &Store,
    lines: &mut [(StatusId, Vec<StatusId>)],
    level: usize,
) -> Result<()> {
    let mut ending: Vec<&mut Vec<StatusId>> = lines
        .iter_mut()
        .map(|(_, above)| above)
        .filter(|above| above.len() == level + 1)
        .collect();
    let last: Vec<StatusId> = ending.iter().map(|above| above[level]).collect();
    for (above, thread) in ending.iter_mut().zip(store.threads(&last).await?) {
        above.extend(thread.into_iter().flat_map(|thread| thread.above));
    }
    Ok(())
}

/// Checks the position of each status under its parent. Faults are about the living reply.
async fn check_places(
    store: &Store,
    places: &[(StatusId, Pair)],
    findings: &mut Findings,
) -> Result<()> {
    for some in places.chunks(PER_ROUND_TRIP) {
        let pairs: Vec<Pair> = some.iter().map(|(_, pair)| *pair).collect();
        let due = store.where_due(&pairs).await?;
        let placed = store.where_placed(&pairs).await?;
        for (((from, pair), due), placed) in some.iter().zip(due).zip(placed) {
            if due != placed {
                findings.found(place_fault(Subject::Status(*from), *pair, due));
            }
        }
    }
    Ok(())
}

fn place_fault(subject: Subject, (to, id): Pair, due: Stand) -> Fault {
    let what = match due {
        Stand::Answer => format!("{id} answers status {to}, which does not know"),
        Stand::Gap => format!("{id} was deleted and answered, and is no gap under status {to}"),
        Stand::Nowhere => format!("{id} stands under status {to} and does not belong there"),
    };
    Fault::new(Invariant::AnswersMirror, subject, what)
        .unless([Concern::Status(id), Concern::Status(to)])
        .repair_by(Remedy::Answer(to, id))
}

/// Checks the listed replies or gaps of a status.
pub(super) async fn check_replies(
    store: &Store,
    subject: &Subject,
    to: StatusId,
) -> Result<Findings> {
    let mut findings = Findings::default();
    let (place, stand) = match subject {
        Subject::Gaps(_) => (Key::Gaps(to), Stand::Gap),
        _ => (Key::Replies(to), Stand::Answer),
    };
    let mut pages = Pages::of(&place);
    loop {
        let rows = store.rows(&mut pages).await?;
        if rows.is_empty() {
            return Ok(findings);
        }
        findings.examined(Invariant::AnswersMirror, rows.len());
        let remedy = |id| Remedy::Answer(to, id);
        let pairs: Vec<Pair> = statuses(&place, subject, &rows, remedy, &mut findings)
            .into_iter()
            .map(|id| (to, id))
            .collect();
        for some in pairs.chunks(PER_ROUND_TRIP) {
            for (pair, due) in some.iter().zip(store.where_due(some).await?) {
                if due != stand {
                    findings.found(place_fault(subject.clone(), *pair, due));
                }
            }
        }
    }
}

/// Checks the newest replies to a person: living ones, by other people.
pub(super) async fn check_answered(
    store: &Store,
    of: UserId,
    findings: &mut Findings,
) -> Result<()> {
    let place = Key::ReceivedReplies(of);
    let subject = Subject::Person(of);
    let mut pages = Pages::of(&place);
    loop {
        let rows = store.rows(&mut pages).await?;
        if rows.is_empty() {
            return Ok(());
        }
        findings.examined(Invariant::AnswersMirror, rows.len());
        let ids = statuses(&place, &subject, &rows, Remedy::Status, findings);
        for (id, life) in ids.iter().zip(store.lives(&ids).await?) {
            let answers = |to: Option<StatusRef>| to.is_some_and(|to| to.author == of);
            if matches!(&life, Life::Living(come) if come.author != of && answers(come.reply_to)) {
                continue;
            }
            let what = format!("{id} is said to answer user {of}, and does not");
            let fault = Fault::new(Invariant::AnswersMirror, subject.clone(), what);
            let remedy = Remedy::DropMember(place.clone(), id.to_string());
            findings.found(fault.unless([Concern::Status(*id)]).repair_by(remedy));
        }
    }
}

/// Returns the statuses among the members. Each must have its negated id as score; `remedy` replaces
/// one.
fn statuses(
    place: &Key,
    subject: &Subject,
    rows: &[Row],
    remedy: impl Fn(StatusId) -> Remedy,
    findings: &mut Findings,
) -> Vec<StatusId> {
    findings.examined(Invariant::ScoresOrder, rows.len());
    let mut ids = Vec::with_capacity(rows.len());
    for (member, score) in rows {
        match member.parse::<StatusId>() {
            Ok(id) => {
                ids.push(id);
                if *score != -(id.get() as f64) {
                    let what = format!("{member} has a wrong place in {}", named(place));
                    let fault = Fault::new(Invariant::ScoresOrder, subject.clone(), what);
                    findings.found(fault.detail(score.to_string()).repair_by(remedy(id)));
                }
            }
            Err(_) => {
                let what = format!("{member} is no status and stands in {}", named(place));
                let fault = Fault::new(Invariant::AnswersMirror, subject.clone(), what);
                findings.found(fault.repair_by(Remedy::DropMember(place.clone(), member.clone())));
            }
        }
    }
    ids
}
