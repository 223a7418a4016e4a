//! Counts of users and statuses: each equals the number of entries that it counts.

use std::future::{Ready, ready};

use super::prelude::*;

pub(super) const COUNTS_MATCH: Invariant = Invariant::new(
    "counts_match",
    "counts equal the number of entries that they count",
);

pub(super) fn examine(exam: &mut Examination<'_>) -> Ready<Result<()>> {
    match exam.target {
        Target::User(user, _) => {
            let nouns = ["posts", "followers", "following"];
            let counts = nouns.into_iter().zip(&user.counts).zip(user.cardinalities);
            let key = Key::User(user.id);
            let repair = || repair::recount_user(user.id);
            for ((noun, stored), actual) in counts {
                let stored = stored.as_deref().unwrap_or("nothing");
                check(
                    exam,
                    &key,
                    &names::user(user.id),
                    (noun, stored, actual),
                    repair,
                );
            }
        }
        Target::Statuses(statuses) => {
            for status in statuses.iter().filter(|status| !status.stored.deleted) {
                let nouns = ["favourites", "replies", "gaps", "reposts", "quotes"];
                let stored = &status.stored;
                let counts = nouns
                    .into_iter()
                    .zip(&stored.counts)
                    .zip(stored.cardinalities);
                let key = Key::Status(status.id);
                let repair = || recount_status(status.id);
                for ((noun, stored), actual) in counts {
                    let stored = stored.as_deref().unwrap_or("0");
                    check(
                        exam,
                        &key,
                        &names::status(status.id),
                        (noun, stored, actual),
                        repair,
                    );
                }
            }
        }
        _ => {}
    }
    ready(Ok(()))
}

fn check(
    exam: &mut Examination<'_>,
    key: &Key,
    name: &str,
    (noun, stored, actual): (&str, &str, u64),
    repair: impl Fn() -> RepairStep,
) {
    exam.examined(COUNTS_MATCH, 1);
    if stored != actual.to_string() {
        let text = format!("{name} has the wrong number of {noun}");
        let fault = Fault::new(COUNTS_MATCH, key, text);
        let detail = format!("stored {stored}, actual {actual}");
        exam.found(fault.detail(detail).repair_by(repair()));
    }
}

fn recount_status(id: StatusId) -> RepairStep {
    let words = format!(
        "counted the favourites, replies and reposts of {} again",
        names::status(id)
    );
    RepairStep::of_copies(
        words,
        move |store| async move { store.recount_status(id).await },
    )
}
