//! A person's profile and home: each holds exactly what belongs there, in the order of ids.
//!
//! A home is held against the profiles of its sources from the floor up, which is cheap enough to
//! do for every home: one read for each edge. Whether profiles are right is looked at by itself.

use std::collections::HashSet;

use super::{
    Invariant,
    edges::named,
    fault::{Concern, Fault, Look, Remedy, Subject},
};
use crate::{
    domain::{StatusId, UserId},
    store::{Estate, Life, Mark, Pages, Place, Result, Row, Store},
};

/// Profiles that one trip reads.
const PROFILES_A_TRIP: usize = 100;
/// Faults that are noted of one home; they are mended together.
const FAULTS_A_HOME: usize = 20;
/// How many a home may hold above its size before it is trimmed.
const TRIMMED_LAZILY: usize = 24;

/// Looks at all that stands in a profile: living, the person's own, ordered by id. Returns the
/// newest that is, up to the largest id that can be, or 0.
pub(super) async fn look_at_profile(
    store: &Store,
    id: UserId,
    largest: u64,
    look: &mut Look,
) -> Result<u64> {
    let place = Place::Profile(id);
    let mut pages = Pages::of(place);
    let mut newest = 0;
    loop {
        let rows = store.rows(&mut pages).await?;
        if rows.is_empty() {
            return Ok(newest);
        }
        let ids = look_at_rows(place, id, &rows, look);
        look.examined(Invariant::ProfilesHoldTheLiving, ids.len());
        for (status, life) in ids.iter().zip(store.lives(&ids).await?) {
            let remedy = match life {
                Life::Living(author) if author == id => {
                    if status.get() <= largest {
                        newest = newest.max(status.get());
                    }
                    continue;
                }
                Life::Dead(author) if author == id => Remedy::Status(*status),
                _ => Remedy::DropMember(place, status.to_string()),
            };
            let what = match life {
                Life::Living(author) => format!("which is {author}'s"),
                Life::Dead(_) => "which was deleted".into(),
                Life::Absent => "which is not there".into(),
            };
            let fault = Fault::new(
                Invariant::ProfilesHoldTheLiving,
                Subject::Person(id),
                format!("profile of {id} holds {status}, {what}"),
            );
            look.found(fault.unless([Concern::Status(*status)]).mend_by(remedy));
        }
    }
}

/// The statuses among the members of a timeline. Each must have its negated id as its score.
fn look_at_rows(place: Place, owner: UserId, rows: &[Row], look: &mut Look) -> Vec<StatusId> {
    look.examined(Invariant::ScoresOrder, rows.len());
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
                    let remedy = match place {
                        Place::Profile(_) => Remedy::Status(id),
                        _ => Remedy::Rebuild(owner),
                    };
                    let fault = fault(Invariant::ScoresOrder, "has a wrong place in");
                    look.found(fault.detail(score.to_string()).mend_by(remedy));
                }
            }
            Err(_) => {
                let invariant = match place {
                    Place::Profile(_) => Invariant::ProfilesHoldTheLiving,
                    _ => Invariant::HomesAreComplete,
                };
                let fault = fault(invariant, "is no status and stands in");
                look.found(fault.mend_by(Remedy::DropMember(place, member.clone())));
            }
        }
    }
    ids
}

/// Looks at a home that has a floor. One that nobody reads or that is being built holds nothing
/// that counts.
pub(super) async fn look_at_home(store: &Store, estate: &Estate, look: &mut Look) -> Result<()> {
    let id = estate.id;
    look_at_mark(store, estate, look);
    let Mark::Floor(floor) = estate.mark else {
        return Ok(());
    };
    look.examined(Invariant::HomesAreComplete, 1);
    let held = held(store, id, look).await?;
    let most = store.config().limits.home_size + TRIMMED_LAZILY;
    if held.len() > most {
        let fault = home_fault(id, format!("home of {id} holds more than {most}"), []);
        look.found(fault.detail(held.len().to_string()));
    }
    let sources = sources(store, id).await?;
    let mut expected = HashSet::new();
    for authors in sources.chunks(PROFILES_A_TRIP) {
        expected.extend(store.posted_since(authors, floor, most + 1).await?);
        if expected.len() > 2 * most {
            break;
        }
    }
    let mut missing: Vec<StatusId> = expected.difference(&held).copied().collect();
    missing.sort_unstable_by(|a, b| b.cmp(a));
    missing.truncate(FAULTS_A_HOME);
    for (status, life) in missing.iter().zip(store.lives(&missing).await?) {
        if let Life::Living(author) = life {
            let what = format!("home of {id} lacks {status}");
            look.found(home_fault(id, what, concerns(*status, id, author)));
        }
    }
    if expected.len() <= 2 * most {
        let mut extra: Vec<StatusId> = held.difference(&expected).copied().collect();
        extra.sort_unstable();
        extra.truncate(FAULTS_A_HOME);
        look_at_extra(store, id, floor, &sources, &extra, look).await?;
    }
    Ok(())
}

fn home_fault(of: UserId, what: String, concerns: impl IntoIterator<Item = Concern>) -> Fault {
    Fault::new(Invariant::HomesAreComplete, Subject::Person(of), what)
        .unless(concerns)
        .unless([Concern::Home(of)])
        .mend_by(Remedy::Rebuild(of))
}

fn concerns(status: StatusId, reader: UserId, author: UserId) -> [Concern; 2] {
    [Concern::Status(status), Concern::Edge(reader, author)]
}

/// What stands in the home and in no profile that it is made of. A living status of one of the
/// sources is missing from their profile, which is found there.
async fn look_at_extra(
    store: &Store,
    id: UserId,
    floor: u64,
    sources: &[UserId],
    extra: &[StatusId],
    look: &mut Look,
) -> Result<()> {
    for (status, life) in extra.iter().zip(store.lives(extra).await?) {
        let (why, author) = match life {
            Life::Living(author) if status.get() < floor => ("below its floor", author),
            Life::Living(author) if sources.contains(&author) => continue,
            Life::Living(author) => ("by somebody whom they do not follow", author),
            Life::Dead(author) => ("which was deleted", author),
            Life::Absent => ("which is not there", id),
        };
        let what = format!("home of {id} holds {status}, {why}");
        look.found(home_fault(id, what, concerns(*status, id, author)));
    }
    Ok(())
}

async fn held(store: &Store, id: UserId, look: &mut Look) -> Result<HashSet<StatusId>> {
    let place = Place::Home(id);
    let mut pages = Pages::of(place);
    let mut held = HashSet::new();
    loop {
        let rows = store.rows(&mut pages).await?;
        if rows.is_empty() {
            return Ok(held);
        }
        held.extend(look_at_rows(place, id, &rows, look));
    }
}

/// Whose statuses a home holds.
async fn sources(store: &Store, id: UserId) -> Result<Vec<UserId>> {
    let mut pages = Pages::of(Place::Following(id));
    let mut sources = vec![id];
    loop {
        let rows = store.rows(&mut pages).await?;
        if rows.is_empty() {
            return Ok(sources);
        }
        let others = rows
            .iter()
            .filter_map(|(member, _)| member.parse::<UserId>().ok());
        sources.extend(others.filter(|other| *other != id));
    }
}

/// A mark that names neither a floor nor a rebuild would stop every script that reads it.
fn look_at_mark(store: &Store, estate: &Estate, look: &mut Look) {
    let Some(text) = &estate.mark_text else {
        return;
    };
    let building = text.strip_prefix("building:").and_then(|rest| {
        let (token, floor) = rest.split_once(':')?;
        let hexadecimal = token.bytes().all(|byte| byte.is_ascii_hexdigit());
        (hexadecimal && !token.is_empty() && floor.parse::<u64>().is_ok()).then_some(())
    });
    if estate.mark == Mark::Building && building.is_none() {
        let fault = Fault::new(
            Invariant::HomesAreComplete,
            Subject::Person(estate.id),
            format!("the mark of the home of {} says nothing", estate.id),
        );
        let remedy = Remedy::Unlink(store.mark_name(estate.id));
        look.found(fault.detail(format!("{text:?}")).mend_by(remedy));
    }
}
