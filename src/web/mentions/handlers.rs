//! The page of posts that mention the member.

use super::view::MentionsPage;
use crate::web::prelude::*;

pub async fn index(
    app: Data<AppState>,
    me: CurrentUser,
    Before(before): Before,
) -> Result<HttpResponse> {
    let statuses = app.store.mentions_page(me.id, before).await?;
    page(&MentionsPage::new(&me.visitor.visit(), before, &statuses))
}
