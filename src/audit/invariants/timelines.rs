//! Timelines: homes and lists contain exactly the statuses that belong there, in the order of ids.
//!
//! A timeline is compared with the profiles of its sources from its floor upwards. That costs one read
//! per relation, cheap enough for every timeline. Profiles are checked by themselves.

use std::collections::HashSet;

use super::prelude::*;

pub(super) const HOMES_ARE_COMPLETE: Invariant = Invariant::new(
    "homes_are_complete",
    "homes contain exactly the living statuses of their sources from their floor up",
);
pub(super) const LIST_TIMELINES_ARE_COMPLETE: Invariant = Invariant::new(
    "list_timelines_are_complete",
    "lists contain exactly the living statuses of their members from their floor up",
);

const SOURCES_PER_ROUND_TRIP: usize = 100;
const STATUSES_PER_ROUND_TRIP: usize = 1000;
/// Number of statuses compared per entry of a timeline, because not all of its sources belong there.
const COMPARED_PER_ENTRY: usize = 20;
/// Maximum number of faults recorded per timeline. One repair covers all.
const FAULTS_PER_TIMELINE: usize = 20;
/// Number of entries above its size that a timeline may have before it is trimmed.
const TRIMMED_LAZILY: usize = 24;

pub(super) async fn examine(exam: &mut Examination<'_>) -> Result<()> {
    if let Target::User(user, _) = exam.target {
        let home = Timeline::Home(user.id);
        let mark = (user.mark, user.mark_text.clone());
        check_timeline(exam, home, mark).await?;
        for list in exam.store.lists(user.id).await? {
            let timeline = Timeline::List(list.id);
            let mark = exam.store.mark(timeline).await?;
            check_timeline(exam, timeline, mark).await?;
        }
    }
    Ok(())
}

fn invariant_of(timeline: Timeline) -> Invariant {
    match timeline {
        Timeline::Home(_) => HOMES_ARE_COMPLETE,
        Timeline::List(_) => LIST_TIMELINES_ARE_COMPLETE,
    }
}

/// Checks a timeline with a floor. A dormant timeline or one under construction has no valid entries.
async fn check_timeline(
    exam: &mut Examination<'_>,
    timeline: Timeline,
    (mark, text): (Mark, Option<String>),
) -> Result<()> {
    check_mark(exam, timeline, mark, text);
    let Mark::Floor(floor) = mark else {
        return Ok(());
    };
    exam.examined(invariant_of(timeline), 1);
    let name = names::key(&timeline.into());
    let contained = contained(exam, timeline).await?;
    let most = exam.store.config().limits.home_size + TRIMMED_LAZILY;
    if contained.len() > most {
        let fault = timeline_fault(
            timeline,
            format!("{name} contains more than {most} statuses"),
        );
        exam.found(fault.detail(contained.len().to_string()));
    }
    let sources = exam.store.sources(timeline).await?;
    let mut statuses = contained.clone();
    for some in keys_of(&sources).chunks(SOURCES_PER_ROUND_TRIP) {
        statuses.extend(exam.store.newest_since(some, floor, most + 1).await?);
        if statuses.len() > COMPARED_PER_ENTRY * most {
            break;
        }
    }
    for (status, author, fault) in differences(exam, &sources, floor, &contained, statuses).await? {
        let status_name = names::status(status);
        let text = match fault {
            Some(why) => format!("{name} contains {status_name}, {why}"),
            None => format!("{status_name} is missing in {name}"),
        };
        let fault = timeline_fault(timeline, text).unless(Key::Status(status));
        exam.found(match timeline {
            Timeline::Home(reader) => fault.unless((Key::Following(reader), author)),
            Timeline::List(list) => fault.unless((Key::ListMembers(list), author)),
        });
    }
    Ok(())
}

/// Returns the sorted sets that a timeline is merged from.
fn keys_of(sources: &Sources) -> Vec<Key> {
    let profiles = sources.authors().into_iter().map(Key::Profile);
    let tags = sources.tags.iter().cloned().map(Key::TagIndex);
    let groups = sources.groups.iter().copied().map(Key::GroupTimeline);
    profiles.chain(tags).chain(groups).collect()
}

/// Returns the statuses that are missing or wrongly contained, newest first, with their authors and the
/// reason why they do not belong there.
async fn differences(
    exam: &mut Examination<'_>,
    sources: &Sources,
    floor: u64,
    contained: &HashSet<StatusId>,
    statuses: HashSet<StatusId>,
) -> Result<Vec<(StatusId, UserId, Option<&'static str>)>> {
    let mut statuses: Vec<StatusId> = statuses.into_iter().collect();
    statuses.sort_unstable_by(|a, b| b.cmp(a));
    let mut wrong = Vec::new();
    for some in statuses.chunks(STATUSES_PER_ROUND_TRIP) {
        for (status, life) in some.iter().zip(exam.store.lives(some).await?) {
            let (author, why_not) = match life {
                Life::Living(header) if !sources.belongs(&header) => {
                    (header.author, Some("which does not belong there"))
                }
                Life::Living(header) if status.get() < floor => {
                    (header.author, Some("which is below its floor"))
                }
                // It is delivered when a moderator approves it.
                Life::Living(header) if header.waiting_since.is_some() => continue,
                Life::Living(header) => (header.author, None),
                Life::Dead(header) => (header.author, Some("which was deleted")),
                Life::Absent => (sources.timeline.owner(), Some("which does not exist")),
            };
            if contained.contains(status) == why_not.is_some() {
                wrong.push((*status, author, why_not));
            }
        }
        if wrong.len() >= FAULTS_PER_TIMELINE {
            wrong.truncate(FAULTS_PER_TIMELINE);
            break;
        }
    }
    Ok(wrong)
}

fn timeline_fault(of: Timeline, text: String) -> Fault {
    Fault::new(invariant_of(of), Key::from(of), text)
        .unless(Key::from(of))
        .repair_by(repair::rebuild_timeline(of))
}

async fn contained(exam: &mut Examination<'_>, timeline: Timeline) -> Result<HashSet<StatusId>> {
    let key = Key::from(timeline);
    let mut members = Members::of(invariant_of(timeline), &key, "status id");
    let mut contained = HashSet::new();
    let rebuild = |_| repair::rebuild_timeline(timeline);
    while let Some(ids) = members.statuses(exam, rebuild).await? {
        contained.extend(ids);
    }
    Ok(contained)
}

/// Checks the active mark. One that is neither a floor nor a rebuild would stop its scripts.
fn check_mark(exam: &mut Examination<'_>, timeline: Timeline, mark: Mark, text: Option<String>) {
    let Some(text) = text else {
        return;
    };
    let building = text.strip_prefix("building:").and_then(|rest| {
        let (token, floor) = rest.split_once(':')?;
        let hexadecimal = token.bytes().all(|byte| byte.is_ascii_hexdigit());
        (hexadecimal && !token.is_empty() && floor.parse::<u64>().is_ok()).then_some(())
    });
    if mark == Mark::Building && building.is_none() {
        let key = match timeline {
            Timeline::Home(of) => Key::Active(of),
            Timeline::List(list) => Key::ListActive(list),
        };
        let what = format!("{} is neither a floor nor a rebuild", names::key(&key));
        let fault = Fault::new(invariant_of(timeline), &key, what);
        let repair = repair::delete_key(key.name());
        exam.found(fault.detail(format!("{text:?}")).repair_by(repair));
    }
}
