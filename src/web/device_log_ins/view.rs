//! The pages of a log-in on another device.

use super::qr_code::QrSvg;
use crate::{
    domain::SecretLink,
    store::{DEVICE_LINK_S, DeviceLink},
    web::{parts::prelude::*, settings::agent},
};

/// The first page, on the device that is logged in.
#[derive(Debug, Template)]
#[template(path = "device_log_ins/start.html")]
pub struct StartPage {
    layout: Layout,
    minutes: u64,
}

impl StartPage {
    pub fn new(visit: &Visit) -> Self {
        Self {
            layout: Layout::new(visit, Section::Settings, "Log in on another device"),
            minutes: DEVICE_LINK_S / 60,
        }
    }
}

/// The page that shows a link once.
#[derive(Debug, Template)]
#[template(path = "device_log_ins/offer.html")]
pub struct OfferPage {
    layout: Layout,
    minutes: u64,
    address: String,
    qr_code: Option<QrSvg>,
}

impl OfferPage {
    pub fn new(visit: &Visit, address: String) -> Self {
        Self {
            layout: Layout::new(visit, Section::Settings, "Log in on another device"),
            minutes: DEVICE_LINK_S / 60,
            qr_code: QrSvg::of(&address),
            address,
        }
    }
}

/// The page that asks for the code of the other device.
#[derive(Debug, Template)]
#[template(path = "device_log_ins/confirm.html")]
pub struct ConfirmPage {
    layout: Layout,
    /// The name of the device that waits: `Firefox on Linux`.
    waiting: Option<String>,
    is_offered: bool,
    is_confirmed: bool,
    errors: ErrorSummary,
    code: Field,
}

impl ConfirmPage {
    pub fn new(visit: &Visit, link: Option<DeviceLink>, typed: Typed) -> Self {
        let code = Field::new(Kind::Other, "code", "Code on your other device", typed)
            .with_hint("Six digits.");
        let errors = ErrorSummary::of([&code]);
        Self {
            layout: Layout::new(visit, Section::Settings, "Confirm your other device")
                .wrong_if(errors.has_some()),
            is_offered: link == Some(DeviceLink::Offered),
            is_confirmed: link == Some(DeviceLink::Confirmed),
            waiting: match link {
                Some(DeviceLink::Claimed { agent }) => Some(agent::name(&agent)),
                _ => None,
            },
            errors,
            code,
        }
    }
}

/// The page of a link, on the other device.
#[derive(Debug, Template)]
#[template(path = "device_log_ins/open.html")]
pub struct OpenPage {
    layout: Layout,
    login: String,
    path: String,
}

impl OpenPage {
    pub fn new(visit: &Visit, link: &SecretLink, user: &User) -> Self {
        Self {
            layout: Layout::new(visit, Section::Elsewhere, "Log in on this device"),
            login: user.login.to_string(),
            path: routes::device_link(link),
        }
    }
}

/// The page that shows the code, on the other device.
#[derive(Debug, Template)]
#[template(path = "device_log_ins/wait.html")]
pub struct WaitPage {
    layout: Layout,
    /// `482 913`.
    code: String,
    device: String,
    is_waiting: bool,
}

impl WaitPage {
    pub fn new(visit: &Visit, secret: &SecretLink, code: String) -> Self {
        let (first, last) = code.split_at_checked(code.len() / 2).unwrap_or((&code, ""));
        Self {
            layout: Layout::new(visit, Section::Elsewhere, "Confirm this device"),
            code: format!("{first} {last}"),
            device: secret.to_string(),
            is_waiting: false,
        }
    }

    /// Says that the device is not confirmed yet.
    pub fn still_waiting(self) -> Self {
        Self {
            is_waiting: true,
            ..self
        }
    }
}

/// The page of an expired link.
#[derive(Debug, Template)]
#[template(path = "device_log_ins/gone.html")]
pub struct GonePage {
    layout: Layout,
}

impl GonePage {
    pub fn new(visit: &Visit) -> Self {
        let layout = Layout::new(visit, Section::Elsewhere, "This link no longer works");
        Self { layout }
    }
}
