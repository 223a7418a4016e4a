//! Vouching for a newcomer, which ends the limits of a new account.

use super::handlers::require;
use crate::{
    actions::administration::vouch_as,
    domain::Power,
    web::{addresses::WithLogin, http::forms::Nothing, prelude::*},
};

pub async fn vouch(
    app: Data<AppState>,
    me: CurrentUser,
    SignedForm(Nothing {}): SignedForm<Nothing>,
    WithLogin(login): WithLogin,
) -> Result<HttpResponse> {
    require(&app, &me, Power::Vouch).await?;
    rate::charge(&app.store, RateLimit::Settings(me.id)).await?;
    let person = app.store.holder(&login).await?.ok_or(Error::NotFound)?;
    vouch_as(&app.store, me.actor(), person).await?;
    let profile = routes::profile(&login);
    me.visitor.set_notice(Notice::Vouched { login });
    Ok(see_other(&profile))
}
