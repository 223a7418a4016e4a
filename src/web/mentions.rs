//! What mentions the member.

use actix_web::{HttpResponse, web::Data};

use super::{
    AppState, addresses::Before, answer::page, current_user::CurrentUser, error::Result,
    view::MentionsPage,
};

pub(super) async fn index(
    app: Data<AppState>,
    me: CurrentUser,
    Before(before): Before,
) -> Result<HttpResponse> {
    let statuses = app.store.mentions_page(me.id, before).await?;
    page(&MentionsPage::new(&me.visitor.visit(), before, &statuses))
}
