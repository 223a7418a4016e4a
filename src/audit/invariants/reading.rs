//! Reading progress: ranges of ids in order, where the shown ones cover those seen before, and a past
//! time.

use std::future::{Ready, ready};

use super::prelude::*;

pub(super) const READING_PROGRESS_IS_VALID: Invariant = Invariant::new(
    "reading_progress_is_valid",
    "the reading progress on homes consists of ordered ranges and a past time",
);

pub(super) fn examine(exam: &mut Examination<'_>) -> Ready<Result<()>> {
    if let Target::User(user, latest) = exam.target {
        check(exam, user, *latest);
    }
    ready(Ok(()))
}

/// Checks the reading progress of a user. No time may be later than `latest`.
fn check(exam: &mut Examination<'_>, user: &UserSnapshot, latest: UnixMs) {
    let id = user.id;
    let [before, shown, at] = user.reading.each_ref().map(Option::as_deref);
    if [before, shown, at].iter().all(Option::is_none) {
        return;
    }
    exam.examined(READING_PROGRESS_IS_VALID, 1);
    let key = Key::Reading(id);
    let name = names::key(&key);
    let mut found = |what: &str, stored: Option<&str>| {
        let fault = Fault::new(READING_PROGRESS_IS_VALID, &key, format!("{name} {what}"));
        let fault = fault.detail(format!("{:?}", stored.unwrap_or_default()));
        let words = format!("repaired {name}");
        let repair = RepairStep::new(Effect::Source, words, move |store| async move {
            store.repair_reading(id).await
        });
        exam.found(fault.repair_by(repair));
    };
    let valid = |text: &str| {
        let seen: Seen = text.parse().ok()?;
        seen.are_in_order(latest.largest_id()).then_some(seen)
    };
    let seen = [before, shown].map(|text| text.map(valid));
    if seen[0] == Some(None) {
        found("has an invalid field before", before);
    }
    if seen[1] == Some(None) {
        found("has an invalid field shown", shown);
    }
    if before.is_some() != shown.is_some() {
        found(
            "has only one of the fields before and shown",
            before.or(shown),
        );
    }
    if let [Some(Some(seen_before)), Some(Some(seen))] = &seen
        && !seen.cover(seen_before)
    {
        found("has a field shown that does not cover before", shown);
    }
    let is_past = |at: &str| at.parse().is_ok_and(|at: u64| at <= latest.0);
    if !at.is_none_or(is_past) {
        found("has an invalid time", at);
    }
}
