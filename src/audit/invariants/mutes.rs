//! Mutes: muted people are other existing users.

use super::prelude::*;

pub(super) const MUTED_ARE_USERS: Invariant =
    Invariant::new("muted_are_users", "muted people are other existing users");

pub(super) async fn examine(exam: &mut Examination<'_>) -> Result<()> {
    let Target::User(user, _) = exam.target else {
        return Ok(());
    };
    let id = user.id;
    let mut members = Members::of(MUTED_ARE_USERS, &Key::Muted(id), "user id");
    while let Some(others) = members.related::<UserId>(exam).await? {
        let states = exam.store.user_states(&others).await?;
        for (other, state) in others.into_iter().zip(states) {
            let (why, effect) = match state {
                _ if other == id => ("themselves".to_owned(), Effect::Source),
                UserState::Missing => {
                    let why = format!("{}, who does not exist", names::user(other));
                    (why, Effect::Orphan)
                }
                UserState::Exists | UserState::Incomplete => continue,
            };
            let fault = members.fault(format!("{} mutes {why}", names::user(id)));
            let words = format!("removed {} from {}", names::user(other), members.key_name());
            let repair = RepairStep::new(words, move |store| async move {
                store.drop_mute(id, &other.to_string()).await
            });
            let repair = repair.with_effect(effect);
            exam.found(fault.unless(Key::User(other)).repair_by(repair));
        }
    }
    Ok(())
}
