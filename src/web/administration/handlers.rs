//! The administration: the log, and the people of the site. Each handler begins with the check of the power.

use super::view::{OverviewPage, PeoplePage, PersonPage, PowersOverPerson};
use crate::{
    domain::{PAGE_SIZE, Power, Role, may, may_act_on},
    store::AccountRecord,
    web::{addresses::WithLogin, prelude::*},
};

/// Requires that a member has a power. Every request that needs one passes here.
pub async fn require(app: &AppState, me: &CurrentUser, power: Power) -> Result<Role> {
    let role = app.store.role(me.id).await?;
    let permitted = role.filter(|_| may(role, power));
    permitted.ok_or(Error::NotPermitted)
}

/// Returns the person if the member may use a power against them.
pub async fn person_for(
    app: &AppState,
    me: &CurrentUser,
    login: &Login,
    power: Power,
) -> Result<User> {
    let role = require(app, me, power).await?;
    let store = &app.store;
    let person = store.holder(login).await?.ok_or(Error::NotFound)?;
    let (user, other) = try_join!(store.user(person), store.role(person))?;
    let user = user.ok_or(Error::NotFound)?;
    match may_act_on(Some(role), power, other) {
        true => Ok(user),
        false => Err(Error::NotPermitted),
    }
}

pub async fn show(app: Data<AppState>, me: CurrentUser, before: Before) -> Result<HttpResponse> {
    let role = require(&app, &me, Power::ReadAdministration).await?;
    let (acts, days) = try_join!(
        app.store.acts_before(before.0, PAGE_SIZE),
        app.store.site_days()
    )?;
    let visit = me.visitor.visit();
    page(&OverviewPage::new(&visit, role, &days, (before.0, &acts)))
}

pub async fn people(app: Data<AppState>, me: CurrentUser, before: Before) -> Result<HttpResponse> {
    require(&app, &me, Power::ReadAdministration).await?;
    let people = app.store.accounts_before(before.0, PAGE_SIZE).await?;
    let inviters = inviters(&app, &people.items).await?;
    let visit = me.visitor.visit();
    page(&PeoplePage::new(&visit, before.0, &people, &inviters))
}

/// Reads the people who invited these people.
async fn inviters(app: &AppState, people: &[AccountRecord]) -> Result<Vec<AccountRecord>> {
    let mut ids: Vec<UserId> = people.iter().filter_map(|person| person.inviter).collect();
    ids.sort_unstable();
    ids.dedup();
    Ok(app.store.account_records(&ids).await?)
}

/// Shows who invited a person, and the people that the person invited.
pub async fn person(
    app: Data<AppState>,
    me: CurrentUser,
    before: Before,
    WithLogin(login): WithLogin,
) -> Result<HttpResponse> {
    let role = require(&app, &me, Power::ReadAdministration).await?;
    let store = &app.store;
    let person = store.holder(&login).await?.ok_or(Error::NotFound)?;
    let user = store.user(person).await?.ok_or(Error::NotFound)?;
    let other = store.role(person).await?;
    let may = |power| may_act_on(Some(role), power, other);
    let powers = PowersOverPerson {
        suspends: may(Power::Suspend),
        makes_reset_link: may(Power::MakeResetLink),
    };
    let above = store.inviters_of(person).await?;
    let invited = store.invited_accounts(person, before.0).await?;
    let visit = me.visitor.visit();
    page(&PersonPage::new(
        &visit,
        (&user, powers),
        &above,
        (before.0, &invited),
    ))
}
