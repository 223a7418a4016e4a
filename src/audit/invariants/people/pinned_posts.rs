//! Pinned posts: each is a living status of its user, and there are few.

use crate::{audit::invariants::prelude::*, domain::PinnedPosts};

pub(in crate::audit) const PINNED_POSTS_ARE_OWN: Invariant = Invariant::new(
    "pinned_posts_are_own",
    "pinned posts are living statuses of their user, at most 5",
);

pub(in crate::audit) async fn examine(exam: &mut Examination<'_>) -> Result<()> {
    let Target::User(user, _) = exam.target else {
        return Ok(());
    };
    let Some(found) = &user.pinned else {
        return Ok(());
    };
    let (id, person) = (user.id, names::user(user.id));
    let pinned = PinnedPosts::stored(Some(found));
    exam.examined(PINNED_POSTS_ARE_OWN, pinned.ids().len());
    let lives = exam.store.lives(pinned.ids()).await?;
    let mut wrong = Vec::new();
    for (status, life) in pinned.ids().iter().copied().zip(lives) {
        let why = match life {
            Life::Living(header) if header.author == id => continue,
            Life::Living(_) => "which is not theirs",
            Life::Dead(_) => "which was deleted",
            Life::Absent => "which does not exist",
        };
        wrong.push((status, why));
    }
    let right = pinned.retained(|id| wrong.iter().all(|(status, _)| *status != id));
    if pinned.to_string() != *found {
        let text = format!("the pinned posts of {person} are not a list of up to 5 status ids");
        let fault = Fault::new(PINNED_POSTS_ARE_OWN, Key::User(id), text);
        exam.found(fault.repair_by(repair(id, found, &right)));
    }
    for (status, why) in wrong {
        let text = format!("{person} has pinned {}, {why}", names::status(status));
        let fault = Fault::new(PINNED_POSTS_ARE_OWN, Key::User(id), text);
        let fault = fault.unless(Key::Status(status));
        exam.found(fault.repair_by(repair(id, found, &right)));
    }
    Ok(())
}

/// Returns the repair that stores the right ones instead of those that were found.
fn repair(id: UserId, found: &str, right: &PinnedPosts) -> RepairStep {
    let words = format!("removed wrong pinned posts of {}", names::user(id));
    let (found, right) = (found.to_owned(), right.to_string());
    let steps = move |store: Store| async move { store.repair_pinned(id, &found, right).await };
    RepairStep::new(words, steps).with_effect(Effect::Source)
}
