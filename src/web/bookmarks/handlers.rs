//! Adding and removing bookmarks, and the member's bookmarks.

use actix_web::{HttpResponse, web::Data};

use crate::{
    actions::bookmarks::{bookmark, unbookmark},
    domain::Collection,
    store::RateLimit,
    web::{
        AppState,
        addresses::{Before, Numbered},
        collections,
        http::{
            errors::Result, forms::SignedForm, rate, return_to::ReturnTo,
            session::current_user::CurrentUser,
        },
    },
};

pub(in crate::web) async fn index(
    app: Data<AppState>,
    me: CurrentUser,
    before: Before,
) -> Result<HttpResponse> {
    collections::handlers::show(app, me, Collection::Bookmarks, before).await
}

pub(in crate::web) async fn create(
    app: Data<AppState>,
    me: CurrentUser,
    form: SignedForm<ReturnTo>,
    Numbered(id): Numbered,
) -> Result<HttpResponse> {
    rate::take(&app.store, RateLimit::Save(me.id)).await?;
    let saved = bookmark(&app.store, me.visitor.actor(me.id), id).await?;
    collections::handlers::saved(&app, saved, Collection::Bookmarks, (&form, id))?;
    Ok(collections::handlers::back(&form, id))
}

pub(in crate::web) async fn destroy(
    app: Data<AppState>,
    me: CurrentUser,
    form: SignedForm<ReturnTo>,
    Numbered(id): Numbered,
) -> Result<HttpResponse> {
    rate::take(&app.store, RateLimit::Save(me.id)).await?;
    unbookmark(&app.store, me.visitor.actor(me.id), id).await?;
    Ok(collections::handlers::back(&form, id))
}
