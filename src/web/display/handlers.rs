//! The choices of light or dark pages, and of the time zone.

use super::view::DisplayPage;
use crate::{
    actions::accounts::set_zone,
    domain::{ShownValues, Zone},
    web::{parts::theme::Theme, prelude::*},
};

#[derive(Deserialize)]
pub struct Fields {
    theme: Theme,
    zone: Zone,
    /// The digest of the zone with which the form was made.
    #[serde(default)]
    shown: String,
}

pub async fn ask(me: CurrentUser) -> Result<HttpResponse> {
    page(&DisplayPage::new(&me.visitor.visit()))
}

/// Stores the time zone with the member, if the form changed it: another device may have changed it meanwhile. Keeps the
/// theme in a cookie, because it suits a screen and not a person.
pub async fn choose(
    app: Data<AppState>,
    me: CurrentUser,
    SignedForm(fields): SignedForm<Fields>,
) -> Result<HttpResponse> {
    let shown = ShownValues::parse(&fields.shown);
    if !shown.is_unchanged("zone", fields.zone.name()) && fields.zone != me.visitor.zone() {
        rate::charge(&app.store, RateLimit::Settings(me.id)).await?;
        set_zone(&app.store, me.actor(), &fields.zone).await?;
    }
    me.visitor.set_notice(Notice::SettingsSaved);
    Ok(HttpResponse::SeeOther()
        .insert_header(("location", routes::SETTINGS_DISPLAY))
        .cookie(app.site.cookies.theme_cookie(fields.theme))
        .finish())
}
