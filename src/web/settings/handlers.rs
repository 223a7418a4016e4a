//! Settings: profile and password.

use actix_web::{HttpResponse, http::StatusCode, web::Data};
use serde::Deserialize;

use super::view::{PasswordTyped, ProfileForm, ProfileTyped, SettingsPage};
use crate::{
    actions::accounts::{ChangePassword, change_password, edit_profile},
    domain::{Bio, DisplayName, LocalPath, Password, UserId},
    store::{RateLimit, User},
    web::{
        AppState,
        accounts::view::{LogIn, LogInForm},
        http::{
            answer::{page, page_with, see_other},
            errors::{Error, Result, view::Retained},
            forms::{SignedForm, Submitted},
            rate,
            session::{current_user::CurrentUser, pending_form::PendingForm, visitor::Visitor},
        },
        parts::{field::Typed, notice::Notice, visit::Visit},
        routes,
    },
};

#[derive(Deserialize, Default)]
#[serde(default)]
pub(in crate::web) struct Profile {
    name: String,
    bio: String,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub(in crate::web) struct Passwords {
    current_password: String,
    new_password: String,
}

pub(in crate::web) async fn show(app: Data<AppState>, me: CurrentUser) -> Result<HttpResponse> {
    let profile = match me.visitor.pending_form() {
        Some(PendingForm::Profile { name, bio }) => ProfileTyped {
            name: Typed::text(name),
            bio: Typed::text(bio),
        },
        _ => ProfileTyped::from(&member(&app, me.id).await?),
    };
    page(&SettingsPage::new(
        &me.visitor.visit(),
        profile,
        PasswordTyped::default(),
    ))
}

pub(in crate::web) async fn update_profile(
    app: Data<AppState>,
    visitor: Visitor,
    form: Submitted<Profile>,
) -> Result<HttpResponse> {
    let act = async |fields: &Profile| save(&app, &visitor, fields).await;
    form.of_member(&visitor)
        .answer(&visitor, act, give_back)
        .await
}

async fn save(app: &AppState, visitor: &Visitor, fields: &Profile) -> Result<HttpResponse> {
    let me = visitor.member()?.ok_or(Error::LoggedOut)?.id;
    let (name, bio) = (DisplayName::parse(&fields.name), Bio::parse(&fields.bio));
    let (Ok(name), Ok(bio)) = (&name, &bio) else {
        let typed = ProfileTyped {
            name: Typed::checked(&fields.name, &name),
            bio: Typed::checked(&fields.bio, &bio),
        };
        let form = SettingsPage::new(&visitor.visit(), typed, PasswordTyped::default());
        return page_with(StatusCode::UNPROCESSABLE_ENTITY, &form);
    };
    rate::take(&app.store, RateLimit::Settings(me)).await?;
    edit_profile(&app.store, me, name, bio).await?;
    visitor.rename(name.as_str());
    visitor.forget_pending_form(|form| matches!(form, PendingForm::Profile { .. }));
    visitor.set_notice(Notice::ProfileSaved);
    Ok(see_other(routes::SETTINGS))
}

/// Returns the profile in its form, or, if the session has ended, in the log-in form.
fn give_back(fields: &Profile, visit: &Visit, error: &Error) -> Retained {
    if matches!(error, Error::LoggedOut) {
        let profile = PendingForm::Profile {
            name: fields.name.clone(),
            bio: fields.bio.clone(),
        };
        let log_in = LogIn {
            next: LocalPath::parse(routes::SETTINGS),
            pending_form: Some(profile),
            ..LogIn::default()
        };
        return Retained::LogIn(LogInForm::new(visit, log_in));
    }
    let typed = ProfileTyped {
        name: Typed::text(&fields.name),
        bio: Typed::text(&fields.bio),
    };
    Retained::Profile(ProfileForm::new(visit, typed))
}

/// Changes the password, which ends all sessions, and begins a new session here.
pub(in crate::web) async fn update_password(
    app: Data<AppState>,
    me: CurrentUser,
    form: SignedForm<Passwords>,
) -> Result<HttpResponse> {
    let SignedForm(typed) = form;
    let new = match Password::parse(&typed.new_password) {
        Ok(new) => new,
        Err(reason) => return show_form_again(&app, &me, PasswordTyped::new_is(reason)).await,
    };
    rate::take(&app.store, RateLimit::Settings(me.id)).await?;
    let current = &typed.current_password;
    let asks = me.visitor.credentials(me.id);
    let credentials = match change_password(&app.store, &app.hasher, asks, current, &new).await? {
        ChangePassword::Changed(credentials) => credentials,
        ChangePassword::LoggedOut => return Err(Error::LoggedOut),
        ChangePassword::Wrong => {
            let reason = "This is not your current password.";
            return show_form_again(&app, &me, PasswordTyped::current_is(reason)).await;
        }
    };
    let pending_form = me.visitor.pending_form();
    me.visitor
        .log_in(&credentials, &me.login, &me.name, pending_form.as_ref())
        .await?;
    me.visitor.set_notice(Notice::PasswordChanged);
    Ok(see_other(routes::SETTINGS))
}

async fn show_form_again(
    app: &AppState,
    me: &CurrentUser,
    password: PasswordTyped,
) -> Result<HttpResponse> {
    let user = member(app, me.id).await?;
    let form = SettingsPage::new(&me.visitor.visit(), ProfileTyped::from(&user), password);
    page_with(StatusCode::UNPROCESSABLE_ENTITY, &form)
}

async fn member(app: &AppState, me: UserId) -> Result<User> {
    app.store.user(me).await?.ok_or(Error::NotFound)
}
