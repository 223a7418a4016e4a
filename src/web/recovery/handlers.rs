//! Recovery codes in the settings, and the forms that replace a forgotten password.

use super::view::{
    CodesPage, CodesTyped, LinkUsedPage, RecoverForm, RecoverPage, RecoverTyped, ResetForm,
    ResetPage, SettingsPage,
};
use crate::{
    actions::{
        accounts::Credentials,
        recovery::{
            make_codes, owner_of_code, recover as recover_account, reset as reset_password,
        },
    },
    domain::{Password, SecretLink},
    web::{
        addresses::Linked, http::session::visitor::LoginState, prelude::*,
        sessions::handlers::charge_secret,
    },
};

#[derive(Deserialize)]
pub struct PasswordField {
    current_password: String,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub struct Fields {
    login: String,
    code: String,
    new_password: String,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub struct NewPassword {
    new_password: String,
}

/// Shows how many recovery codes are unused, and the form to make new ones.
pub async fn show(app: Data<AppState>, me: CurrentUser) -> Result<HttpResponse> {
    let codes = app.store.recovery_codes(me.id).await?;
    let typed = CodesTyped::default();
    page(&SettingsPage::new(&me.visitor.visit(), codes, typed))
}

/// Makes recovery codes and shows them once.
pub async fn create(
    app: Data<AppState>,
    me: CurrentUser,
    form: SignedForm<PasswordField>,
) -> Result<HttpResponse> {
    let SignedForm(fields) = form;
    rate::charge(&app.store, RateLimit::Settings(me.id)).await?;
    let password = &fields.current_password;
    let visit = me.visitor.visit();
    match make_codes(&app.store, &app.hasher, me.actor(), password).await? {
        Some(codes) => page(&CodesPage::new(&visit, &codes)),
        None => {
            let codes = app.store.recovery_codes(me.id).await?;
            let typed = CodesTyped {
                password: Typed::error("This is not your current password."),
            };
            let form = SettingsPage::new(&visit, codes, typed);
            page_with(StatusCode::UNPROCESSABLE_ENTITY, &form)
        }
    }
}

/// Shows the form that takes a recovery code.
pub async fn new(visitor: Visitor) -> Result<HttpResponse> {
    if matches!(visitor.login_state(), LoginState::Member(_)) {
        return Ok(see_other(routes::SETTINGS_RECOVERY));
    }
    let typed = RecoverTyped::default();
    page(&RecoverPage::new(&visitor.visit_with_form(), typed))
}

pub async fn recover(
    app: Data<AppState>,
    visitor: Visitor,
    form: Submitted<Fields>,
) -> Result<HttpResponse> {
    let act = async |fields: &Fields| use_code(&app, &visitor, fields).await;
    let give_back = |fields: &Fields, visit: &Visit, _: &Error| {
        Retained::form(&RecoverForm::new(visit, RecoverTyped::of(&fields.login)))
    };
    form.answer(&visitor, act, give_back).await
}

async fn use_code(app: &AppState, visitor: &Visitor, fields: &Fields) -> Result<HttpResponse> {
    let login = Login::typed(&fields.login);
    let typed = || RecoverTyped::of(&fields.login);
    let again = |typed| {
        let form = RecoverPage::new(&visitor.visit_with_form(), typed);
        page_with(StatusCode::UNPROCESSABLE_ENTITY, &form)
    };
    let new = match Password::parse(&fields.new_password) {
        Ok(new) => new,
        Err(reason) => {
            return again(RecoverTyped {
                password: Typed::error(reason),
                ..typed()
            });
        }
    };
    let code = (login, fields.code.as_str());
    let owner = owner_of_code(&app.store, code).await?;
    charge_secret(app, visitor, owner, login).await?;
    match recover_account(&app.store, &app.hasher, code, &new).await? {
        Some(credentials) => enter(app, visitor, &credentials).await,
        None => again(RecoverTyped {
            code: Typed::error(
                "This login and this code do not match, or the code was used before.",
            ),
            ..typed()
        }),
    }
}

/// Logs in the person who has set a new password.
async fn enter(
    app: &AppState,
    visitor: &Visitor,
    credentials: &Credentials,
) -> Result<HttpResponse> {
    let gone = || Error::Unavailable("an account ended while its person logged in".to_owned());
    let user = app.store.user(credentials.uid).await?.ok_or_else(gone)?;
    visitor
        .log_in(credentials, &user.login, &user.name, None)
        .await?;
    visitor.set_notice(Notice::Recovered);
    Ok(see_other(routes::HOME))
}

/// Shows the form that sets a new password, to the person with a valid link.
pub async fn follow_link(
    app: Data<AppState>,
    visitor: Visitor,
    Linked(link): Linked,
) -> Result<HttpResponse> {
    let visit = visitor.visit_with_form();
    match holder_of(&app, &link).await? {
        Some(user) => page(&ResetPage::new(&visit, &link, &user, Typed::default())),
        None => page_with(StatusCode::NOT_FOUND, &LinkUsedPage::new(&visit)),
    }
}

/// Returns the person whose password a link sets, if the link is valid.
async fn holder_of(app: &AppState, link: &SecretLink) -> Result<Option<User>> {
    let digest = link.digest();
    let (is_valid, user) = try_join!(
        app.store.is_reset_link_valid(link.user, &digest),
        app.store.user(link.user)
    )?;
    Ok(user.filter(|_| is_valid))
}

pub async fn reset(
    app: Data<AppState>,
    visitor: Visitor,
    Linked(link): Linked,
    form: Submitted<NewPassword>,
) -> Result<HttpResponse> {
    let act = async |fields: &NewPassword| use_link(&app, &visitor, &link, fields).await;
    let give_back = |_: &NewPassword, visit: &Visit, _: &Error| {
        Retained::form(&ResetForm::new(
            visit,
            &link,
            String::new(),
            Typed::default(),
        ))
    };
    form.answer(&visitor, act, give_back).await
}

async fn use_link(
    app: &AppState,
    visitor: &Visitor,
    link: &SecretLink,
    fields: &NewPassword,
) -> Result<HttpResponse> {
    let holder = holder_of(app, link).await?;
    let owner = holder.as_ref().map(|user| user.id);
    charge_secret(app, visitor, owner, "").await?;
    let visit = visitor.visit_with_form();
    let Some(user) = holder else {
        return page_with(StatusCode::NOT_FOUND, &LinkUsedPage::new(&visit));
    };
    let new = match Password::parse(&fields.new_password) {
        Ok(new) => new,
        Err(reason) => {
            let form = ResetPage::new(&visit, link, &user, Typed::error(reason));
            return page_with(StatusCode::UNPROCESSABLE_ENTITY, &form);
        }
    };
    match reset_password(&app.store, &app.hasher, link, &new).await? {
        Some(credentials) => enter(app, visitor, &credentials).await,
        None => page_with(StatusCode::NOT_FOUND, &LinkUsedPage::new(&visit)),
    }
}
