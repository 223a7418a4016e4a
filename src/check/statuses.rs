//! What must hold of one status: it is whole, its author is there and has it in their profile, and
//! only a tombstone ends.

use super::{
    Invariant,
    fault::{Concern, Fault, Look, Remedy, Subject},
};
use crate::{
    domain::{StatusId, UserId},
    store::{Record, Result, Standing, Store},
};

/// Looks at statuses, all of them in two trips.
pub(super) async fn look(store: &Store, ids: &[StatusId]) -> Result<Look> {
    let mut look = Look::default();
    let mut living = Vec::with_capacity(ids.len());
    for (id, record) in ids.iter().zip(store.records(ids).await?) {
        let Some(record) = record else { continue };
        look_at_record(*id, &record, &mut look);
        if let Some(author) = record.author.filter(|_| !record.deleted) {
            living.push((*id, author));
        }
    }
    look_at_authors(store, &living, &mut look).await?;
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
        look.found(fault(Invariant::LifetimesHold, what).mend_by(Remedy::AgeStatus(id)));
    }
    let text = id.to_string();
    let whole = record.is_whole && record.stated_id.as_deref() == Some(text.as_str());
    if record.author.is_none() || !record.deleted && !whole {
        look.found(fault(
            Invariant::TruthIsWhole,
            "lacks a part or states another id",
        ));
    }
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
            look.found(fault.mend_by(Remedy::Status(*id)));
        }
    }
    Ok(())
}
