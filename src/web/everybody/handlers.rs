//! The page of the newest public posts.

use super::view::EverybodyPage;
use crate::web::prelude::*;

pub async fn index(
    app: Data<AppState>,
    visitor: Visitor,
    Before(before): Before,
) -> Result<HttpResponse> {
    let viewer = visitor.viewer()?;
    require_reader(&app, &visitor, viewer).await?;
    let (statuses, trends) = try_join!(
        app.store.everybody_page(viewer, before),
        app.store.trends_of_now()
    )?;
    page(&EverybodyPage::new(
        &visitor.visit(),
        before,
        &statuses,
        (&trends, app.store.config().limits.everybody_per_hour),
    ))
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
