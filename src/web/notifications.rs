//! What the member was told of that others did.

use actix_web::{HttpResponse, web::Data};

use super::{
    AppState, addresses::Before, answer::page, current_user::CurrentUser, error::Result,
    view::NotificationsPage,
};
use crate::store::Regard;

/// Whoever looks at the first page has read all there is.
pub(super) async fn index(
    app: Data<AppState>,
    me: CurrentUser,
    Before(before): Before,
) -> Result<HttpResponse> {
    let regard = match before {
        None => me.visitor.regard(),
        Some(_) => Regard::Glance,
    };
    let lines = app.store.notifications_page(me.id, before, regard).await?;
    let mut visit = me.visitor.visit();
    if regard == Regard::Visit {
        visit.unread = 0;
    }
    page(&NotificationsPage::new(&visit, before, &lines))
}
