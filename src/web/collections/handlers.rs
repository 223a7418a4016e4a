//! Favourites and bookmarks: adding and removing them, and the member's pages of both.

use super::view::CollectionPage;
use crate::{
    actions::{
        bookmarks::{bookmark, unbookmark},
        favourites::{favourite, unfavourite},
    },
    domain::Collection,
    store::SetOutcome,
    web::prelude::*,
};

pub async fn index(
    app: Data<AppState>,
    me: CurrentUser,
    OfRoute(collection): OfRoute<Collection>,
    Before(before): Before,
) -> Result<HttpResponse> {
    let statuses = app.store.collection_page(me.id, collection, before).await?;
    let visit = me.visitor.visit();
    page(&CollectionPage::new(&visit, collection, before, &statuses))
}

pub async fn create(
    app: Data<AppState>,
    me: CurrentUser,
    form: SignedForm<ReturnTo>,
    OfRoute(collection): OfRoute<Collection>,
    Numbered(id): Numbered,
) -> Result<HttpResponse> {
    rate::charge(&app.store, RateLimit::Save(me.id)).await?;
    let saved = match collection {
        Collection::Favourites => favourite(&app.store, me.actor(), id).await?,
        Collection::Bookmarks => bookmark(&app.store, me.actor(), id).await?,
    };
    match saved {
        SetOutcome::Done => Ok(back(&form, id)),
        SetOutcome::Unknown => Err(Error::Deleted {
            back: form.0.page_without(id).to_owned(),
        }),
        SetOutcome::TooMany => {
            let limit = app.store.collection_limit(collection);
            Err(Error::Refused(format!(
                "You have reached the limit of {limit} {collection}. Remove one first."
            )))
        }
    }
}

pub async fn destroy(
    app: Data<AppState>,
    me: CurrentUser,
    form: SignedForm<ReturnTo>,
    OfRoute(collection): OfRoute<Collection>,
    Numbered(id): Numbered,
) -> Result<HttpResponse> {
    rate::charge(&app.store, RateLimit::Save(me.id)).await?;
    match collection {
        Collection::Favourites => unfavourite(&app.store, me.actor(), id).await?,
        Collection::Bookmarks => unbookmark(&app.store, me.actor(), id).await?,
    }
    Ok(back(&form, id))
}

/// Redirects to the status on the page of the button.
pub fn back(SignedForm(return_to): &SignedForm<ReturnTo>, id: StatusId) -> HttpResponse {
    see_other(&routes::status_on(return_to.page_or(routes::HOME), id))
}
