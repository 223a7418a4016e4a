//! Search: people by name, posts by text.

use actix_web::{HttpResponse, web::Data};
use tokio::try_join;

use super::view::SearchPage;
use crate::{
    store::{RateLimit, Viewer},
    web::{
        AppState,
        addresses::{Before, Sought},
        http::{answer::page, client, errors::Result, rate, session::visitor::Visitor},
    },
};

/// Shows the results. People are on the first page only.
pub(in crate::web) async fn show(
    app: Data<AppState>,
    visitor: Visitor,
    Sought(query): Sought,
    Before(before): Before,
) -> Result<HttpResponse> {
    let viewer = visitor.viewer()?;
    let beginnings = match before {
        None => query.beginnings(),
        Some(_) => Vec::new(),
    };
    if !query.is_empty() {
        rate::take(&app.store, limit(&app, &visitor, viewer)).await?;
    }
    let (people, posts) = try_join!(
        app.store.people_named(viewer, &beginnings),
        app.store.search(viewer, &query, before)
    )?;
    page(&SearchPage::new(
        &visitor.visit(),
        &query,
        before,
        &people,
        &posts,
    ))
}

fn limit(app: &AppState, visitor: &Visitor, viewer: Viewer) -> RateLimit<'static> {
    match viewer {
        Viewer::Member(id) => RateLimit::Search(id),
        Viewer::Anonymous => {
            let trusted = &app.site.config.trusted_proxies;
            RateLimit::SearchFrom(client::address(visitor.request(), trusted))
        }
    }
}
