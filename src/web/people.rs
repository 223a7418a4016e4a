//! A person's pages: the profile, who follows them, whom they follow.

use actix_web::{HttpResponse, web::Data};
use tokio::try_join;

use super::{
    AppState,
    addresses::{Before, Named},
    answer::page,
    error::Result,
    view::{Direction, PeoplePage, ProfilePage},
    visitor::Visitor,
};
use crate::{
    domain::{Cursor, Page},
    store::{Person, User},
};

pub(super) async fn show(
    app: Data<AppState>,
    visitor: Visitor,
    person: Named,
    before: Before,
) -> Result<HttpResponse> {
    let (Named(user), Before(before), viewer) = (person, before, visitor.viewer()?);
    let (relation, edge, lists, statuses) = try_join!(
        app.store.relation(viewer, user.id),
        app.store.edge_from(viewer, user.id),
        app.store.listings(viewer, user.id),
        app.store.profile_page(viewer, user.id, before)
    )?;
    page(&ProfilePage::new(
        &visitor.visit(),
        &user,
        (relation, edge),
        &lists,
        before,
        &statuses,
    ))
}

pub(super) async fn followers(
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

pub(super) async fn following(
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
