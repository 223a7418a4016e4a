//! The notifications page.

use super::view::NotificationsPage;
use crate::{store::ReadMode, web::prelude::*};

/// Shows a page of notifications. Opening the first page marks all as read.
pub async fn index(
    app: Data<AppState>,
    me: CurrentUser,
    Before(before): Before,
) -> Result<HttpResponse> {
    let read_mode = match before {
        None => me.visitor.read_mode(),
        Some(_) => ReadMode::Prefetch,
    };
    let (lines, user) = try_join!(
        app.store.notifications_page(me.id, before, read_mode),
        app.store.known_user(me.id)
    )?;
    let requests = user.map_or(0, |user| user.requests);
    let mut visit = me.visitor.visit();
    if read_mode == ReadMode::Visit {
        visit.unread = 0;
    }
    page(&NotificationsPage::new(&visit, requests, before, &lines))
}
