//! The page of the newest public posts.

use super::view::EverybodyPage;
use crate::web::{
    homes::handlers::read_side_content,
    prelude::*,
    statuses::{compose::ComposeForm, new_post::with_groups},
};

pub async fn index(
    app: Data<AppState>,
    visitor: Visitor,
    Before(before): Before,
) -> Result<HttpResponse> {
    let viewer = visitor.viewer()?;
    require_reader(&app, &visitor, viewer).await?;
    let visit = visitor.visit();
    let newest = app.store.everybody_page(viewer, before);
    let share = app.store.config().limits.everybody_per_hour;
    let Some(me) = viewer.id() else {
        let (statuses, trends) = try_join!(newest, app.store.trends_of_now())?;
        let shown = (&*trends, share);
        return page(&EverybodyPage::new(&visit, before, &statuses, shown));
    };
    let compose = ComposeForm::of_timeline(&visit, routes::EVERYBODY);
    let compose = compose.filter(|_| before.is_none());
    let (statuses, side_content, compose) = try_join!(
        newest,
        read_side_content(&app.store, me),
        with_groups(&app.store, me, compose)
    )?;
    let page_of_all = EverybodyPage::new(&visit, before, &statuses, (&side_content.trends, share));
    page(&page_of_all.for_member(&visit, before, (compose, &side_content)))
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
