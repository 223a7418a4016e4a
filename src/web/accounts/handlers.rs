//! Sign-up.

use super::view::{SignUp as Typed, SignUpForm, SignUpPage};
use crate::{
    actions::accounts::{Credentials, NewAccount, SignUp, log_in, sign_up},
    domain::{DisplayName, LoginError, Password, PasswordError, TextError},
    web::{
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

pub async fn new(visitor: Visitor) -> Result<HttpResponse> {
    if matches!(visitor.login_state(), LoginState::Member(_)) {
        return Ok(see_other(routes::HOME));
    }
    page(&SignUpPage::new(
        &visitor.visit_with_form(),
        Typed::default(),
    ))
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
    let idempotency_key = IdempotencyKey::parse(&fields.idempotency_key);
    let parsed = Parsed::of(fields);
    let (Ok(login), Ok(name), Ok(password)) = (&parsed.login, &parsed.name, &parsed.password)
    else {
        let mut typed = typed(fields, idempotency_key, Some(&parsed));
        if let Ok(login) = &parsed.login
            && app.store.user_by_login(login).await?.is_some()
        {
            typed.login = taken_login(fields);
        }
        return show_form_again(visitor, typed);
    };
    let from = client::address(visitor.request(), &app.site.config.trusted_proxies);
    rate::charge(&app.store, RateLimit::SignUp(from)).await?;
    let account = NewAccount {
        login: login.clone(),
        name: name.clone(),
        password_hash: app.hasher.hash(password).await?,
        idempotency_key: idempotency_key.ok_or(Error::BadForm)?,
    };
    let Some(credentials) = open_account(app, account, &fields.password).await? else {
        return show_form_again(visitor, taken(fields, &parsed));
    };
    visitor
        .log_in(&credentials, login, name.as_str(), None)
        .await?;
    visitor.set_notice(Notice::Welcome);
    Ok(see_other(routes::HOME))
}

/// Returns `None` if the login is taken. A form that is sent again logs in the account it created.
async fn open_account(
    app: &AppState,
    account: NewAccount,
    password: &str,
) -> Result<Option<Credentials>> {
    let login = account.login.clone();
    match sign_up(&app.store, account).await? {
        SignUp::Created(credentials) => Ok(Some(credentials)),
        SignUp::Again => Ok(log_in(&app.store, &app.hasher, login.as_str(), password).await?),
        SignUp::LoginTaken => Ok(None),
    }
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
        };
    };
    Typed {
        idempotency_key,
        login: Field::checked(&fields.login, &parsed.login),
        name: Field::checked(&fields.name, &parsed.name),
        password: Field::checked("", &parsed.password),
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
