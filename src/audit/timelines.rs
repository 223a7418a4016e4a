//! Timelines: profile, home and lists hold exactly the statuses that belong there, in the order of ids.
//!
//! A home or list is compared with the profiles of its sources from its floor upwards. That costs one
//! read per relation, cheap enough for every timeline. Profiles are checked by themselves.

use std::collections::HashSet;

use super::{
    Invariant,
    edges::named,
    fault::{Concern, Fault, Findings, Remedy, Subject},
};
use crate::{
    domain::{ProfileView, Sources, StatusId, Timeline, UserId},
    store::{Estate, Key, Life, Mark, Pages, Result, Row, Store},
};

/// Number of profiles and tags per round trip.
const SOURCES_PER_ROUND_TRIP: usize = 100;
/// Number of statuses per round trip.
const STATUSES_PER_ROUND_TRIP: usize = 1000;
/// Number of statuses compared per entry of a timeline. More are needed if few statuses of its sources
/// belong there.
const LOOKED_AT: usize = 20;
/// Maximum number of faults recorded per timeline. One repair covers all.
const FAULTS_PER_TIMELINE: usize = 20;
/// Number of entries above its size that a timeline may have before it is trimmed.
const TRIMMED_LAZILY: usize = 24;

/// Checks a profile: living statuses of its owner, ordered by id. Returns the newest valid id, or 0.
pub(super) async fn check_profile(
    store: &Store,
    id: UserId,
    largest: u64,
    findings: &mut Findings,
) -> Result<u64> {
    let place = Key::Profile(id);
    let mut pages = Pages::of(&place);
    let mut newest = 0;
    loop {
        let rows = store.rows(&mut pages).await?;
        if rows.is_empty() {
            return Ok(newest);
        }
        let ids = check_rows(&place, id, &rows, findings);
        findings.examined(Invariant::ProfilesHoldTheLiving, ids.len());
        for (status, life) in ids.iter().zip(store.lives(&ids).await?) {
            let remedy = match &life {
                Life::Living(theirs) if theirs.author == id => {
                    if status.get() <= largest {
                        newest = newest.max(status.get());
                    }
                    continue;
                }
                Life::Dead(theirs) if theirs.author == id => Remedy::Status(*status),
                _ => Remedy::DropMember(place.clone(), status.to_string()),
            };
            let what = match life {
                Life::Living(other) => format!("which is {}'s", other.author),
                Life::Dead(_) => "which was deleted".into(),
                Life::Absent => "which is not there".into(),
            };
            let fault = Fault::new(
                Invariant::ProfilesHoldTheLiving,
                Subject::Person(id),
                format!("profile of {id} holds {status}, {what}"),
            );
            findings.found(fault.unless([Concern::Status(*status)]).repair_by(remedy));
        }
    }
}

/// Checks the posts of a profile: the profile without replies. The profile itself is checked separately.
pub(super) async fn check_posts(store: &Store, id: UserId, findings: &mut Findings) -> Result<()> {
    for place in [Key::Profile(id), Key::Posts(id)] {
        let mut pages = Pages::of(&place);
        loop {
            let rows = store.rows(&mut pages).await?;
            if rows.is_empty() {
                break;
            }
            let ids = match place {
                Key::Posts(_) => check_rows(&place, id, &rows, findings),
                _ => rows
                    .iter()
                    .filter_map(|(member, _)| member.parse().ok())
                    .collect(),
            };
            findings.examined(Invariant::ProfilesHoldTheLiving, ids.len());
            let shown = store.stand_in_posts(id, &ids).await?;
            for ((status, life), shown) in ids.iter().zip(store.lives(&ids).await?).zip(shown) {
                let belongs = matches!(&life, Life::Living(theirs)
                    if theirs.author == id && theirs.view() == ProfileView::Posts);
                if belongs != shown {
                    findings.found(posts_fault(id, *status, shown));
                }
            }
        }
    }
    Ok(())
}

fn posts_fault(of: UserId, status: StatusId, shown: bool) -> Fault {
    let (what, remedy) = if shown {
        let what = format!("posts of {of} hold {status}, which does not belong there");
        (what, Remedy::DropMember(Key::Posts(of), status.to_string()))
    } else {
        (
            format!("posts of {of} lack {status}"),
            Remedy::Status(status),
        )
    };
    Fault::new(Invariant::ProfilesHoldTheLiving, Subject::Person(of), what)
        .unless([Concern::Status(status)])
        .repair_by(remedy)
}

/// Returns the statuses among the members. Each must have its negated id as score.
fn check_rows(place: &Key, owner: UserId, rows: &[Row], findings: &mut Findings) -> Vec<StatusId> {
    let (holds, timeline) = match *place {
        Key::ListTimeline(list) => (Invariant::ListsAreComplete, Some(Timeline::List(list))),
        Key::Home(of) => (Invariant::HomesAreComplete, Some(Timeline::Home(of))),
        _ => (Invariant::ProfilesHoldTheLiving, None),
    };
    findings.examined(Invariant::ScoresOrder, rows.len());
    let mut ids = Vec::with_capacity(rows.len());
    for (member, score) in rows {
        let fault = |invariant, what: &str| {
            let what = format!("{member} {what} {}", named(place));
            Fault::new(invariant, Subject::Person(owner), what)
        };
        match member.parse::<StatusId>() {
            Ok(id) => {
                ids.push(id);
                if *score != -(id.get() as f64) {
                    let remedy = timeline.map_or(Remedy::Status(id), Remedy::Rebuild);
                    let fault = fault(Invariant::ScoresOrder, "has a wrong place in");
                    findings.found(fault.detail(score.to_string()).repair_by(remedy));
                }
            }
            Err(_) => {
                let fault = fault(holds, "is no status and stands in");
                findings.found(fault.repair_by(Remedy::DropMember(place.clone(), member.clone())));
            }
        }
    }
    ids
}

/// Checks a person's home.
pub(super) async fn check_home(
    store: &Store,
    estate: &Estate,
    findings: &mut Findings,
) -> Result<()> {
    let home = Timeline::Home(estate.id);
    let mark = (estate.mark, estate.mark_text.clone());
    check_timeline(store, home, mark, findings).await
}

/// Checks a timeline with a floor. A dormant timeline or one under construction has no valid entries.
pub(super) async fn check_timeline(
    store: &Store,
    timeline: Timeline,
    (mark, text): (Mark, Option<String>),
    findings: &mut Findings,
) -> Result<()> {
    check_mark(store, timeline, mark, text, findings);
    let Mark::Floor(floor) = mark else {
        return Ok(());
    };
    findings.examined(invariant_of(timeline), 1);
    let held = held(store, timeline, findings).await?;
    let most = store.config().limits.home_size + TRIMMED_LAZILY;
    if held.len() > most {
        let what = format!("{} holds more than {most}", named(&timeline.into()));
        let fault = timeline_fault(timeline, what, []);
        findings.found(fault.detail(held.len().to_string()));
    }
    let sources = store.sources(timeline).await?;
    let mut statuses = held.clone();
    for some in places_of(&sources).chunks(SOURCES_PER_ROUND_TRIP) {
        statuses.extend(store.posted_since(some, floor, most + 1).await?);
        if statuses.len() > LOOKED_AT * most {
            break;
        }
    }
    let wrong = wrong_among(store, &sources, floor, &held, statuses).await?;
    for (status, author, what) in wrong {
        let what = format!("{} {what}", named(&timeline.into()));
        let concerns = concerns(status, timeline, author);
        findings.found(timeline_fault(timeline, what, concerns));
    }
    Ok(())
}

/// Returns the ZSETs that a timeline is merged from.
fn places_of(sources: &Sources) -> Vec<Key> {
    let profiles = sources.authors().into_iter().map(Key::Profile);
    let tags = sources.tags.iter().cloned().map(Key::TagIndex);
    profiles.chain(tags).collect()
}

/// Returns the statuses that are wrongly present or missing, newest first, with authors and the kind of
/// fault.
async fn wrong_among(
    store: &Store,
    sources: &Sources,
    floor: u64,
    held: &HashSet<StatusId>,
    statuses: HashSet<StatusId>,
) -> Result<Vec<(StatusId, UserId, String)>> {
    let mut statuses: Vec<StatusId> = statuses.into_iter().collect();
    statuses.sort_unstable_by(|a, b| b.cmp(a));
    let mut wrong = Vec::new();
    for some in statuses.chunks(STATUSES_PER_ROUND_TRIP) {
        for (status, life) in some.iter().zip(store.lives(some).await?) {
            let (author, stranger) = match life {
                Life::Living(come) if !sources.belongs(&come) => {
                    (come.author, Some("which does not belong there"))
                }
                Life::Living(come) if status.get() < floor => {
                    (come.author, Some("below its floor"))
                }
                Life::Living(come) => (come.author, None),
                Life::Dead(came) => (came.author, Some("which was deleted")),
                Life::Absent => (sources.timeline.owner(), Some("which is not there")),
            };
            match (held.contains(status), stranger) {
                (true, Some(why)) => {
                    wrong.push((*status, author, format!("holds {status}, {why}")))
                }
                (false, None) => wrong.push((*status, author, format!("lacks {status}"))),
                _ => {}
            }
        }
        if wrong.len() >= FAULTS_PER_TIMELINE {
            wrong.truncate(FAULTS_PER_TIMELINE);
            break;
        }
    }
    Ok(wrong)
}

fn invariant_of(timeline: Timeline) -> Invariant {
    match timeline {
        Timeline::Home(_) => Invariant::HomesAreComplete,
        Timeline::List(_) => Invariant::ListsAreComplete,
    }
}

fn timeline_fault(
    of: Timeline,
    what: String,
    concerns: impl IntoIterator<Item = Concern>,
) -> Fault {
    Fault::new(invariant_of(of), Subject::Person(of.owner()), what)
        .unless(concerns)
        .unless([Concern::Timeline(of)])
        .repair_by(Remedy::Rebuild(of))
}

fn concerns(status: StatusId, timeline: Timeline, author: UserId) -> [Concern; 2] {
    let source = match timeline {
        Timeline::Home(reader) => Concern::Edge(reader, author),
        Timeline::List(list) => Concern::ListMembership(list, author),
    };
    [Concern::Status(status), source]
}

async fn held(
    store: &Store,
    timeline: Timeline,
    findings: &mut Findings,
) -> Result<HashSet<StatusId>> {
    let place = Key::from(timeline);
    let mut pages = Pages::of(&place);
    let mut held = HashSet::new();
    loop {
        let rows = store.rows(&mut pages).await?;
        if rows.is_empty() {
            return Ok(held);
        }
        held.extend(check_rows(&place, timeline.owner(), &rows, findings));
    }
}

/// Checks the mark. A mark that is neither a floor nor a rebuild would stop every script that reads it.
fn check_mark(
    store: &Store,
    timeline: Timeline,
    mark: Mark,
    text: Option<String>,
    findings: &mut Findings,
) {
    let Some(text) = text else {
        return;
    };
    let building = text.strip_prefix("building:").and_then(|rest| {
        let (token, floor) = rest.split_once(':')?;
        let hexadecimal = token.bytes().all(|byte| byte.is_ascii_hexdigit());
        (hexadecimal && !token.is_empty() && floor.parse::<u64>().is_ok()).then_some(())
    });
    if mark == Mark::Building && building.is_none() {
        let fault = Fault::new(
            invariant_of(timeline),
            Subject::Person(timeline.owner()),
            format!("the mark of the {} says nothing", named(&timeline.into())),
        );
        let remedy = Remedy::Unlink(store.mark_name(timeline));
        findings.found(fault.detail(format!("{text:?}")).repair_by(remedy));
    }
}
