//! The rules of the site and its contact, for everybody.

use super::view::RulesPage;
use crate::web::prelude::*;

pub async fn show(app: Data<AppState>, visitor: Visitor) -> Result<HttpResponse> {
    let site = app.store.site().await?;
    page(&RulesPage::new(&visitor.visit(), &site))
}
