//! Bookmarking a status, and no longer; what the member has bookmarked.

use actix_web::{HttpResponse, web::Data};

use super::{
    AppState,
    addresses::{Before, Numbered},
    collections,
    current_user::CurrentUser,
    error::Result,
    forms::SignedForm,
    rate,
    return_to::ReturnTo,
};
use crate::{
    actions::bookmarks::{bookmark, unbookmark},
    domain::Collection,
    store::RateLimit,
};

pub(super) async fn index(
    app: Data<AppState>,
    me: CurrentUser,
    before: Before,
) -> Result<HttpResponse> {
    collections::show(app, me, Collection::Bookmarks, before).await
}

pub(super) async fn create(
    app: Data<AppState>,
    me: CurrentUser,
    form: SignedForm<ReturnTo>,
    Numbered(id): Numbered,
) -> Result<HttpResponse> {
    rate::take(&app.store, RateLimit::Keep(me.id)).await?;
    let keep = bookmark(&app.store, me.visitor.actor(me.id), id).await?;
    collections::kept(keep, Collection::Bookmarks, &form, id)?;
    Ok(collections::back(&form, id))
}

pub(super) async fn destroy(
    app: Data<AppState>,
    me: CurrentUser,
    form: SignedForm<ReturnTo>,
    Numbered(id): Numbered,
) -> Result<HttpResponse> {
    rate::take(&app.store, RateLimit::Keep(me.id)).await?;
    unbookmark(&app.store, me.visitor.actor(me.id), id).await?;
    Ok(collections::back(&form, id))
}
