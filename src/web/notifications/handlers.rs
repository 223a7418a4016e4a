//! The notifications page.

use super::view::NotificationsPage;
use crate::{
    domain::NotificationFilter,
    store::ReadMode,
    web::{addresses::Filtered, prelude::*},
};

/// Shows a page of notifications. Opening the first page without a filter marks all as read.
pub async fn index(
    app: Data<AppState>,
    me: CurrentUser,
    Filtered(filter): Filtered,
    Before(before): Before,
) -> Result<HttpResponse> {
    let read_mode = match (filter, before) {
        (NotificationFilter::All, None) => me.visitor.read_mode(),
        _ => ReadMode::Prefetch,
    };
    let part = (filter, before);
    let (lines, user) = try_join!(
        app.store.notifications_page(me.id, part, read_mode),
        app.store.known_user(me.id)
    )?;
    let requests = user.map_or(0, |user| user.requests);
    let mut visit = me.visitor.visit();
    if read_mode == ReadMode::Visit {
        visit.unread = 0;
    }
    page(&NotificationsPage::new(&visit, requests, part, &lines))
}
