//! The page of the newest public posts.

use super::view::EverybodyPage;
use crate::{
    store::{self, Store},
    web::{
        prelude::*,
        statuses::{compose::ComposeForm, new_post::with_audiences},
    },
};

pub async fn index(
    app: Data<AppState>,
    visitor: Visitor,
    Before(before): Before,
) -> Result<HttpResponse> {
    let viewer = visitor.viewer()?;
    require_reader(&app, &visitor, viewer).await?;
    let visit = visitor.visit();
    let compose = ComposeForm::of_timeline(&visit, routes::EVERYBODY);
    let compose = compose.filter(|_| before.is_none());
    let (statuses, trends, compose) = try_join!(
        app.store.everybody_page(viewer, before),
        app.store.trends_of_now(),
        for_author(&app.store, viewer, compose)
    )?;
    let limits = &app.store.config().limits;
    let page_of_all = EverybodyPage::new(
        &visit,
        before,
        &statuses,
        (&trends, limits.everybody_per_hour),
    );
    page(&page_of_all.with_compose(compose))
}

/// Returns the form with the audiences of the member.
async fn for_author(
    store: &Store,
    viewer: Viewer,
    compose: Option<ComposeForm>,
) -> store::Result<Option<ComposeForm>> {
    match (viewer.id(), compose) {
        (Some(me), Some(compose)) => with_audiences(store, me, compose).await.map(Some),
        (_, compose) => Ok(compose),
    }
}

/// Leads visitors to the log-in if the owner shows the newest posts to members only.
async fn require_reader(app: &AppState, visitor: &Visitor, viewer: Viewer) -> Result<()> {
    if viewer.id().is_some() || app.store.site().await?.shows_everybody_to_visitors {
        return Ok(());
    }
    Err(Error::LogInFirst {
        next: visitor.path(),
    })
}
