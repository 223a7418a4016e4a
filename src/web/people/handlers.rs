//! Profiles, followers and followed people.

use actix_web::{HttpResponse, web::Data};
use tokio::try_join;

use super::{
    profile::ProfilePage,
    view::{Direction, PeoplePage},
};
use crate::{
    domain::{Cursor, Page, ProfileView},
    store::{Person, User},
    web::{
        AppState,
        addresses::{Before, Named},
        http::{answer::page, errors::Result, session::visitor::Visitor},
    },
};

pub(in crate::web) async fn show(
    app: Data<AppState>,
    visitor: Visitor,
    person: Named,
    before: Before,
) -> Result<HttpResponse> {
    profile(&app, &visitor, (person, ProfileView::Posts), before).await
}

pub(in crate::web) async fn show_replies(
    app: Data<AppState>,
    visitor: Visitor,
    person: Named,
    before: Before,
) -> Result<HttpResponse> {
    let shown = (person, ProfileView::PostsAndReplies);
    profile(&app, &visitor, shown, before).await
}

async fn profile(
    app: &AppState,
    visitor: &Visitor,
    (Named(user), view): (Named, ProfileView),
    Before(before): Before,
) -> Result<HttpResponse> {
    let viewer = visitor.viewer()?;
    let (relation, edge, preference, lists, statuses) = try_join!(
        app.store.relation(viewer, user.id),
        app.store.edge_from(viewer, user.id),
        app.store.weight(viewer, user.id),
        app.store.list_memberships(viewer, user.id),
        app.store.profile_page(viewer, user.id, view, before)
    )?;
    page(&ProfilePage::new(
        &visitor.visit(),
        (&user, view),
        (relation, edge, preference),
        &lists,
        before,
        &statuses,
    ))
}

pub(in crate::web) async fn followers(
    app: Data<AppState>,
    visitor: Visitor,
    Named(user): Named,
    Before(before): Before,
) -> Result<HttpResponse> {
    let people = app.store.followers_page(visitor.viewer()?, user.id, before);
    list(
        &visitor,
        Direction::Followers,
        &user,
        before,
        &people.await?,
    )
}

pub(in crate::web) async fn following(
    app: Data<AppState>,
    visitor: Visitor,
    Named(user): Named,
    Before(before): Before,
) -> Result<HttpResponse> {
    let people = app.store.following_page(visitor.viewer()?, user.id, before);
    list(
        &visitor,
        Direction::Following,
        &user,
        before,
        &people.await?,
    )
}

fn list(
    visitor: &Visitor,
    direction: Direction,
    user: &User,
    before: Option<Cursor>,
    people: &Page<Person>,
) -> Result<HttpResponse> {
    page(&PeoplePage::new(
        &visitor.visit(),
        direction,
        user,
        before,
        people,
    ))
}
