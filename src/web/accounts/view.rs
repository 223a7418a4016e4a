//! Sign-up and log-in pages.

use crate::{
    domain::{IdempotencyKey, LocalPath, SecretLink, UserId},
    web::{
        http::session::pending_form::PendingForm,
        parts::{prelude::*, visit::Who},
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
    /// The invitation with which the person came.
    pub invitation: Option<SecretLink>,
    /// The answer to the question of the site, if the form asks it.
    pub answer: Option<Typed>,
}

#[derive(Debug, Template)]
#[template(path = "accounts/_sign_up_form.html")]
pub struct SignUpForm {
    csrf_token: String,
    idempotency_key: IdempotencyKey,
    errors: ErrorSummary,
    account: [Field; 3],
    answer: Option<Field>,
    invitation: Option<SecretLink>,
}

impl askama::filters::HtmlSafe for SignUpForm {}

impl SignUpForm {
    pub fn new(visit: &Visit, typed: SignUp) -> Self {
        let (key, invitation) = (typed.idempotency_key.clone(), typed.invitation.clone());
        let answer = typed.answer.clone().map(|answer| {
            let question = visit.site.question().to_owned();
            Field::new(Kind::Paragraph, "answer", question, answer)
                .with_hint("Up to 500 characters. Only the people who answer your request read it.")
        });
        let account = account_fields(typed);
        Self {
            csrf_token: visit.csrf_token.clone(),
            idempotency_key: key.unwrap_or_else(IdempotencyKey::draw),
            errors: ErrorSummary::of(account.iter().chain(&answer)),
            account,
            answer,
            invitation,
        }
    }

    /// Returns whether the person asks to join instead of joining.
    pub fn asks(&self) -> bool {
        self.answer.is_some()
    }
}

/// Returns the fields of a new account: login, name, password.
pub fn account_fields(typed: SignUp) -> [Field; 3] {
    let login = Field::new(Kind::Login, "login", "Login", typed.login)
        .with_hint("Letters a to z, digits and underscores, at most 30. You can change it later.");
    let name = Field::new(Kind::Name, "name", "Name", typed.name)
        .with_hint("Your display name. You can change it at any time.");
    let password = Field::new(Kind::NewPassword, "password", "Password", typed.password)
        .with_hint("At least 8 characters. Several words are easy to remember and hard to guess.");
    [login, name, password]
}

#[derive(Debug, Template)]
#[template(path = "accounts/sign_up.html")]
pub struct SignUpPage {
    layout: Layout,
    form: SignUpForm,
    /// The login of the person who invited.
    inviter: Option<String>,
}

impl SignUpPage {
    pub fn new(visit: &Visit, typed: SignUp) -> Self {
        Self::invited_by(visit, typed, None)
    }

    /// Creates the page for an invited person.
    pub fn invited_by(visit: &Visit, typed: SignUp, inviter: Option<String>) -> Self {
        let form = SignUpForm::new(visit, typed);
        let layout = Layout::new(visit, Section::Elsewhere, "Sign up")
            .wrong_if(form.errors.has_some())
            .described("Create an account: a login, a name and a password, nothing else.");
        Self {
            layout: Layout {
                unlisted: true,
                ..layout
            },
            form,
            inviter,
        }
    }
}

/// The page of a site on which a visitor cannot sign up.
#[derive(Debug, Template)]
#[template(path = "accounts/not_open.html")]
pub struct NotOpenPage {
    layout: Layout,
    reason: NotOpen,
}

/// Why a visitor cannot sign up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotOpen {
    /// People need an invitation.
    Uninvited,
    Closed,
    /// The invitation was used, revoked or has ended.
    InvitationGone,
    /// The owner has blocked the address.
    AddressBlocked,
}

impl NotOpenPage {
    pub fn new(visit: &Visit, reason: NotOpen) -> Self {
        let title = match reason {
            NotOpen::Uninvited => "Sign-up is by invitation",
            NotOpen::Closed => "Sign-up is closed",
            NotOpen::AddressBlocked => "You cannot sign up from here",
            NotOpen::InvitationGone => "This invitation no longer works",
        };
        Self {
            layout: Layout {
                unlisted: true,
                ..Layout::new(visit, Section::Elsewhere, title)
            },
            reason,
        }
    }
}

/// The content of a log-in form; empty at first.
#[derive(Debug, Default)]
pub struct LogIn {
    /// The local path to go to after the log-in.
    pub next: Option<LocalPath>,
    /// The form that was typed when the session had ended.
    pub pending_form: Option<PendingForm>,
    /// The member who opened the form that led here. Only this member gets the form, and is led to its page.
    pub form_owner: Option<UserId>,
    /// Offers to log in without the pending form, because it belongs to another account.
    pub offers_log_in_without_form: bool,
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
    form_owner: Option<UserId>,
    offers_log_in_without_form: bool,
    errors: ErrorSummary,
    login: Field,
    password: Field,
}

impl askama::filters::HtmlSafe for LogInForm {}

impl LogInForm {
    pub fn new(visit: &Visit, typed: LogIn) -> Self {
        let login = Field::new(Kind::Login, "login", "Login", typed.login);
        let password = Field::new(
            Kind::CurrentPassword,
            "password",
            "Password",
            typed.password,
        );
        let [login, password] = [login, password].map(Field::with_error_above);
        Self {
            csrf_token: visit.csrf_token.clone(),
            next: typed.next,
            pending_form: typed.pending_form.filter(|form| !form.is_blank()),
            form_owner: typed.form_owner,
            offers_log_in_without_form: typed.offers_log_in_without_form,
            errors: ErrorSummary::of([&login, &password]),
            login,
            password,
        }
    }

    /// Returns whether the form shows a text of another form.
    pub fn shows_text(&self) -> bool {
        let pending_form = self.pending_form.as_ref();
        pending_form.is_some_and(|form| !form.texts().is_empty())
    }
}

#[derive(Debug, Template)]
#[template(path = "accounts/log_in.html")]
pub struct LogInPage {
    layout: Layout,
    form: LogInForm,
}

impl LogInPage {
    pub fn new(visit: &Visit, typed: LogIn) -> Self {
        let form = LogInForm::new(visit, typed);
        let layout = Layout::new(visit, Section::Elsewhere, "Log in")
            .wrong_if(form.errors.has_some())
            .described("Log in and read posts by the people you follow.");
        Self {
            layout: Layout {
                unlisted: true,
                ..layout
            },
            form,
        }
    }
}

/// The answer to a form if its text can be neither stored nor given back in the form.
#[derive(Debug, Template)]
#[template(path = "accounts/copy_text.html")]
pub struct CopyTextPage {
    layout: Layout,
    /// Why the text is not in its form.
    reason: &'static str,
    texts: Vec<String>,
    next: LocalPath,
}

impl CopyTextPage {
    /// The header names no member: the page does not know a new session.
    pub fn new(visit: Visit, reason: &'static str, texts: Vec<String>, next: LocalPath) -> Self {
        let who = Who::Unknown;
        let visit = Visit { who, ..visit };
        Self {
            layout: Layout::new(&visit, Section::Elsewhere, "Copy your text").wrong_if(true),
            reason,
            texts,
            next,
        }
    }
}
