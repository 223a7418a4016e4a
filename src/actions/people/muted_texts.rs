//! Muting words, phrases and tags. The mutes lie in the slot of the person who mutes, without copies. Only the
//! notifications that are there already are removed after a new mute, under an outbox entry.

use crate::actions::operations::{Reconciled, reconcile_thing, with_outbox};
use crate::{
    actions::prelude::*,
    domain::{MuteTerm, MutedText},
};

/// Mutes a word, phrase or tag. A second mute of the same words changes the end of the first.
pub async fn mute_text(
    store: &Store,
    actor: impl Into<Actor>,
    text: &MutedText,
    term: MuteTerm,
) -> Result<SetOutcome> {
    let actor = actor.into();
    let of = actor.id();
    let muted = store.muted_texts(Viewer::Member(of)).await?;
    let earlier = muted.iter().find(|(earlier, _)| earlier.is_like(text));
    let text = earlier.map_or(text, |(earlier, _)| earlier);
    let call = &store.begin().await?;
    let write = store.set_muted_text(call, &actor, text, Some(term));
    let thing = Thing::MutedTexts(of);
    with_outbox(store, call, thing, write, |set| async move {
        match set {
            Some(SetOutcome::Done) | None => drop_notifications(store, call, of).await,
            Some(SetOutcome::TooMany | SetOutcome::Unknown) => Ok(Reconciled::Yes),
        }
    })
    .await
}

/// Lifts a mute. The posts are back on the next page.
pub async fn unmute_text(store: &Store, actor: impl Into<Actor>, text: &MutedText) -> Result<()> {
    let actor = actor.into();
    let muted = store.muted_texts(Viewer::Member(actor.id())).await?;
    let call = store.begin().await?;
    let steps = async {
        for (earlier, _) in muted.iter().filter(|(earlier, _)| earlier.is_like(text)) {
            store.set_muted_text(&call, &actor, earlier, None).await?;
        }
        Ok(())
    };
    call.finish(steps.await).await
}

/// Removes notifications about statuses with muted texts. `notify.lua` adds none that came after the mute.
async fn drop_notifications(store: &Store, call: &Call, of: UserId) -> Result<Reconciled> {
    store.drop_muted_notifications(call, of).await?;
    Ok(Reconciled::Yes)
}

/// Completes a mute after a crash.
pub(in crate::actions) async fn reconcile(store: &Store, of: UserId) -> Result<Option<Task>> {
    let call = &store.begin().await?;
    let reconciled = drop_notifications(store, call, of);
    reconcile_thing(call, Thing::MutedTexts(of), reconciled).await
}
