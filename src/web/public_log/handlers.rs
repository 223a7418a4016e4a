//! The numbers of decisions, for everybody, if the owner publishes them.

use super::view::PublicLogPage;
use crate::web::prelude::*;

pub async fn show(app: Data<AppState>, visitor: Visitor) -> Result<HttpResponse> {
    let site = app.store.site().await?;
    if !site.has_public_log {
        return Err(Error::NotFound);
    }
    let (counts, now) = try_join!(app.store.act_counts(), app.store.now())?;
    page(&PublicLogPage::new(&visitor.visit(), &site, (&counts, now)))
}
