//! The steps of a log-in on another device, on both devices.

use super::view::{ConfirmPage, GonePage, OfferPage, OpenPage, StartPage, WaitPage};
use crate::{
    actions::device_log_ins::{
        Entrance, claim as claim_link, confirm as confirm_code, enter, offer as offer_link,
    },
    domain::SecretLink,
    store::ConfirmDeviceOutcome,
    web::{addresses::Linked, http::forms::Nothing, prelude::*, sessions::handlers::charge_secret},
};

/// Number of characters of a device's name that are stored.
const AGENT_CHARACTERS: usize = 200;

#[derive(Deserialize)]
pub struct Code {
    #[serde(default)]
    code: String,
}

#[derive(Deserialize)]
pub struct Device {
    #[serde(default)]
    device: String,
}

/// Explains the log-in, on the first device.
pub async fn start(me: CurrentUser) -> Result<HttpResponse> {
    page(&StartPage::new(&me.visitor.visit()))
}

/// Makes a link and shows it once, with its QR code.
pub async fn offer(
    app: Data<AppState>,
    me: CurrentUser,
    _form: SignedForm<Nothing>,
) -> Result<HttpResponse> {
    rate::charge(&app.store, RateLimit::Settings(me.id)).await?;
    let link = offer_link(&app.store, &me.actor()).await?;
    let link = link.ok_or(Error::LoggedOut)?;
    let path = routes::device_link(&link);
    let address = app.store.config().public_url.join(&path);
    let address = address.map_or(path, String::from);
    page(&OfferPage::new(&me.visitor.visit(), address))
}

/// Asks for the code that the other device shows.
pub async fn ask(app: Data<AppState>, me: CurrentUser) -> Result<HttpResponse> {
    show_confirmation(&app, &me, Typed::default(), StatusCode::OK).await
}

async fn show_confirmation(
    app: &AppState,
    me: &CurrentUser,
    typed: Typed,
    status: StatusCode,
) -> Result<HttpResponse> {
    let link = app.store.device_link(me.id).await?;
    page_with(status, &ConfirmPage::new(&me.visitor.visit(), link, typed))
}

pub async fn confirm(
    app: Data<AppState>,
    me: CurrentUser,
    SignedForm(typed): SignedForm<Code>,
) -> Result<HttpResponse> {
    rate::charge(&app.store, RateLimit::Settings(me.id)).await?;
    match confirm_code(&app.store, &me.actor(), &typed.code).await? {
        ConfirmDeviceOutcome::Confirmed => {
            me.visitor.set_notice(Notice::DeviceConfirmed);
            Ok(see_other(routes::SETTINGS_SESSIONS))
        }
        ConfirmDeviceOutcome::Wrong => {
            let wrong = Typed::error("This is not the code on your other device.");
            let status = StatusCode::UNPROCESSABLE_ENTITY;
            show_confirmation(&app, &me, wrong, status).await
        }
        ConfirmDeviceOutcome::Gone => {
            let status = StatusCode::UNPROCESSABLE_ENTITY;
            show_confirmation(&app, &me, Typed::default(), status).await
        }
    }
}

/// Ends the link, on the first device.
pub async fn cancel(
    app: Data<AppState>,
    me: CurrentUser,
    _form: SignedForm<Nothing>,
) -> Result<HttpResponse> {
    rate::charge(&app.store, RateLimit::Settings(me.id)).await?;
    app.store.cancel_device(me.id).await?;
    Ok(see_other(routes::SETTINGS_DEVICE))
}

/// Opens a link on the other device. Only the form there claims it, so that a program that reads links ahead does not
/// use it up.
pub async fn open(
    app: Data<AppState>,
    visitor: Visitor,
    Linked(link): Linked,
) -> Result<HttpResponse> {
    let digest = link.digest();
    let (is_open, user) = try_join!(
        app.store.is_device_link_open(link.user, &digest),
        app.store.user(link.user)
    )?;
    let visit = visitor.visit_with_form();
    match user.filter(|_| is_open) {
        Some(user) => page(&OpenPage::new(&visit, &link, &user)),
        None => page_with(StatusCode::NOT_FOUND, &GonePage::new(&visit)),
    }
}

/// Claims a link for this device, and shows the code.
pub async fn claim(
    app: Data<AppState>,
    visitor: Visitor,
    Linked(link): Linked,
    _form: SignedForm<Nothing>,
) -> Result<HttpResponse> {
    let digest = link.digest();
    let is_open = app.store.is_device_link_open(link.user, &digest).await?;
    let owner = is_open.then_some(link.user);
    charge_secret(&app, &visitor, owner, "").await?;
    let agent = visitor.header("user-agent").unwrap_or_default();
    let agent = agent.chars().take(AGENT_CHARACTERS).collect();
    let visit = visitor.visit_with_form();
    match claim_link(&app.store, &link, agent).await? {
        Some(device) => page(&WaitPage::new(&visit, &device.secret, device.code)),
        None => page_with(StatusCode::NOT_FOUND, &GonePage::new(&visit)),
    }
}

/// Logs this device in after it was confirmed, else shows the code again.
pub async fn finish(
    app: Data<AppState>,
    visitor: Visitor,
    SignedForm(typed): SignedForm<Device>,
) -> Result<HttpResponse> {
    let secret = SecretLink::parse(&typed.device).ok_or(Error::BadForm)?;
    let digest = secret.digest();
    let is_valid = app.store.has_claimed_link(secret.user, &digest).await?;
    let owner = is_valid.then_some(secret.user);
    charge_secret(&app, &visitor, owner, "").await?;
    match enter(&app.store, &secret).await? {
        Entrance::Entered(credentials) => {
            let gone = || Error::Unavailable("an account ended while its person logged in".into());
            let user = app.store.user(credentials.uid).await?.ok_or_else(gone)?;
            visitor
                .log_in_on_device(&credentials, &user, &secret)
                .await?;
            Ok(see_other(routes::HOME))
        }
        Entrance::Waiting(code) => {
            page(&WaitPage::new(&visitor.visit_with_form(), &secret, code).still_waiting())
        }
        Entrance::Gone => {
            let visit = visitor.visit_with_form();
            page_with(StatusCode::NOT_FOUND, &GonePage::new(&visit))
        }
    }
}
