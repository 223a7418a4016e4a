//! Saved statuses: favourites and their mirrors agree, and members are statuses. A deleted status is no
//! fault here; it is removed when the page is read.

use super::{
    Invariant,
    edges::{check_scores, named},
    fault::{Concern, Fault, Findings, Remedy, Subject},
};
use crate::{
    domain::{Collection, StatusId, UserId},
    store::{Key, Pages, Relation, Result, Row, Store},
};

/// Number of favourites per round trip.
const PER_ROUND_TRIP: usize = 500;

/// Checks a person's favourites and bookmarks.
pub(super) async fn check(store: &Store, id: UserId, findings: &mut Findings) -> Result<()> {
    for collection in Collection::ALL {
        let place = Key::collection(id, collection);
        let subject = Subject::Person(id);
        let mut pages = Pages::of(&place);
        let mut last = None;
        loop {
            let rows = store.rows(&mut pages).await?;
            if rows.is_empty() {
                break;
            }
            check_scores(&place, &subject, &rows, &mut last, findings);
            let ids: Vec<StatusId> = members(&place, &subject, "status", &rows, findings);
            if collection == Collection::Favourites {
                for ids in ids.chunks(PER_ROUND_TRIP) {
                    check_favourites(store, id, ids, findings).await?;
                }
            }
        }
    }
    Ok(())
}

async fn check_favourites(
    store: &Store,
    id: UserId,
    favourites: &[StatusId],
    findings: &mut Findings,
) -> Result<()> {
    let lives = store.lives(favourites).await?;
    let relations = favourites
        .iter()
        .map(|status| Relation::favourite(id, *status));
    let mirrored = store.are_mirrored(relations.collect()).await?;
    for ((status, life), mirrored) in favourites.iter().zip(lives).zip(mirrored) {
        if life.is_living() && !mirrored {
            let what = format!("user {id} favours status {status}, which does not know");
            findings.found(mirror_fault(Subject::Person(id), what, id, *status));
        }
    }
    Ok(())
}

/// Checks the people listed as having favourited a status.
pub(super) async fn check_favourited_by(store: &Store, of: StatusId) -> Result<Findings> {
    let mut findings = Findings::default();
    let place = Key::FavouritedBy(of);
    let subject = Subject::FavouritedBy(of);
    let mut pages = Pages::of(&place);
    let mut last = None;
    loop {
        let rows = store.rows(&mut pages).await?;
        if rows.is_empty() {
            return Ok(findings);
        }
        check_scores(&place, &subject, &rows, &mut last, &mut findings);
        let people: Vec<UserId> = members(&place, &subject, "person", &rows, &mut findings);
        for people in people.chunks(PER_ROUND_TRIP) {
            let relations = people.iter().map(|id| Relation::favourite(*id, of));
            let favourite = store.have_relations(relations.collect()).await?;
            for (id, _) in people.iter().zip(favourite).filter(|(_, favours)| !favours) {
                let what = format!("user {id} is said to favour status {of}, and does not");
                findings.found(mirror_fault(subject.clone(), what, *id, of));
            }
        }
    }
}

/// Returns the ids among the members.
fn members<Id: std::str::FromStr>(
    place: &Key,
    subject: &Subject,
    noun: &str,
    rows: &[Row],
    findings: &mut Findings,
) -> Vec<Id> {
    findings.examined(Invariant::FavouritesMirror, rows.len());
    let mut ids = Vec::with_capacity(rows.len());
    for (member, _) in rows {
        match member.parse() {
            Ok(id) => ids.push(id),
            Err(_) => {
                let what = format!("{member} is no {noun} and stands in {}", named(place));
                let fault = Fault::new(Invariant::FavouritesMirror, subject.clone(), what);
                findings.found(fault.repair_by(Remedy::DropMember(place.clone(), member.clone())));
            }
        }
    }
    ids
}

fn mirror_fault(subject: Subject, what: String, by: UserId, status: StatusId) -> Fault {
    Fault::new(Invariant::FavouritesMirror, subject, what)
        .unless([Concern::Favourite(by, status)])
        .repair_by(Remedy::Favourite(by, status))
}
