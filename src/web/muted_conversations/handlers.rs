//! Muting the conversation of a post, lifting the mute, and the page of muted conversations.

use super::view::MutedConversationsPage;
use crate::{
    actions::muted_conversations::{mute_conversation, unmute_conversation},
    domain::MAX_MUTED_CONVERSATIONS,
    store::SetOutcome,
    web::{collections::handlers::back, prelude::*},
};

pub async fn index(
    app: Data<AppState>,
    me: CurrentUser,
    Before(before): Before,
) -> Result<HttpResponse> {
    let conversations = app.store.muted_conversations_page(me.id, before).await?;
    let visit = me.visitor.visit();
    page(&MutedConversationsPage::new(&visit, before, &conversations))
}

pub async fn create(
    app: Data<AppState>,
    me: CurrentUser,
    form: SignedForm<ReturnTo>,
    Numbered(id): Numbered,
) -> Result<HttpResponse> {
    rate::charge(&app.store, RateLimit::Follow(me.id)).await?;
    match mute_conversation(&app.store, me.actor(), id).await? {
        SetOutcome::Done => {
            me.visitor.set_notice(Notice::ConversationMuted);
            Ok(back(&form, id))
        }
        SetOutcome::Unknown => Err(Error::Deleted {
            back: form.0.page_without(id).to_owned(),
        }),
        SetOutcome::TooMany => {
            let limit = MAX_MUTED_CONVERSATIONS;
            let reason = format!(
                "You have reached the limit of {limit} muted conversations. Unmute one first."
            );
            Err(Error::Refused(reason))
        }
    }
}

pub async fn destroy(
    app: Data<AppState>,
    me: CurrentUser,
    form: SignedForm<ReturnTo>,
    Numbered(id): Numbered,
) -> Result<HttpResponse> {
    rate::charge(&app.store, RateLimit::Follow(me.id)).await?;
    unmute_conversation(&app.store, me.actor(), id).await?;
    me.visitor.set_notice(Notice::ConversationUnmuted);
    Ok(back(&form, id))
}
