//! Sign-up.

use std::net::IpAddr;

use super::view::{NotOpen, NotOpenPage, SignUp as Typed, SignUpForm, SignUpPage};
use crate::{
    actions::{
        accounts::{Credentials, NewAccount, SignUp, log_in, sign_up},
        invitations::Entry,
        moderation::shields::examine_sign_up,
    },
    domain::{
        ApplicationAnswer, DisplayName, Entrance, LoginError, Password, PasswordError, SecretLink,
        TextError,
    },
    web::{
        addresses::Linked,
        http::{client, session::visitor::LoginState},
        parts::field::Typed as Field,
        prelude::*,
    },
};

#[derive(Deserialize, Default)]
#[serde(default)]
pub struct Fields {
    login: String,
    name: String,
    password: String,
    idempotency_key: String,
    invitation: String,
    /// The answer to the question of the site. Only a form that asks it has the field.
    answer: Option<String>,
}

/// The parsed fields, each with its own error, so that the page shows all errors at once.
struct Parsed {
    login: std::result::Result<Login, LoginError>,
    name: std::result::Result<DisplayName, TextError>,
    password: std::result::Result<Password, PasswordError>,
}

impl Parsed {
    fn of(fields: &Fields) -> Self {
        Self {
            login: Login::parse(Login::typed(&fields.login)),
            name: DisplayName::parse(&fields.name),
            password: Password::parse(&fields.password),
        }
    }
}

pub async fn new(app: Data<AppState>, visitor: Visitor) -> Result<HttpResponse> {
    if matches!(visitor.login_state(), LoginState::Member(_)) {
        return Ok(see_other(routes::HOME));
    }
    match way(&app, None).await? {
        Ok(Way::Ask) => {
            // The question must be that of this moment, also in a process that has just begun.
            app.store.site().await?;
            let typed = Typed {
                answer: Some(Field::default()),
                ..Typed::default()
            };
            page(&SignUpPage::new(&visitor.visit_with_form(), typed))
        }
        Ok(Way::Enter(_)) => page(&SignUpPage::new(
            &visitor.visit_with_form(),
            Typed::default(),
        )),
        Err(reason) => page(&NotOpenPage::new(&visitor.visit(), reason)),
    }
}

/// Shows the sign-up form to a person with an invitation.
pub async fn invited(
    app: Data<AppState>,
    visitor: Visitor,
    Linked(link): Linked,
) -> Result<HttpResponse> {
    if matches!(visitor.login_state(), LoginState::Member(_)) {
        return Ok(see_other(routes::HOME));
    }
    if let Err(reason) = way(&app, Some(&link)).await? {
        return refuse(&visitor, reason);
    }
    let inviter = app.store.user(link.user).await?;
    let typed = Typed {
        invitation: Some(link),
        ..Typed::default()
    };
    let login = inviter.map(|user| user.login.to_string());
    page(&SignUpPage::invited_by(
        &visitor.visit_with_form(),
        typed,
        login,
    ))
}

/// How a person comes in.
enum Way {
    Enter(Entry),
    /// They ask to join.
    Ask,
}

/// Returns how a person may sign up, or why they may not.
async fn way(
    app: &AppState,
    link: Option<&SecretLink>,
) -> Result<std::result::Result<Way, NotOpen>> {
    let entrance = app.store.entrance().await?;
    let Some(link) = link.filter(|_| entrance != Entrance::Closed) else {
        return Ok(match entrance {
            Entrance::Open => Ok(Way::Enter(Entry::Open)),
            Entrance::Approval => Ok(Way::Ask),
            Entrance::Invitation => Err(NotOpen::Uninvited),
            Entrance::Closed => Err(NotOpen::Closed),
        });
    };
    Ok(match app.store.invitation_end(link).await? {
        Some(end) => Ok(Way::Enter(Entry::Invitation(link.clone(), end.0))),
        None if entrance == Entrance::Open => Ok(Way::Enter(Entry::Open)),
        None => Err(NotOpen::InvitationGone),
    })
}

fn refuse(visitor: &Visitor, reason: NotOpen) -> Result<HttpResponse> {
    let page = NotOpenPage::new(&visitor.visit(), reason);
    page_with(StatusCode::FORBIDDEN, &page)
}

pub async fn create(
    app: Data<AppState>,
    visitor: Visitor,
    form: Submitted<Fields>,
) -> Result<HttpResponse> {
    let act = async |fields: &Fields| register(&app, &visitor, fields).await;
    let give_back = |fields: &Fields, visit: &Visit, _: &Error| {
        let typed = typed(fields, IdempotencyKey::parse(&fields.idempotency_key), None);
        Retained::form(&SignUpForm::new(visit, typed))
    };
    form.answer(&visitor, act, give_back).await
}

async fn register(app: &AppState, visitor: &Visitor, fields: &Fields) -> Result<HttpResponse> {
    let parsed = Parsed::of(fields);
    let (Ok(login), Ok(name), Ok(password)) = (&parsed.login, &parsed.name, &parsed.password)
    else {
        return show_errors(app, visitor, fields, &parsed).await;
    };
    let from = client::address(visitor.request(), &app.site.config.trusted_proxies);
    rate::charge(&app.store, RateLimit::SignUp(from)).await?;
    if app.store.site().await?.shields.blocks_address(from) {
        return refuse(visitor, NotOpen::AddressBlocked);
    }
    let entry = match entry_of_form(app, fields, login).await? {
        Ok(entry) => entry,
        Err(Denied::NotOpen(reason)) => return refuse(visitor, reason),
        Err(Denied::Unanswered(error)) => {
            return show_form_again(visitor, unanswered(fields, &parsed, error));
        }
    };
    let is_applicant = matches!(entry, Entry::Approval(_));
    let is_uninvited = matches!(entry, Entry::Open);
    let account = NewAccount {
        entry,
        login: login.clone(),
        name: name.clone(),
        password_hash: app.hasher.hash(password).await?,
        idempotency_key: IdempotencyKey::parse(&fields.idempotency_key).ok_or(Error::BadForm)?,
    };
    let credentials = match open_account(app, account, &fields.password).await? {
        Opened::Account(credentials) => credentials,
        Opened::LoginTaken => return show_form_again(visitor, taken(fields, &parsed)),
        Opened::NotAdmitted => return refuse(visitor, NotOpen::InvitationGone),
    };
    if is_uninvited {
        examine(app, from, &credentials).await;
    }
    let name = name.as_str();
    visitor.log_in(&credentials, login, name, None).await?;
    Ok(welcome(visitor, is_applicant))
}

/// Lets the shields see a sign-up. The account exists, so the sign-up succeeds even if this fails.
async fn examine(app: &AppState, from: IpAddr, credentials: &Credentials) {
    if let Err(error) = examine_sign_up(&app.store, from, credentials.uid).await {
        tracing::warn!(%error, "a sign-up was not examined");
    }
}

/// Leads a new member home, and an applicant to the page of their request.
fn welcome(visitor: &Visitor, is_applicant: bool) -> HttpResponse {
    if is_applicant {
        return see_other(routes::ACCOUNT);
    }
    visitor.set_notice(Notice::Welcome);
    see_other(routes::HOME)
}

/// Shows the form again with all its errors, also that a valid login is taken.
async fn show_errors(
    app: &AppState,
    visitor: &Visitor,
    fields: &Fields,
    parsed: &Parsed,
) -> Result<HttpResponse> {
    let key = IdempotencyKey::parse(&fields.idempotency_key);
    let mut typed = typed(fields, key, Some(parsed));
    if let Ok(login) = &parsed.login
        && app.store.user_by_login(login).await?.is_some()
    {
        typed.login = taken_login(fields);
    }
    show_form_again(visitor, typed)
}

fn unanswered(fields: &Fields, parsed: &Parsed, error: TextError) -> Typed {
    let answer = fields.answer.as_deref().unwrap_or_default();
    let key = IdempotencyKey::parse(&fields.idempotency_key);
    Typed {
        answer: Some(Field::wrong(answer, error)),
        ..typed(fields, key, Some(parsed))
    }
}

/// Why the sender of a form may not sign up.
enum Denied {
    NotOpen(NotOpen),
    /// The answer to the question of the site is missing or wrong.
    Unanswered(TextError),
}

/// Returns why the sender of a form may sign up, or why they may not. A form that is sent again finds its
/// invitation used by its own account.
async fn entry_of_form(
    app: &AppState,
    fields: &Fields,
    login: &Login,
) -> Result<std::result::Result<Entry, Denied>> {
    let link = SecretLink::parse(&fields.invitation);
    let way = way(app, link.as_ref()).await?;
    let is_gone = matches!(way, Err(NotOpen::InvitationGone));
    if is_gone && is_account_of_form(app, login, &fields.idempotency_key).await? {
        return Ok(Ok(Entry::Open));
    }
    Ok(match way {
        Ok(Way::Enter(entry)) => Ok(entry),
        Ok(Way::Ask) => {
            let answer = fields.answer.as_deref().unwrap_or_default();
            let answer = ApplicationAnswer::parse(answer).map_err(Denied::Unanswered);
            answer.map(Entry::Approval)
        }
        Err(reason) => Err(Denied::NotOpen(reason)),
    })
}

/// Returns whether the form with this idempotency key has made the account with this login.
pub async fn is_account_of_form(app: &AppState, login: &Login, key: &str) -> Result<bool> {
    let Some(holder) = app.store.holder(login).await? else {
        return Ok(false);
    };
    let auth = app.store.auth(holder).await?;
    Ok(auth.is_some_and(|auth| !key.is_empty() && auth.idempotency_key == key))
}

enum Opened {
    Account(Credentials),
    LoginTaken,
    /// The invitation is used.
    NotAdmitted,
}

/// Opens the account. A form that is sent again logs in the account it created.
async fn open_account(app: &AppState, account: NewAccount, password: &str) -> Result<Opened> {
    let login = account.login.clone();
    Ok(match sign_up(&app.store, account).await? {
        SignUp::Created(credentials) => Opened::Account(credentials),
        SignUp::Again => {
            let again = log_in(&app.store, &app.hasher, login.as_str(), password).await?;
            again.map_or(Opened::LoginTaken, Opened::Account)
        }
        SignUp::LoginTaken => Opened::LoginTaken,
        SignUp::NotAdmitted => Opened::NotAdmitted,
    })
}

fn show_form_again(visitor: &Visitor, typed: Typed) -> Result<HttpResponse> {
    page_with(
        StatusCode::UNPROCESSABLE_ENTITY,
        &SignUpPage::new(&visitor.visit_with_form(), typed),
    )
}

/// Returns the typed form, with errors if it was parsed, without the password.
fn typed(
    fields: &Fields,
    idempotency_key: Option<IdempotencyKey>,
    parsed: Option<&Parsed>,
) -> Typed {
    let Some(parsed) = parsed else {
        return Typed {
            idempotency_key,
            login: Field::text(&fields.login),
            name: Field::text(&fields.name),
            password: Field::default(),
            invitation: SecretLink::parse(&fields.invitation),
            answer: fields.answer.as_ref().map(Field::text),
        };
    };
    let checked = |answer: &String| Field::checked(answer, &ApplicationAnswer::parse(answer));
    Typed {
        idempotency_key,
        invitation: SecretLink::parse(&fields.invitation),
        login: Field::checked(&fields.login, &parsed.login),
        name: Field::checked(&fields.name, &parsed.name),
        password: Field::checked("", &parsed.password),
        answer: fields.answer.as_ref().map(checked),
    }
}

/// Returns the form for another login, which is another account.
fn taken(fields: &Fields, parsed: &Parsed) -> Typed {
    Typed {
        login: taken_login(fields),
        ..typed(fields, None, Some(parsed))
    }
}

fn taken_login(fields: &Fields) -> Field {
    Field::wrong(&fields.login, "This login is taken. Choose another.")
}
