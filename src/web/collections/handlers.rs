//! Shared by favourites and bookmarks: their pages, and the redirect after a button.

use actix_web::{HttpResponse, web::Data};

use super::view::CollectionPage;
use crate::{
    domain::{Collection, LocalPath, StatusId},
    store::SetOutcome,
    web::{
        AppState,
        addresses::Before,
        http::{
            answer::{page, see_other},
            errors::{Error, Result},
            forms::SignedForm,
            return_to::ReturnTo,
            session::current_user::CurrentUser,
        },
        routes,
    },
};

/// Shows a page of the member's favourites or bookmarks.
pub(in crate::web) async fn show(
    app: Data<AppState>,
    me: CurrentUser,
    collection: Collection,
    Before(before): Before,
) -> Result<HttpResponse> {
    let statuses = app.store.collection_page(me.id, collection, before).await?;
    let visit = me.visitor.visit();
    page(&CollectionPage::new(&visit, collection, before, &statuses))
}

/// Returns the error if a status could not be saved.
pub(in crate::web) fn saved(
    app: &AppState,
    saved: SetOutcome,
    collection: Collection,
    (SignedForm(return_to), id): (&SignedForm<ReturnTo>, StatusId),
) -> Result<()> {
    match saved {
        SetOutcome::Done => Ok(()),
        SetOutcome::Unknown => Err(Error::Deleted {
            back: return_to.page_without(id).to_owned(),
        }),
        SetOutcome::TooMany => {
            let limit = app.store.collection_limit(collection);
            Err(Error::Refused(format!(
                "You have reached the limit of {limit} {collection}. Remove one first."
            )))
        }
    }
}

/// Redirects to the status on the page of the button.
pub(in crate::web) fn back(
    SignedForm(return_to): &SignedForm<ReturnTo>,
    id: StatusId,
) -> HttpResponse {
    let page = return_to
        .next
        .as_ref()
        .map_or(routes::HOME, LocalPath::as_str);
    see_other(&routes::status_on(page, id))
}
