//! Reading progress: ranges of ids in order, where the shown ones cover those seen before, and a past
//! time.

use super::{
    Invariant,
    fault::{Fault, Findings, Remedy, Subject},
};
use crate::{
    domain::Seen,
    store::{Estate, UnixMs},
};

/// Checks the reading progress of a snapshot. No time may be later than `latest`.
pub(super) fn check(estate: &Estate, latest: UnixMs, findings: &mut Findings) {
    let id = estate.id;
    let [before, shown, at] = estate.reading.each_ref().map(Option::as_deref);
    if [before, shown, at].iter().all(Option::is_none) {
        return;
    }
    findings.examined(Invariant::ReadingIsRemembered, 1);
    let mut found = |what: String, says: Option<&str>| {
        let fault = Fault::new(Invariant::ReadingIsRemembered, Subject::Person(id), what);
        let fault = fault.detail(format!("{:?}", says.unwrap_or_default()));
        findings.found(fault.repair_by(Remedy::Reading(id)));
    };
    let read = [("have seen before", before), ("have been shown", shown)].map(|(what, text)| {
        let ranges = text.map(|text| in_order(text, latest.largest_id()));
        if ranges == Some(None) {
            found(
                format!("what user {id} is said to {what} is not in order"),
                text,
            );
        }
        ranges.flatten()
    });
    if before.is_some() != shown.is_some() {
        let what = format!("half of what user {id} has seen is not known");
        found(what, before.or(shown));
    }
    if let [Some(seen_before), Some(seen)] = read
        && !seen.cover(&seen_before)
    {
        let what = format!("user {id} was not shown what they had seen before");
        found(what, shown);
    }
    let has_been = |at: &str| at.parse().is_ok_and(|at: u64| at <= latest.0);
    if !at.is_none_or(has_been) {
        found(
            format!("user {id} read their home at no time that has been"),
            at,
        );
    }
}

/// Parses ranges that are in order.
fn in_order(text: &str, largest: u64) -> Option<Seen> {
    let seen: Seen = text.parse().ok()?;
    seen.are_in_order(largest).then_some(seen)
}
