//! The pages of recovery codes, and the forms that replace a forgotten password.

use crate::{
    domain::{SecretCode, SecretLink},
    store::RecoveryCodes,
    web::parts::{moment::Moment, prelude::*},
};

/// The errors of the form that makes codes.
#[derive(Debug, Default)]
pub struct CodesTyped {
    pub password: Typed,
}

/// The page of the settings: how many codes are unused, and the form to make new ones.
#[derive(Debug, Template)]
#[template(path = "recovery/settings.html")]
pub struct SettingsPage {
    layout: Layout,
    login: String,
    made: Option<Made>,
    errors: ErrorSummary,
    password: Field,
}

#[derive(Debug)]
struct Made {
    at: Moment,
    /// `7 of 10 codes are unused.`
    unused: String,
}

impl SettingsPage {
    pub fn new(visit: &Visit, codes: Option<RecoveryCodes>, typed: CodesTyped) -> Self {
        let password = Field::new(
            Kind::CurrentPassword,
            "current_password",
            "Current password",
            typed.password,
        );
        let errors = ErrorSummary::of([&password]);
        let made = codes.map(|codes| Made {
            at: visit.moment(codes.made),
            unused: unused(codes.unused),
        });
        Self {
            layout: Layout::new(visit, Section::Settings, "Recovery codes")
                .wrong_if(errors.has_some()),
            login: login_of(visit),
            made,
            errors,
            password,
        }
    }
}

fn unused(number: usize) -> String {
    match number {
        0 => "All your codes are used.".to_owned(),
        1 => "1 code is unused.".to_owned(),
        number => format!("{number} codes are unused."),
    }
}

fn login_of(visit: &Visit) -> String {
    visit
        .me()
        .map(|me| me.login.to_string())
        .unwrap_or_default()
}

/// The page that shows new codes, once.
#[derive(Debug, Template)]
#[template(path = "recovery/codes.html")]
pub struct CodesPage {
    layout: Layout,
    login: String,
    codes: Vec<String>,
}

impl CodesPage {
    pub fn new(visit: &Visit, codes: &[SecretCode]) -> Self {
        Self {
            layout: Layout::new(visit, Section::Settings, "Your recovery codes"),
            login: login_of(visit),
            codes: codes.iter().map(SecretCode::to_string).collect(),
        }
    }
}

/// The content of the form that takes a code; empty at first.
#[derive(Debug, Default)]
pub struct RecoverTyped {
    pub login: Typed,
    /// Its text is never shown.
    pub code: Typed,
    /// Its text is never shown.
    pub password: Typed,
}

impl RecoverTyped {
    /// Returns the typed form without its secrets.
    pub fn of(login: &str) -> Self {
        Self {
            login: Typed::text(login),
            ..Self::default()
        }
    }
}

#[derive(Debug, Template)]
#[template(path = "recovery/_recover_form.html")]
pub struct RecoverForm {
    csrf_token: String,
    errors: ErrorSummary,
    login: Field,
    code: Field,
    password: Field,
}

impl askama::filters::HtmlSafe for RecoverForm {}

impl RecoverForm {
    pub fn new(visit: &Visit, typed: RecoverTyped) -> Self {
        let login = Field::new(Kind::Login, "login", "Login", typed.login);
        let code = Field::new(Kind::Other, "code", "Recovery code", typed.code)
            .with_hint("16 letters and digits. Each code works once.");
        let password = new_password(typed.password);
        Self {
            csrf_token: visit.csrf_token.clone(),
            errors: ErrorSummary::of([&login, &code, &password]),
            login,
            code,
            password,
        }
    }
}

fn new_password(typed: Typed) -> Field {
    Field::new(Kind::NewPassword, "new_password", "New password", typed)
        .with_hint("At least 8 characters. You will be logged out everywhere else.")
}

#[derive(Debug, Template)]
#[template(path = "recovery/recover.html")]
pub struct RecoverPage {
    layout: Layout,
    form: RecoverForm,
}

impl RecoverPage {
    pub fn new(visit: &Visit, typed: RecoverTyped) -> Self {
        let form = RecoverForm::new(visit, typed);
        let layout = Layout::new(visit, Section::Elsewhere, "Set a new password")
            .wrong_if(form.errors.has_some())
            .described("Set a new password with a recovery code.");
        Self {
            layout: unlisted(layout),
            form,
        }
    }
}

fn unlisted(layout: Layout) -> Layout {
    Layout {
        unlisted: true,
        ..layout
    }
}

/// The form that sets a new password by a link.
#[derive(Debug, Template)]
#[template(path = "recovery/_reset_form.html")]
pub struct ResetForm {
    csrf_token: String,
    path: String,
    login: String,
    errors: ErrorSummary,
    password: Field,
}

impl askama::filters::HtmlSafe for ResetForm {}

impl ResetForm {
    pub fn new(visit: &Visit, link: &SecretLink, login: String, typed: Typed) -> Self {
        let password = new_password(typed);
        Self {
            csrf_token: visit.csrf_token.clone(),
            path: routes::reset(link),
            login,
            errors: ErrorSummary::of([&password]),
            password,
        }
    }
}

#[derive(Debug, Template)]
#[template(path = "recovery/reset.html")]
pub struct ResetPage {
    layout: Layout,
    login: String,
    form: ResetForm,
}

impl ResetPage {
    pub fn new(visit: &Visit, link: &SecretLink, user: &User, typed: Typed) -> Self {
        let login = user.login.to_string();
        let form = ResetForm::new(visit, link, login.clone(), typed);
        let layout = Layout::new(visit, Section::Elsewhere, "Set a new password")
            .wrong_if(form.errors.has_some());
        Self {
            layout: unlisted(layout),
            login,
            form,
        }
    }
}

/// The page of a link that was used or has expired.
#[derive(Debug, Template)]
#[template(path = "recovery/link_used.html")]
pub struct LinkUsedPage {
    layout: Layout,
}

impl LinkUsedPage {
    pub fn new(visit: &Visit) -> Self {
        let layout = Layout::new(visit, Section::Elsewhere, "This link no longer works");
        Self {
            layout: unlisted(layout),
        }
    }
}
