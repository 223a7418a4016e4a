//! Profiles, followers and followed people, and the people who reacted to a status.

use super::{
    profile::{ProfilePage, Tab, ViewerChoices},
    reacted_people::{ReactedPeoplePage, Reaction},
    view::{Direction, PeoplePage},
};
use crate::{
    domain::Cursor,
    store::{self, AccountPage, PeopleOf},
    web::prelude::*,
};

pub async fn show(
    app: Data<AppState>,
    visitor: Visitor,
    Named(user): Named,
    OfRoute(tab): OfRoute<Tab>,
    Before(before): Before,
) -> Result<HttpResponse> {
    let viewer = visitor.viewer()?;
    let (choices, lists, inviter, newcomer_until, statuses) = try_join!(
        choices(&app, viewer, user.id),
        app.store.list_memberships(viewer, user.id),
        app.store.inviter_for(viewer, user.id),
        app.store.newcomer_for(viewer, &user),
        statuses(&app, (viewer, &user), tab, before)
    )?;
    let statuses = statuses.ok_or(Error::NotFound)?;
    let visit = visitor.visit();
    let profile = ProfilePage::new(&visit, (&user, tab), choices, &lists, before, &statuses);
    let profile = profile.with_newcomer(&visit, newcomer_until);
    page(&profile.with_inviter(inviter))
}

/// Leads to the profile of the reader. Pages that do not know their login link here.
pub async fn own(me: CurrentUser) -> HttpResponse {
    see_other(&routes::profile(&me.login))
}

/// Reads the statuses of a tab. `None` if the person does not show it to the viewer.
async fn statuses(
    app: &AppState,
    (viewer, user): (Viewer, &User),
    tab: Tab,
    before: Option<Cursor>,
) -> store::Result<Option<AccountPage>> {
    match tab {
        Tab::Statuses(view) => {
            let page = app.store.account_page(viewer, user, view, before).await?;
            Ok(Some(page))
        }
        Tab::Favourites => {
            let page = app.store.favourites_page(viewer, user, before).await?;
            Ok(page.map(AccountPage::from))
        }
    }
}

/// Reads the choices of a viewer about a person.
async fn choices(app: &AppState, viewer: Viewer, person: UserId) -> store::Result<ViewerChoices> {
    let (relation, mute, edge, preference) = try_join!(
        app.store.relation(viewer, person),
        app.store.mute_of(viewer, person),
        app.store.edge_from(viewer, person),
        app.store.preference(viewer, person),
    )?;
    Ok(ViewerChoices {
        relation,
        mute,
        edge,
        preference,
    })
}

pub async fn connections(
    app: Data<AppState>,
    visitor: Visitor,
    Named(user): Named,
    OfRoute(direction): OfRoute<Direction>,
    Before(before): Before,
) -> Result<HttpResponse> {
    let viewer = visitor.viewer()?;
    let of = match direction {
        Direction::Followers => PeopleOf::Followers(user.id),
        Direction::Following => PeopleOf::Followed(user.id),
    };
    let people = app
        .store
        .connections_page(viewer, &user, of, before)
        .await?;
    let visit = visitor.visit();
    page(&PeoplePage::new(&visit, direction, &user, before, people))
}

/// Lists the people who favourited a status, or reposted it without a comment. It is not found under another
/// person's login, and for a repost.
pub async fn reacted(
    app: Data<AppState>,
    visitor: Visitor,
    Named(author): Named,
    Numbered(id): Numbered,
    OfRoute(reaction): OfRoute<Reaction>,
    Before(before): Before,
) -> Result<HttpResponse> {
    let viewer = visitor.viewer()?;
    let of = match reaction {
        Reaction::Favourite => PeopleOf::Favourites(id),
        Reaction::Repost => PeopleOf::Reposts(id),
    };
    let status = app.store.status(viewer, id).await?;
    let status = status
        .filter(|status| status.author().id == author.id && !status.is_repost())
        .ok_or(Error::NotFound)?;
    // Not at the same time: a hidden status would take longer the more people reacted to it.
    let people = app.store.people_page(viewer, of, before).await?;
    let visit = visitor.visit();
    page(&ReactedPeoplePage::new(
        &visit, reaction, &status, before, &people,
    ))
}
