//! Pinning a post to the profile, and unpinning it.

use crate::{
    actions::pinned_posts::{pin, unpin},
    domain::PinnedPosts,
    store::PinOutcome,
    web::{collections::handlers::back, prelude::*},
};

pub async fn create(
    app: Data<AppState>,
    me: CurrentUser,
    form: SignedForm<ReturnTo>,
    Numbered(id): Numbered,
) -> Result<HttpResponse> {
    rate::charge(&app.store, RateLimit::Save(me.id)).await?;
    match pin(&app.store, me.actor(), id).await? {
        PinOutcome::Done => {
            me.visitor.set_notice(Notice::PostPinned);
            Ok(back(&form, id))
        }
        PinOutcome::NotFound => Err(Error::Deleted {
            back: form.0.page_without(id).to_owned(),
        }),
        PinOutcome::TooMany => {
            let limit = PinnedPosts::MAX;
            let reason = format!("You can pin {limit} posts. Unpin one first.");
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
    rate::charge(&app.store, RateLimit::Save(me.id)).await?;
    unpin(&app.store, me.actor(), id).await?;
    me.visitor.set_notice(Notice::PostUnpinned);
    Ok(back(&form, id))
}
