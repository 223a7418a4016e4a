//! Changes of the name and the bio of a person.

use crate::{
    actions::{
        operations::{Reconciled, save_form, with_outbox},
        prelude::*,
        search::{self, Former},
    },
    domain::{Bio, DisplayName, SaveOutcome, ShownValues},
    store::{EditUserOutcome, ProfileChange},
};

/// Changes a person's name, bio or both, and the index of people. `None` keeps the stored value.
pub async fn edit_profile(
    store: &Store,
    actor: impl Into<Actor>,
    name: impl Into<Option<&DisplayName>>,
    bio: impl Into<Option<&Bio>>,
) -> Result<()> {
    let change = ProfileChange {
        name: name.into(),
        bio: bio.into(),
        based_on: None,
    };
    change_profile(store, &actor.into(), change).await.map(drop)
}

/// Saves the name and the bio that the sender of a form changed, unless another device changed one of them too.
pub async fn save_profile(
    store: &Store,
    actor: impl Into<Actor>,
    (name, bio): (&DisplayName, &Bio),
    shown: &ShownValues,
) -> Result<SaveOutcome> {
    let actor = actor.into();
    save_form(async || {
        let Some(stored) = store.user(actor.id()).await? else {
            return Ok(Some(SaveOutcome::NotFound));
        };
        let conflicts = shown.conflicts([
            ("name", name.as_str(), stored.name.as_str()),
            ("bio", bio.as_str(), stored.bio.as_str()),
        ]);
        if !conflicts.is_empty() {
            return Ok(Some(SaveOutcome::Conflicts(conflicts)));
        }
        let change = ProfileChange {
            name: shown.changed("name", name),
            bio: shown.changed("bio", bio),
            based_on: Some(&stored),
        };
        Ok(match change_profile(store, &actor, change).await? {
            EditUserOutcome::Edited => Some(SaveOutcome::Saved),
            EditUserOutcome::Unknown => Some(SaveOutcome::NotFound),
            EditUserOutcome::Conflict => None,
        })
    })
    .await
}

async fn change_profile(
    store: &Store,
    actor: &Actor,
    change: ProfileChange<'_>,
) -> Result<EditUserOutcome> {
    let uid = actor.id();
    let call = &store.begin().await?;
    let edit = store.edit_user(call, actor, change);
    // If the name changed, the outbox entry stays and later removes the former name.
    with_outbox(store, call, Thing::Names(uid), edit, |edited| async move {
        match edited {
            Some(EditUserOutcome::Edited | EditUserOutcome::Unknown) => {
                search::reconcile_names(store, call, uid, Former::Kept).await
            }
            Some(EditUserOutcome::Conflict) => Ok(Reconciled::Yes),
            None => search::are_names_indexed(store, uid).await,
        }
    })
    .await
}
