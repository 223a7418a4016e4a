//! The directory of groups, the groups of a member, and the notices to a member.

use super::directory_view::{DirectoryPage, GroupsHelpPage, NoticesPage, OwnGroupsPage};
use crate::web::{addresses::Sought, prelude::*, search::handlers::search_limit};

/// Shows the directory, or the groups that match the words. Both show listed groups only.
pub async fn index(
    app: Data<AppState>,
    visitor: Visitor,
    Sought(query): Sought,
    Before(before): Before,
) -> Result<HttpResponse> {
    let viewer = visitor.viewer()?;
    if query.is_empty() {
        let groups = app.store.listed_groups(before).await?;
        return page(&DirectoryPage::new(&visitor.visit(), before, &groups));
    }
    rate::charge(&app.store, search_limit(&app, &visitor, viewer)).await?;
    let groups = app.store.groups_with_words(&query.beginnings()).await?;
    page(&DirectoryPage::found(&visitor.visit(), &query, &groups))
}

pub async fn mine(app: Data<AppState>, me: CurrentUser) -> Result<HttpResponse> {
    let groups = app.store.own_groups(me.id).await?;
    page(&OwnGroupsPage::new(&me.visitor.visit(), &groups))
}

pub async fn notices(app: Data<AppState>, me: CurrentUser) -> Result<HttpResponse> {
    let notices = app.store.group_notices(me.id).await?;
    page(&NoticesPage::new(&me.visitor.visit(), &notices))
}

pub async fn help(visitor: Visitor) -> Result<HttpResponse> {
    let limits = &visitor.app().store.config().limits;
    page(&GroupsHelpPage::new(&visitor.visit(), limits))
}
