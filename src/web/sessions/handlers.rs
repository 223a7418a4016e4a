//! Log-in, log-out and the member's sessions.

use actix_web::web::Query;

use crate::{
    actions::accounts::{Credentials, log_in, log_out_everywhere},
    domain::SessionDigest,
    web::{
        accounts::view::{CopyTextPage, LogIn, LogInForm, LogInPage},
        http::{client, forms::Nothing, return_to, session::visitor::LoginState},
        prelude::*,
        settings::view::SessionsPage,
    },
};

/// Why a text is shown to copy after a log-in.
const TEXT_NOT_STORED: &str = "You are logged in. The site has little memory left, so it could not put your text back into its form.";

/// Why a log-in with the form of another account is refused at first.
const OF_OTHER_ACCOUNT: &str =
    "This form belongs to another account. Log in with that account, or discard the form.";

#[derive(Deserialize, Default)]
#[serde(default)]
pub struct Fields {
    login: String,
    password: String,
    #[serde(deserialize_with = "return_to::local")]
    next: Option<LocalPath>,
    /// The form that was typed when the session had ended.
    pending_form: String,
    /// The id of the member who opened it.
    form_owner: String,
    /// Not empty if the page has the button to log in without the form.
    offers_without_form: String,
    /// Not empty if that button was pressed.
    without_form: String,
}

#[derive(Deserialize)]
pub struct Chosen {
    session: SessionDigest,
}

pub async fn new(visitor: Visitor, return_to: Query<ReturnTo>) -> Result<HttpResponse> {
    let next = return_to.into_inner().next;
    if matches!(visitor.login_state(), LoginState::Member(_)) {
        return Ok(go_on(next.as_ref()));
    }
    let typed = LogIn {
        next,
        ..LogIn::default()
    };
    page(&LogInPage::new(&visitor.visit_with_form(), typed))
}

pub async fn create(
    app: Data<AppState>,
    visitor: Visitor,
    form: Submitted<Fields>,
) -> Result<HttpResponse> {
    let act = async |fields: &Fields| authenticate(&app, &visitor, fields).await;
    let give_back = |fields: &Fields, visit: &Visit, _: &Error| {
        Retained::log_in_form(&LogInForm::new(visit, typed(fields)))
    };
    form.answer(&visitor, act, give_back).await
}

async fn authenticate(app: &AppState, visitor: &Visitor, fields: &Fields) -> Result<HttpResponse> {
    let login = Login::typed(&fields.login);
    charge_log_in(app, visitor, login).await?;
    let Some(credentials) = log_in(&app.store, &app.hasher, login, &fields.password).await? else {
        let wrong = LogIn {
            password: Typed::error("Wrong login or password."),
            ..typed(fields)
        };
        let form = LogInPage::new(&visitor.visit_with_form(), wrong);
        return page_with(StatusCode::UNPROCESSABLE_ENTITY, &form);
    };
    let gone = || Error::Unavailable("an account ended while its person logged in".to_owned());
    let user = app.store.user(credentials.uid).await?.ok_or_else(gone)?;
    begin_as(app, visitor, (&credentials, &user), fields).await
}

/// Begins the session of a person. If the page keeps a form of another account, it asks first. The token has to name the
/// owner of the form too. So a typed field alone is not enough to test a password without a session.
async fn begin_as(
    app: &AppState,
    visitor: &Visitor,
    person: (&Credentials, &User),
    fields: &Fields,
) -> Result<HttpResponse> {
    let waiting = typed(fields);
    let (owner, has_form) = (waiting.form_owner, waiting.pending_form.is_some());
    let is_own = owner == Some(person.1.id) || (owner.is_none() && !has_form);
    let may_ask = has_form && owner.is_some() && owner == visitor.form_owner();
    match fields.without_form.is_empty() {
        true if is_own => begin_session(app, visitor, person, fields).await,
        true if may_ask => ask_about_form(visitor, waiting),
        _ => begin_without_form(visitor, person, waiting.pending_form.as_ref()).await,
    }
}

/// Shows the log-in form again, with the form of another account.
fn ask_about_form(visitor: &Visitor, waiting: LogIn) -> Result<HttpResponse> {
    let refused = LogIn {
        login: Typed::wrong(waiting.login.text, OF_OTHER_ACCOUNT),
        offers_log_in_without_form: true,
        ..waiting
    };
    let form = LogInPage::new(&visitor.visit_with_form(), refused);
    page_with(StatusCode::UNPROCESSABLE_ENTITY, &form)
}

/// Logs in without the form that waits. Leads to home: another account does not learn the page of the form.
async fn begin_without_form(
    visitor: &Visitor,
    (credentials, user): (&Credentials, &User),
    dropped: Option<&PendingForm>,
) -> Result<HttpResponse> {
    visitor
        .log_in(credentials, &user.login, &user.name, None)
        .await?;
    if dropped.is_some() {
        visitor.set_notice(Notice::FormDropped);
    }
    Ok(see_other(routes::HOME))
}

/// Logs in, and keeps the form that the person typed before.
async fn begin_session(
    app: &AppState,
    visitor: &Visitor,
    (credentials, user): (&Credentials, &User),
    fields: &Fields,
) -> Result<HttpResponse> {
    let pending_form = PendingForm::from_json(&fields.pending_form);
    let has_room = !app.store.memory_use().is_high();
    let stored = pending_form.as_ref();
    let stored = stored.filter(|form| has_room || form.is_short());
    visitor
        .log_in(credentials, &user.login, &user.name, stored)
        .await?;
    match pending_form {
        Some(form) if stored.is_none() => {
            let next = fields.next.clone().unwrap_or_default();
            let texts = form.texts().into_iter().map(str::to_owned).collect();
            page(&CopyTextPage::new(
                visitor.visit(),
                TEXT_NOT_STORED,
                texts,
                next,
            ))
        }
        _ => Ok(go_on(fields.next.as_ref())),
    }
}

/// Counts one log-in against the limits of the known device and its owner, else against those of address and login.
pub(crate) async fn charge_log_in(app: &AppState, visitor: &Visitor, login: &str) -> Result<()> {
    if let Some(device) = visitor.known_device(login).await? {
        let limit = RateLimit::LogInOnKnownDevice(device.owner, &device.id);
        return rate::charge(&app.store, limit).await;
    }
    let from = client::address(visitor.request(), &app.site.config.trusted_proxies);
    let network = &visitor.network_mark();
    let limit = RateLimit::LogIn {
        from,
        login,
        network,
    };
    rate::charge(&app.store, limit).await
}

/// Counts one log-in by a secret that no one can guess. A valid one counts for its owner, so others at the same address
/// lock no one out. A wrong one counts for the known device of the login, or else for the address.
pub(crate) async fn charge_secret(
    app: &AppState,
    visitor: &Visitor,
    owner: Option<UserId>,
    login: &str,
) -> Result<()> {
    if let Some(owner) = owner {
        return rate::charge(&app.store, RateLimit::Secret(owner)).await;
    }
    match visitor.known_device(login).await? {
        Some(_) => charge_log_in(app, visitor, login).await,
        None => charge_log_in(app, visitor, "").await,
    }
}

fn go_on(next: Option<&LocalPath>) -> HttpResponse {
    see_other(next.map_or(routes::HOME, LocalPath::as_str))
}

/// Returns the typed form without the password.
fn typed(fields: &Fields) -> LogIn {
    LogIn {
        next: fields.next.clone(),
        pending_form: PendingForm::from_json(&fields.pending_form),
        form_owner: fields.form_owner.parse().ok(),
        offers_log_in_without_form: !fields.offers_without_form.is_empty(),
        login: Typed::text(&fields.login),
        password: Typed::default(),
    }
}

/// Logs out. Succeeds as well if the member is logged out already.
pub async fn destroy(visitor: Visitor, form: Submitted<Nothing>) -> Result<HttpResponse> {
    match form.of_member(&visitor).signed() {
        Ok(Nothing {}) => visitor.log_out().await?,
        Err(Error::LoggedOut) => {}
        Err(error) => return Err(error),
    }
    Ok(see_other(routes::HOME))
}

pub async fn index(app: Data<AppState>, me: CurrentUser) -> Result<HttpResponse> {
    let sessions = app.store.sessions(me.id).await?;
    let this = me.visitor.session_digest().unwrap_or_default();
    page(&SessionsPage::new(&me.visitor.visit(), sessions, &this))
}

pub async fn revoke(
    app: Data<AppState>,
    me: CurrentUser,
    form: SignedForm<Chosen>,
) -> Result<HttpResponse> {
    let SignedForm(Chosen { session }) = form;
    if me
        .visitor
        .session_digest()
        .is_some_and(|this| this == session.as_str())
    {
        me.visitor.log_out().await?;
        return Ok(see_other(routes::HOME));
    }
    app.store.revoke_session(me.id, session.as_str()).await?;
    me.visitor.set_notice(Notice::SessionEnded);
    Ok(see_other(routes::SETTINGS_SESSIONS))
}

/// Logs out everywhere, including here. Revokes all known devices but this one.
pub async fn revoke_all(
    app: Data<AppState>,
    visitor: Visitor,
    form: Submitted<Nothing>,
) -> Result<HttpResponse> {
    match (form.of_member(&visitor).signed(), visitor.member()?) {
        (Ok(Nothing {}), Some(me)) => {
            let ended = log_out_everywhere(&app.store, visitor.actor(me.id)).await;
            visitor.log_out().await?;
            match ended {
                Ok(credentials) => visitor.remember_device(&credentials).await,
                Err(crate::store::Error::Ended) => {}
                Err(error) => return Err(error.into()),
            }
        }
        (Ok(Nothing {}) | Err(Error::LoggedOut), _) => {}
        (Err(error), _) => return Err(error),
    }
    Ok(see_other(routes::LOG_IN))
}
