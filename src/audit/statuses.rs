//! Statuses: complete with their versions, with an existing author who has them in the profile, with a
//! consistent poll, and without expiry unless deleted.

use super::{
    Invariant, answers,
    fault::{Concern, Fault, Look, Remedy, Subject},
    polls, records, reposts, search,
};
use crate::{
    domain::{StatusHeader, StatusId, UserId},
    store::{Record, Result, Standing, Store},
};

/// Checks statuses, all in the same round trips.
pub(super) async fn look(store: &Store, ids: &[StatusId]) -> Result<Look> {
    let mut look = Look::default();
    let mut living = Vec::with_capacity(ids.len());
    let mut polled = Vec::new();
    let mut reposting = Vec::new();
    for (id, record) in ids.iter().zip(store.records(ids).await?) {
        let Some(record) = record else { continue };
        look_at_record(*id, &record, &mut look);
        look_at_progress(*id, &record, &mut look);
        if let Some(author) = record.author.filter(|_| !record.deleted) {
            living.push((*id, author));
            reposting.extend(record.reposts_another.then_some(*id));
        }
        if record.has_poll {
            polled.push(*id);
        }
    }
    look_at_authors(store, &living, &mut look).await?;
    polls::look(store, &polled, &mut look).await?;
    reposts::look_at_living(store, &reposting, &mut look).await?;
    let ids_of_living: Vec<StatusId> = living.iter().map(|(id, _)| *id).collect();
    answers::look(store, &ids_of_living, &mut look).await?;
    search::look_at_texts(store, ids, &mut look).await?;
    let lives = store.lives(ids).await?.into_iter();
    let living = ids.iter().zip(lives);
    let living: Vec<(StatusId, StatusHeader)> = living
        .filter_map(|(id, life)| Some((*id, life.living()?)))
        .collect();
    records::check_index_entries(store, &living, &mut look).await?;
    Ok(look)
}

fn look_at_record(id: StatusId, record: &Record, look: &mut Look) {
    look.examined(Invariant::LifetimesHold, 1);
    look.examined(Invariant::TruthIsWhole, 1);
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
        look.found(fault(Invariant::LifetimesHold, what).repair_by(Remedy::AgeStatus(id)));
    }
    if !record.deleted {
        look_at_counts(id, record, look);
        let says = record.revision.as_deref().unwrap_or("0");
        if says != record.versions.to_string() {
            let fault = fault(Invariant::TruthIsWhole, "lacks what it said before");
            let detail = format!("was corrected {says} times, and has {}", record.versions);
            look.found(fault.detail(detail));
        }
    }
    let text = id.to_string();
    let whole = record.is_whole
        && !record.lacks_thread
        && record.stated_id.as_deref() == Some(text.as_str());
    if record.author.is_none() || !record.deleted && !whole {
        look.found(fault(
            Invariant::TruthIsWhole,
            "lacks a part or states another id",
        ));
    }
}

fn look_at_counts(id: StatusId, record: &Record, look: &mut Look) {
    let names = ["favourites", "replies", "gaps", "reposts", "quotes"];
    look.examined(Invariant::CountsMatch, names.len());
    for ((noun, says), is) in names.into_iter().zip(&record.counts).zip(record.held) {
        let says = says.as_deref().unwrap_or("0");
        if says != is.to_string() {
            let fault = Fault::new(
                Invariant::CountsMatch,
                Subject::Status(id),
                format!("status {id} has a wrong number of {noun}"),
            );
            let fault = fault.detail(format!("says {says}, is {is}"));
            look.found(fault.repair_by(Remedy::RecountStatus(id)));
        }
    }
}

/// A delivery in progress is no fault while a task continues it. The second look waits for work about
/// it.
fn look_at_progress(id: StatusId, record: &Record, look: &mut Look) {
    if !record.on_its_way {
        return;
    }
    look.examined(Invariant::DeliveriesGoOn, 1);
    let fault = Fault::new(
        Invariant::DeliveriesGoOn,
        Subject::Status(id),
        format!("status {id} is said to be on its way, and no task brings it"),
    );
    let fault = fault.unless([Concern::Status(id)]);
    look.found(fault.repair_by(Remedy::DeliverAnew(id)));
}

async fn look_at_authors(
    store: &Store,
    living: &[(StatusId, UserId)],
    look: &mut Look,
) -> Result<()> {
    look.examined(Invariant::ProfilesHoldTheLiving, living.len());
    let authors: Vec<UserId> = living.iter().map(|(_, author)| *author).collect();
    let standings = store.standings(&authors).await?;
    let filed = store.stand_in_profiles(living).await?;
    for (((id, author), standing), filed) in living.iter().zip(standings).zip(filed) {
        if standing != Standing::Person {
            look.found(Fault::new(
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
            look.found(fault.repair_by(Remedy::Status(*id)));
        }
    }
    Ok(())
}
