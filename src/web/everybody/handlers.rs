//! The page of the newest public posts.

use super::view::EverybodyPage;
use crate::web::prelude::*;

pub async fn index(
    app: Data<AppState>,
    visitor: Visitor,
    Before(before): Before,
) -> Result<HttpResponse> {
    let viewer = visitor.viewer()?;
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
