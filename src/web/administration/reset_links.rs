//! Making a link that sets a new password of a person, for those who run the site.

use super::{handlers::person_for, view::ResetLinkPage};
use crate::{
    actions::administration::make_link_as,
    domain::Power,
    web::{addresses::WithLogin, http::forms::Nothing, prelude::*},
};

/// Makes a link and shows it once.
pub async fn make(
    app: Data<AppState>,
    me: CurrentUser,
    SignedForm(Nothing {}): SignedForm<Nothing>,
    WithLogin(login): WithLogin,
) -> Result<HttpResponse> {
    let user = person_for(&app, &me, &login, Power::MakeResetLink).await?;
    rate::charge(&app.store, RateLimit::Settings(me.id)).await?;
    let link = make_link_as(&app.store, me.actor(), user.id).await?;
    let address = app.site.config.public_url.join(&routes::reset(&link));
    let address = address.map_err(|error| Error::Internal(error.to_string()))?;
    let visit = me.visitor.visit();
    page(&ResetLinkPage::new(&visit, &user.login, address.into()))
}
