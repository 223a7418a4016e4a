//! Reading progress: ranges of ids in order, where the shown ones cover those seen before, and a past
//! time.

use super::prelude::*;

pub(super) const READING_PROGRESS_IS_VALID: Invariant = Invariant::new(
    "reading_progress_is_valid",
    "the reading progress on homes consists of ordered ranges and a past time",
);

pub(super) async fn examine(exam: &mut Examination<'_>) -> Result<()> {
    if let Target::User(user, latest) = exam.target {
        check(exam, user, *latest);
    }
    Ok(())
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
    let parse = |text: &str| {
        let seen: Seen = text.parse().ok()?;
        seen.are_in_order(latest.largest_id()).then_some(seen)
    };
    let seen = [before, shown].map(|text| text.map(parse));
    let covers = match &seen {
        [Some(Some(before)), Some(Some(shown))] => shown.cover(before),
        _ => true,
    };
    let is_past = |at: &str| at.parse().is_ok_and(|at: u64| at <= latest.0);
    let has_one = before.is_some() != shown.is_some();
    let one = before.or(shown);
    for (is_wrong, what, stored) in [
        (seen[0] == Some(None), "has an invalid field before", before),
        (seen[1] == Some(None), "has an invalid field shown", shown),
        (has_one, "has only one of the fields before and shown", one),
        (
            !covers,
            "has a field shown that does not cover before",
            shown,
        ),
        (!at.is_none_or(is_past), "has an invalid time", at),
    ] {
        if is_wrong {
            let fault = Fault::new(READING_PROGRESS_IS_VALID, &key, format!("{name} {what}"));
            let fault = fault.detail(format!("{:?}", stored.unwrap_or_default()));
            let words = format!("repaired {name}");
            let steps = move |store: Store| async move { store.repair_reading(id).await };
            let repair = RepairStep::new(words, steps).with_effect(Effect::Source);
            exam.found(fault.repair_by(repair));
        }
    }
}
