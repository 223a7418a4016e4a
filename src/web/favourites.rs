//! Favouring a status, and no longer; what the member favours, and who favours a status.

use actix_web::{HttpResponse, web::Data};
use tokio::try_join;

use super::{
    AppState,
    addresses::{Before, Named, Numbered},
    answer::page,
    collections,
    current_user::CurrentUser,
    error::{Error, Result},
    forms::SignedForm,
    rate,
    return_to::ReturnTo,
    view::{Deed, ReactedPeoplePage},
    visitor::Visitor,
};
use crate::{
    actions::favourites::{favourite, unfavourite},
    domain::Collection,
    store::RateLimit,
};

pub(super) async fn index(
    app: Data<AppState>,
    me: CurrentUser,
    before: Before,
) -> Result<HttpResponse> {
    collections::show(app, me, Collection::Favourites, before).await
}

pub(super) async fn create(
    app: Data<AppState>,
    me: CurrentUser,
    form: SignedForm<ReturnTo>,
    Numbered(id): Numbered,
) -> Result<HttpResponse> {
    rate::take(&app.store, RateLimit::Keep(me.id)).await?;
    let keep = favourite(&app.store, me.visitor.actor(me.id), id).await?;
    collections::kept(keep, Collection::Favourites, &form, id)?;
    Ok(collections::back(&form, id))
}

pub(super) async fn destroy(
    app: Data<AppState>,
    me: CurrentUser,
    form: SignedForm<ReturnTo>,
    Numbered(id): Numbered,
) -> Result<HttpResponse> {
    rate::take(&app.store, RateLimit::Keep(me.id)).await?;
    unfavourite(&app.store, me.visitor.actor(me.id), id).await?;
    Ok(collections::back(&form, id))
}

/// Who favours a status. Under another person's login it is not found.
pub(super) async fn favourited_by(
    app: Data<AppState>,
    visitor: Visitor,
    author: Named,
    Numbered(id): Numbered,
    Before(before): Before,
) -> Result<HttpResponse> {
    let viewer = visitor.viewer()?;
    let (status, people) = try_join!(
        app.store.status(viewer, id),
        app.store.favourited_by_page(viewer, id, before)
    )?;
    let status = status
        .filter(|status| status.author().id == author.0.id)
        .ok_or(Error::NotFound)?;
    page(&ReactedPeoplePage::new(
        &visitor.visit(),
        Deed::FavouriteState,
        &status,
        before,
        &people,
    ))
}
