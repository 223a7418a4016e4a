//! The page of posts that mention the member.

use actix_web::{HttpResponse, web::Data};

use super::view::MentionsPage;
use crate::web::{
    AppState,
    addresses::Before,
    http::{answer::page, errors::Result, session::current_user::CurrentUser},
};

pub(in crate::web) async fn index(
    app: Data<AppState>,
    me: CurrentUser,
    Before(before): Before,
) -> Result<HttpResponse> {
    let statuses = app.store.mentions_page(me.id, before).await?;
    page(&MentionsPage::new(&me.visitor.visit(), before, &statuses))
}
