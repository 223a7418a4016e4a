//! Statuses: complete with their versions, with an existing author who has them in the profile, with a
//! consistent poll, and without expiry unless deleted.

use super::{
    Invariant, answers,
    fault::{Concern, Fault, Findings, Remedy, Subject},
    polls, records, reposts, search,
};
use crate::{
    domain::{StatusHeader, StatusId, UserId},
    store::{Record, Result, Standing, Store},
};

/// Checks statuses, all in the same round trips.
pub(super) async fn check(store: &Store, ids: &[StatusId]) -> Result<Findings> {
    let mut findings = Findings::default();
    let mut living = Vec::with_capacity(ids.len());
    let mut polled = Vec::new();
    let mut reposting = Vec::new();
    for (id, record) in ids.iter().zip(store.records(ids).await?) {
        let Some(record) = record else { continue };
        check_record(*id, &record, &mut findings);
        check_progress(*id, &record, &mut findings);
        if let Some(author) = record.author.filter(|_| !record.deleted) {
            living.push((*id, author));
            reposting.extend(record.reposts_another.then_some(*id));
        }
        if record.has_poll {
            polled.push(*id);
        }
    }
    check_authors(store, &living, &mut findings).await?;
    polls::check(store, &polled, &mut findings).await?;
    reposts::check_living(store, &reposting, &mut findings).await?;
    let ids_of_living: Vec<StatusId> = living.iter().map(|(id, _)| *id).collect();
    answers::check(store, &ids_of_living, &mut findings).await?;
    search::check_texts(store, ids, &mut findings).await?;
    let lives = store.lives(ids).await?.into_iter();
    let living = ids.iter().zip(lives);
    let living: Vec<(StatusId, StatusHeader)> = living
        .filter_map(|(id, life)| Some((*id, life.living()?)))
        .collect();
    records::check_index_entries(store, &living, &mut findings).await?;
    Ok(findings)
}

fn check_record(id: StatusId, record: &Record, findings: &mut Findings) {
    findings.examined(Invariant::LifetimesHold, 1);
    findings.examined(Invariant::TruthIsWhole, 1);
    let fault = |invariant, what: &str| {
        Fault::new(
            invariant,
            Subject::Status(id),
            format!("status {id} {what}"),
        )
        .unless([Concern::Status(id)])
    };
    if record.deleted != record.expires {
        let what = if record.deleted {
            "is a tombstone for ever"
        } else {
            "expires though it lives"
        };
        findings.found(fault(Invariant::LifetimesHold, what).repair_by(Remedy::AgeStatus(id)));
    }
    if !record.deleted {
        check_counts(id, record, findings);
        let says = record.revision.as_deref().unwrap_or("0");
        if says != record.versions.to_string() {
            let fault = fault(Invariant::TruthIsWhole, "lacks what it said before");
            let detail = format!("was corrected {says} times, and has {}", record.versions);
            findings.found(fault.detail(detail));
        }
    }
    let text = id.to_string();
    let whole = record.is_whole
        && !record.lacks_thread
        && record.stated_id.as_deref() == Some(text.as_str());
    if record.author.is_none() || !record.deleted && !whole {
        findings.found(fault(
            Invariant::TruthIsWhole,
            "lacks a part or states another id",
        ));
    }
}

fn check_counts(id: StatusId, record: &Record, findings: &mut Findings) {
    let names = ["favourites", "replies", "gaps", "reposts", "quotes"];
    findings.examined(Invariant::CountsMatch, names.len());
    for ((noun, says), is) in names.into_iter().zip(&record.counts).zip(record.held) {
        let says = says.as_deref().unwrap_or("0");
        if says != is.to_string() {
            let fault = Fault::new(
                Invariant::CountsMatch,
                Subject::Status(id),
                format!("status {id} has a wrong number of {noun}"),
            );
            let fault = fault.detail(format!("says {says}, is {is}"));
            findings.found(fault.repair_by(Remedy::RecountStatus(id)));
        }
    }
}

/// A delivery in progress is no fault while a task continues it. The second look waits for work about
/// it.
fn check_progress(id: StatusId, record: &Record, findings: &mut Findings) {
    if !record.on_its_way {
        return;
    }
    findings.examined(Invariant::DeliveriesGoOn, 1);
    let fault = Fault::new(
        Invariant::DeliveriesGoOn,
        Subject::Status(id),
        format!("status {id} is said to be on its way, and no task brings it"),
    );
    let fault = fault.unless([Concern::Status(id)]);
    findings.found(fault.repair_by(Remedy::DeliverAnew(id)));
}

async fn check_authors(
    store: &Store,
    living: &[(StatusId, UserId)],
    findings: &mut Findings,
) -> Result<()> {
    findings.examined(Invariant::ProfilesHoldTheLiving, living.len());
    let authors: Vec<UserId> = living.iter().map(|(_, author)| *author).collect();
    let standings = store.standings(&authors).await?;
    let filed = store.stand_in_profiles(living).await?;
    for (((id, author), standing), filed) in living.iter().zip(standings).zip(filed) {
        if standing != Standing::Person {
            findings.found(Fault::new(
                Invariant::KeysAreOwned,
                Subject::Status(*id),
                format!("status {id} is by {author}, who is not there"),
            ));
        } else if !filed {
            let fault = Fault::new(
                Invariant::ProfilesHoldTheLiving,
                Subject::Status(*id),
                format!("status {id} lives, and is missing in the profile of {author}"),
            );
            let fault = fault.unless([Concern::Status(*id)]);
            findings.found(fault.repair_by(Remedy::Status(*id)));
        }
    }
    Ok(())
}
