//! The choice of light or dark pages.

use super::view::DisplayPage;
use crate::web::{parts::theme::Theme, prelude::*};

#[derive(Deserialize)]
pub struct Fields {
    theme: Theme,
}

pub async fn ask(me: CurrentUser) -> Result<HttpResponse> {
    page(&DisplayPage::new(&me.visitor.visit()))
}

/// Keeps the theme in a cookie, because it suits a screen and not a person.
pub async fn choose(
    app: Data<AppState>,
    me: CurrentUser,
    SignedForm(fields): SignedForm<Fields>,
) -> Result<HttpResponse> {
    me.visitor.set_notice(Notice::SettingsSaved);
    Ok(HttpResponse::SeeOther()
        .insert_header(("location", routes::SETTINGS_DISPLAY))
        .cookie(app.site.cookies.theme_cookie(fields.theme))
        .finish())
}
