//! The tag index and the mention index: each entry holds exactly the living statuses that belong there.

use super::{
    Invariant,
    edges::named,
    fault::{Concern, Fault, Findings, Remedy, Subject},
};
use crate::{
    domain::{FoldedTag, StatusHeader, StatusId, UserId},
    store::{IndexEntry, Key, Life, Pages, Result, Row, Store},
};

/// An index entry, and its names in the audit.
struct Shelf {
    heading: IndexEntry,
    place: Key,
    subject: Subject,
}

impl Shelf {
    fn of_tag(tag: &FoldedTag) -> Self {
        Self {
            heading: IndexEntry::Tag(tag.clone()),
            place: Key::TagIndex(tag.clone()),
            subject: Subject::Tagged(tag.clone()),
        }
    }

    fn of_mentions(of: UserId) -> Self {
        Self {
            heading: IndexEntry::Mention(of),
            place: Key::MentionIndex(of),
            subject: Subject::Person(of),
        }
    }

    fn fault(&self, what: String) -> Fault {
        Fault::new(invariant(&self.heading), self.subject.clone(), what)
    }

    fn drop(&self, member: String) -> Remedy {
        Remedy::DropMember(self.place.clone(), member)
    }
}

fn invariant(heading: &IndexEntry) -> Invariant {
    match heading {
        IndexEntry::Tag(_) => Invariant::TagsHoldTheLiving,
        IndexEntry::Mention(_) => Invariant::MentionsHoldTheLiving,
    }
}

/// Checks the statuses listed under a tag.
pub(super) async fn check_tagged(store: &Store, tag: &FoldedTag) -> Result<Findings> {
    let mut findings = Findings::default();
    look_at(store, &Shelf::of_tag(tag), &mut findings).await?;
    Ok(findings)
}

/// Checks the statuses listed as mentioning a person.
pub(super) async fn check_mentions(
    store: &Store,
    of: UserId,
    findings: &mut Findings,
) -> Result<()> {
    look_at(store, &Shelf::of_mentions(of), findings).await
}

async fn look_at(store: &Store, shelf: &Shelf, findings: &mut Findings) -> Result<()> {
    let mut pages = Pages::of(&shelf.place);
    loop {
        let rows = store.rows(&mut pages).await?;
        if rows.is_empty() {
            return Ok(());
        }
        findings.examined(invariant(&shelf.heading), rows.len());
        findings.examined(Invariant::ScoresOrder, rows.len());
        let ids = check_rows(shelf, &rows, findings);
        for (id, life) in ids.iter().zip(store.lives(&ids).await?) {
            let why = match life {
                Life::Living(status) if IndexEntry::all_of(&status).contains(&shelf.heading) => {
                    continue;
                }
                Life::Living(_) => "which does not belong there",
                Life::Dead(_) => "which was deleted",
                Life::Absent => "which is not there",
            };
            let what = format!("{} holds {id}, {why}", named(&shelf.place));
            let fault = shelf.fault(what).unless([Concern::Status(*id)]);
            findings.found(fault.repair_by(shelf.drop(id.to_string())));
        }
    }
}

/// Returns the statuses among the rows. Each must have its negated id as score.
fn check_rows(shelf: &Shelf, rows: &[Row], findings: &mut Findings) -> Vec<StatusId> {
    let mut ids = Vec::with_capacity(rows.len());
    for (member, score) in rows {
        let Ok(id) = member.parse::<StatusId>() else {
            let what = format!(
                "{member} is no status and stands in {}",
                named(&shelf.place)
            );
            let remedy = shelf.drop(member.clone());
            findings.found(shelf.fault(what).repair_by(remedy));
            continue;
        };
        ids.push(id);
        if *score != -(id.get() as f64) {
            let what = format!("{member} has a wrong place in {}", named(&shelf.place));
            let fault = Fault::new(Invariant::ScoresOrder, shelf.subject.clone(), what);
            findings.found(
                fault
                    .detail(score.to_string())
                    .repair_by(Remedy::Status(id)),
            );
        }
    }
    ids
}

/// Checks that living statuses are listed under all their index entries. One round trip.
pub(super) async fn check_index_entries(
    store: &Store,
    living: &[(StatusId, StatusHeader)],
    findings: &mut Findings,
) -> Result<()> {
    let each = living.iter().flat_map(|(id, status)| {
        let index_entries = IndexEntry::all_of(status).into_iter();
        index_entries.map(|heading| (*id, heading))
    });
    let each: Vec<(StatusId, IndexEntry)> = each.collect();
    let stands = store.stands_under_each(&each).await?;
    for ((id, heading), stands) in each.into_iter().zip(stands) {
        findings.examined(invariant(&heading), 1);
        if stands {
            continue;
        }
        let place = match &heading {
            IndexEntry::Tag(tag) => Key::TagIndex(tag.clone()),
            IndexEntry::Mention(who) => Key::MentionIndex(*who),
        };
        let what = format!("status {id} is missing in {}", named(&place));
        let fault = Fault::new(invariant(&heading), Subject::Status(id), what);
        let fault = fault.unless([Concern::Status(id)]);
        findings.found(fault.repair_by(Remedy::Status(id)));
    }
    Ok(())
}
