//! Sign-up and log-in pages.

use askama::Template;

use crate::{
    domain::{IdempotencyKey, LocalPath},
    web::{
        http::session::pending_form::PendingForm,
        parts::{
            field::{ErrorSummary, Field, Kind, Typed},
            layout::{Layout, Section},
            visit::Visit,
        },
    },
};

/// The content of a sign-up form; empty at first.
#[derive(Debug, Default)]
pub struct SignUp {
    /// The idempotency key with which it was sent; `None` draws a new one.
    pub idempotency_key: Option<IdempotencyKey>,
    pub login: Typed,
    pub name: Typed,
    /// Its text is never shown.
    pub password: Typed,
}

#[derive(Debug, Template)]
#[template(path = "accounts/_sign_up_form.html")]
pub struct SignUpForm {
    csrf_token: String,
    idempotency_key: IdempotencyKey,
    errors: ErrorSummary,
    login: Field,
    name: Field,
    password: Field,
}

impl askama::filters::HtmlSafe for SignUpForm {}

impl SignUpForm {
    #[must_use]
    pub fn new(visit: &Visit, typed: SignUp) -> Self {
        let login = Field {
            kind: Kind::Login,
            name: "login",
            label: "Login",
            hint: "Letters a to z, digits and underscores, at most 30. You cannot change it later.",
            typed: typed.login,
        };
        let name = Field {
            kind: Kind::Name,
            name: "name",
            label: "Name",
            hint: "Your display name. You can change it at any time.",
            typed: typed.name,
        };
        let password = Field {
            kind: Kind::NewPassword,
            name: "password",
            label: "Password",
            hint: "At least 8 characters. Several words are easy to remember and hard to guess.",
            typed: typed.password,
        };
        Self {
            csrf_token: visit.csrf_token.clone(),
            idempotency_key: typed.idempotency_key.unwrap_or_else(IdempotencyKey::draw),
            errors: ErrorSummary::of([&login, &name, &password]),
            login,
            name,
            password,
        }
    }
}

#[derive(Debug, Template)]
#[template(path = "accounts/sign_up.html")]
pub struct SignUpPage {
    layout: Layout,
    form: SignUpForm,
}

impl SignUpPage {
    #[must_use]
    pub fn new(visit: &Visit, typed: SignUp) -> Self {
        let form = SignUpForm::new(visit, typed);
        let layout = Layout::new(visit, Section::Elsewhere, "Sign up")
            .wrong_if(form.errors.has_some())
            .described(
                "Create an account on Redwing: a login, a name and a password, nothing else.",
            );
        Self { layout, form }
    }
}

/// The content of a log-in form; empty at first.
#[derive(Debug, Default)]
pub struct LogIn {
    /// The local path to go to after the log-in.
    pub next: Option<LocalPath>,
    /// The form that was typed when the session had ended.
    pub pending_form: Option<PendingForm>,
    pub login: Typed,
    /// Its text is never shown.
    pub password: Typed,
}

#[derive(Debug, Template)]
#[template(path = "accounts/_log_in_form.html")]
pub struct LogInForm {
    csrf_token: String,
    next: Option<LocalPath>,
    pending_form: Option<PendingForm>,
    errors: ErrorSummary,
    login: Field,
    password: Field,
}

impl askama::filters::HtmlSafe for LogInForm {}

impl LogInForm {
    #[must_use]
    pub fn new(visit: &Visit, typed: LogIn) -> Self {
        let login = Field {
            kind: Kind::Login,
            name: "login",
            label: "Login",
            hint: "",
            typed: typed.login,
        };
        let password = Field {
            kind: Kind::CurrentPassword,
            name: "password",
            label: "Password",
            hint: "",
            typed: typed.password,
        };
        Self {
            csrf_token: visit.csrf_token.clone(),
            next: typed.next,
            pending_form: typed.pending_form.filter(|form| !form.texts().is_empty()),
            errors: ErrorSummary::of([&login, &password]),
            login,
            password,
        }
    }

    /// Returns whether the form contains no text that a person typed.
    pub(in crate::web) fn is_blank(&self) -> bool {
        self.pending_form.is_none() && self.login.typed.text.is_empty()
    }
}

#[derive(Debug, Template)]
#[template(path = "accounts/log_in.html")]
pub struct LogInPage {
    layout: Layout,
    form: LogInForm,
}

impl LogInPage {
    #[must_use]
    pub fn new(visit: &Visit, typed: LogIn) -> Self {
        let form = LogInForm::new(visit, typed);
        let layout = Layout::new(visit, Section::Elsewhere, "Log in")
            .wrong_if(form.errors.has_some())
            .described("Log in to Redwing and read posts by the people you follow.");
        Self { layout, form }
    }
}
