//! Mutes: muted people are other existing users, and other mutes have their documented form.

use crate::audit::invariants::prelude::*;
use crate::domain::MutedText;

pub(in crate::audit) const MUTED_ARE_USERS: Invariant =
    Invariant::new("muted_are_users", "muted people are other existing users");

pub(in crate::audit) const MUTES_ARE_VALID: Invariant = Invariant::new(
    "mutes_are_valid",
    "muted texts have words, and muted conversations are named by a status",
);

pub(in crate::audit) async fn examine(exam: &mut Examination<'_>) -> Result<()> {
    let Target::User(user, _) = exam.target else {
        return Ok(());
    };
    let id = user.id;
    let texts = Key::MutedTexts(id);
    let mut members = Members::of(MUTES_ARE_VALID, &texts, "word, phrase or tag");
    while members.related::<MutedText>(exam).await?.is_some() {}
    let conversations = Key::MutedConversations(id);
    let mut members = Members::of(MUTES_ARE_VALID, &conversations, "status id");
    while members.related::<StatusId>(exam).await?.is_some() {}
    check_people(exam, id).await
}

async fn check_people(exam: &mut Examination<'_>, id: UserId) -> Result<()> {
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
