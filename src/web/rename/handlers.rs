//! Changing one's own login.

use super::view::{RenamePage, RenameTyped};
use crate::{
    actions::rename::{Rename, rename as rename_member},
    web::prelude::*,
};

#[derive(Deserialize, Default)]
#[serde(default)]
pub struct Fields {
    login: String,
    current_password: String,
}

pub async fn ask(app: Data<AppState>, me: CurrentUser) -> Result<HttpResponse> {
    show(&app, &me, RenameTyped::default(), StatusCode::OK).await
}

/// Changes the login. Sessions stay, and read the new one with the next request.
pub async fn rename(
    app: Data<AppState>,
    me: CurrentUser,
    SignedForm(fields): SignedForm<Fields>,
) -> Result<HttpResponse> {
    let login = match Login::parse(Login::typed(&fields.login)) {
        Ok(login) if login == me.login => return refuse(&app, &me, &fields, SAME).await,
        Ok(login) => login,
        Err(error) => return refuse(&app, &me, &fields, error).await,
    };
    rate::charge(&app.store, RateLimit::Settings(me.id)).await?;
    let asks = me.visitor.credentials(me.id);
    let password = &fields.current_password;
    match rename_member(&app.store, &app.hasher, asks, password, &login).await? {
        Rename::Renamed => {}
        Rename::LoggedOut => return Err(Error::LoggedOut),
        Rename::WrongPassword => {
            let typed = RenameTyped {
                login: Typed::text(&fields.login),
                password: Typed::error("This is not your current password."),
            };
            return show(&app, &me, typed, StatusCode::UNPROCESSABLE_ENTITY).await;
        }
        Rename::Taken => return refuse(&app, &me, &fields, TAKEN).await,
        Rename::TooSoon => return refuse(&app, &me, &fields, TOO_SOON).await,
        Rename::TooMany => return refuse(&app, &me, &fields, TOO_MANY).await,
        Rename::UnderWay => return refuse(&app, &me, &fields, UNDER_WAY).await,
    }
    me.visitor.set_notice(Notice::LoginChanged { login });
    Ok(see_other(routes::SETTINGS_LOGIN))
}

const SAME: &str = "This is your login already. Choose another.";
const TAKEN: &str = "This login is taken. Choose another.";
const TOO_SOON: &str = "You changed your login recently. Try again later.";
const TOO_MANY: &str =
    "You have reached the limit of former logins. You can return to one of them.";
const UNDER_WAY: &str = "Another change of your login is not finished. Try again in a minute.";

/// Shows the form again with an error about the login.
async fn refuse(
    app: &AppState,
    me: &CurrentUser,
    fields: &Fields,
    reason: impl ToString,
) -> Result<HttpResponse> {
    let typed = RenameTyped {
        login: Typed::wrong(&fields.login, reason),
        password: Typed::default(),
    };
    show(app, me, typed, StatusCode::UNPROCESSABLE_ENTITY).await
}

async fn show(
    app: &AppState,
    me: &CurrentUser,
    typed: RenameTyped,
    status: StatusCode,
) -> Result<HttpResponse> {
    let history = app.store.login_history(me.id).await?;
    let history = history.ok_or(Error::NotFound)?;
    let visit = me.visitor.visit();
    let form = RenamePage::new(&visit, app.store.config(), &history, typed);
    page_with(status, &form)
}
