//! The administration: the log, and the people of the site. Each handler begins with the check of the power.

use super::view::{OverviewPage, PeoplePage};
use crate::{
    domain::{PAGE_SIZE, Power, Role, may},
    web::prelude::*,
};

/// Requires that a member has a power. Every request that needs one passes here.
async fn require(app: &AppState, me: &CurrentUser, power: Power) -> Result<Role> {
    let role = app.store.role(me.id).await?;
    let permitted = role.filter(|_| may(role, power));
    permitted.ok_or(Error::NotPermitted)
}

pub async fn show(app: Data<AppState>, me: CurrentUser, before: Before) -> Result<HttpResponse> {
    let role = require(&app, &me, Power::ReadAdministration).await?;
    let acts = app.store.acts_before(before.0, PAGE_SIZE).await?;
    page(&OverviewPage::new(
        &me.visitor.visit(),
        role,
        before.0,
        &acts,
    ))
}

pub async fn people(app: Data<AppState>, me: CurrentUser, before: Before) -> Result<HttpResponse> {
    require(&app, &me, Power::ReadAdministration).await?;
    let people = app.store.accounts_before(before.0, PAGE_SIZE).await?;
    page(&PeoplePage::new(&me.visitor.visit(), before.0, &people))
}
