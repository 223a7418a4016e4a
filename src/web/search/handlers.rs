//! Search: people by name, posts by text.

use super::view::SearchPage;
use crate::web::{
    addresses::{Added, Sought},
    http::client,
    prelude::*,
};

/// Shows the results. People are on the first page only. A text that a link adds is not searched yet.
pub async fn show(
    app: Data<AppState>,
    visitor: Visitor,
    Sought(query): Sought,
    Added(added): Added,
    Before(before): Before,
) -> Result<HttpResponse> {
    if let Some(added) = added {
        return page(&SearchPage::unasked(&visitor.visit(), &query, &added));
    }
    let viewer = visitor.viewer()?;
    let beginnings = match before {
        None => query.beginnings(),
        Some(_) => Vec::new(),
    };
    if !query.is_empty() {
        rate::charge(&app.store, search_limit(&app, &visitor, viewer)).await?;
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

/// Returns the rate limit of a search, by a member or a visitor.
pub(in crate::web) fn search_limit(
    app: &AppState,
    visitor: &Visitor,
    viewer: Viewer,
) -> RateLimit<'static> {
    match viewer {
        Viewer::Member(id) => RateLimit::Search(id),
        Viewer::Anonymous => {
            let trusted = &app.site.config.trusted_proxies;
            RateLimit::SearchFrom(client::address(visitor.request(), trusted))
        }
    }
}
