//! Deactivating one's own account, returning, and deleting it.

use actix_web::web::Query;

use super::view::{AccountPage, HelpPage, LeavePage};
use crate::{
    actions::account_states::{self, Deactivate, deactivate},
    domain::AccountState,
    store::ChangeOutcome,
    web::{approvals::applicant::ApplicantPage, http::forms::Nothing, prelude::*},
};

#[derive(Deserialize)]
pub struct Fields {
    #[serde(default)]
    current_password: String,
}

#[derive(Deserialize)]
pub struct Confirmation {
    #[serde(default)]
    login: String,
}

pub async fn help(app: Data<AppState>, visitor: Visitor) -> Result<HttpResponse> {
    page(&HelpPage::new(&visitor.visit(), app.store.config()))
}

/// Asks for the password, and explains each step of leaving.
pub async fn ask(app: Data<AppState>, me: CurrentUser) -> Result<HttpResponse> {
    let visit = me.visitor.visit();
    page(&LeavePage::new(
        &visit,
        app.store.config(),
        Typed::default(),
    ))
}

/// Deactivates the account, which ends all sessions.
pub async fn leave(
    app: Data<AppState>,
    me: CurrentUser,
    SignedForm(fields): SignedForm<Fields>,
) -> Result<HttpResponse> {
    rate::charge(&app.store, RateLimit::Settings(me.id)).await?;
    let asks = me.visitor.credentials(me.id);
    match deactivate(&app.store, &app.hasher, asks, &fields.current_password).await? {
        Deactivate::Done(_) => {}
        Deactivate::LoggedOut => return Err(Error::LoggedOut),
        Deactivate::WrongPassword => {
            let wrong = Typed::error("This is not your current password.");
            let form = LeavePage::new(&me.visitor.visit(), app.store.config(), wrong);
            return page_with(StatusCode::UNPROCESSABLE_ENTITY, &form);
        }
    }
    me.visitor.log_out().await?;
    me.visitor.set_notice(Notice::AccountDeactivated);
    Ok(see_other(routes::LOG_IN))
}

#[derive(Deserialize)]
pub struct Asked {
    /// Present if an applicant looks whether they were let in.
    asked: Option<String>,
}

/// Shows the account to its person. An active account has its settings instead.
pub async fn show(
    app: Data<AppState>,
    me: CurrentUser,
    asked: Query<Asked>,
) -> Result<HttpResponse> {
    let user = app.store.user(me.id).await?.ok_or(Error::NotFound)?;
    if user.state == AccountState::Active && asked.asked.is_some() {
        me.visitor.set_notice(Notice::LetIn);
        return Ok(see_other(routes::HOME));
    }
    if user.state == AccountState::Active {
        return Ok(see_other(routes::SETTINGS));
    }
    let visit = me.visitor.visit();
    match ApplicantPage::of(&visit, &user) {
        Some(applicant) => page(&applicant),
        None => page(&AccountPage::new(&visit, &user, Typed::default())),
    }
}

pub async fn reactivate(
    app: Data<AppState>,
    me: CurrentUser,
    _form: SignedForm<Nothing>,
) -> Result<HttpResponse> {
    rate::charge(&app.store, RateLimit::Settings(me.id)).await?;
    match account_states::reactivate(&app.store, me.actor()).await? {
        ChangeOutcome::Changed => {
            me.visitor.set_notice(Notice::AccountReactivated);
            Ok(see_other(routes::HOME))
        }
        ChangeOutcome::Refused | ChangeOutcome::Unknown => Err(Error::LoggedOut),
    }
}

/// Deletes the account now. The person types the login to confirm it.
pub async fn destroy(
    app: Data<AppState>,
    me: CurrentUser,
    SignedForm(typed): SignedForm<Confirmation>,
) -> Result<HttpResponse> {
    let user = app.store.user(me.id).await?.ok_or(Error::NotFound)?;
    if Login::typed(&typed.login).to_ascii_lowercase() != user.login.folded() {
        let wrong = Typed::wrong(&typed.login, "This is not your login.");
        let form = AccountPage::new(&me.visitor.visit(), &user, wrong);
        return page_with(StatusCode::UNPROCESSABLE_ENTITY, &form);
    }
    rate::charge(&app.store, RateLimit::Settings(me.id)).await?;
    match account_states::delete_own(&app.store, me.actor()).await? {
        ChangeOutcome::Changed => {}
        // The account became active again meanwhile.
        ChangeOutcome::Refused => return Ok(see_other(routes::SETTINGS)),
        ChangeOutcome::Unknown => return Err(Error::LoggedOut),
    }
    me.visitor.log_out().await?;
    me.visitor.set_notice(Notice::AccountDeleted);
    Ok(see_other(routes::LOG_IN))
}
