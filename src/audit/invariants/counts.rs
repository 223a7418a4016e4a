//! Counts of users and statuses: each equals the number of entries that it counts.

use super::prelude::*;

pub(super) const COUNTS_MATCH: Invariant = Invariant::new(
    "counts_match",
    "counts equal the number of entries that they count",
);

pub(super) async fn examine(exam: &mut Examination<'_>) -> Result<()> {
    match exam.target {
        Target::User(user, _) => {
            let (key, name) = (Key::User(user.id), names::user(user.id));
            let stored = user.counts.each_ref();
            let stored = stored.map(|count| count.as_deref().unwrap_or("nothing"));
            let nouns = ["posts", "followers", "following", "requests"];
            for count in nouns.into_iter().zip(stored).zip(user.cardinalities) {
                check(exam, (&key, &name), count, || repair::recount_user(user.id));
            }
        }
        Target::Statuses(statuses) => {
            for status in statuses.iter().filter(|status| !status.stored.deleted) {
                let (key, name) = (Key::Status(status.id), names::status(status.id));
                let stored = status.stored.counts.each_ref();
                let stored = stored.map(|count| count.as_deref().unwrap_or("0"));
                let nouns = ["favourites", "replies", "gaps", "reposts", "quotes"];
                let actual = status.stored.cardinalities;
                for count in nouns.into_iter().zip(stored).zip(actual) {
                    check(exam, (&key, &name), count, || recount_status(status.id));
                }
            }
        }
        _ => {}
    }
    Ok(())
}

fn check(
    exam: &mut Examination<'_>,
    (key, name): (&Key, &str),
    ((noun, stored), actual): ((&str, &str), u64),
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
    let name = names::status(id);
    let words = format!("counted the favourites, replies and reposts of {name} again");
    RepairStep::new(
        words,
        move |store| async move { store.recount_status(id).await },
    )
}
