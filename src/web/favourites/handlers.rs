//! Adding and removing favourites, the member's favourites, and the people who favourited a status.

use actix_web::{HttpResponse, web::Data};
use tokio::try_join;

use crate::{
    actions::favourites::{favourite, unfavourite},
    domain::Collection,
    store::RateLimit,
    web::{
        AppState,
        addresses::{Before, Named, Numbered},
        collections,
        http::{
            answer::page,
            errors::{Error, Result},
            forms::SignedForm,
            rate,
            return_to::ReturnTo,
            session::{current_user::CurrentUser, visitor::Visitor},
        },
        statuses::reacted_people::{ReactedPeoplePage, Reaction},
    },
};

pub(in crate::web) async fn index(
    app: Data<AppState>,
    me: CurrentUser,
    before: Before,
) -> Result<HttpResponse> {
    collections::handlers::show(app, me, Collection::Favourites, before).await
}

pub(in crate::web) async fn create(
    app: Data<AppState>,
    me: CurrentUser,
    form: SignedForm<ReturnTo>,
    Numbered(id): Numbered,
) -> Result<HttpResponse> {
    rate::take(&app.store, RateLimit::Save(me.id)).await?;
    let saved = favourite(&app.store, me.visitor.actor(me.id), id).await?;
    collections::handlers::saved(&app, saved, Collection::Favourites, (&form, id))?;
    Ok(collections::handlers::back(&form, id))
}

pub(in crate::web) async fn destroy(
    app: Data<AppState>,
    me: CurrentUser,
    form: SignedForm<ReturnTo>,
    Numbered(id): Numbered,
) -> Result<HttpResponse> {
    rate::take(&app.store, RateLimit::Save(me.id)).await?;
    unfavourite(&app.store, me.visitor.actor(me.id), id).await?;
    Ok(collections::handlers::back(&form, id))
}

/// Lists the people who favourited a status. Under another person's login it is not found.
pub(in crate::web) async fn favourited_by(
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
        Reaction::Favourite,
        &status,
        before,
        &people,
    ))
}
