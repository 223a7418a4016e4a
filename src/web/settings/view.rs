//! Settings pages: profile, password, sessions.

use super::agent;
use crate::{
    domain::{FieldConflicts, ShownValues},
    store::{SessionInfo, UnixMs},
    web::parts::{
        moment::{self, Moment},
        prelude::*,
    },
};

/// The storage that a person's posts or messages use, and the limit, in bytes.
#[derive(Debug, Clone, Copy)]
pub struct Storage {
    pub used_bytes: u64,
    pub quota_bytes: u64,
}

impl Storage {
    /// Returns both numbers: `3.1 MB of 268.4 MB`
    fn words(self) -> String {
        let megabytes = |bytes: u64| format!("{:.1} MB", bytes as f64 / 1e6);
        let (used, quota) = (megabytes(self.used_bytes), megabytes(self.quota_bytes));
        format!("{used} of {quota}")
    }
}

#[derive(Debug, Default)]
pub struct ProfileTyped {
    pub name: Typed,
    pub bio: Typed,
    /// The values with which the form was made.
    pub shown: ShownValues,
}

impl From<&User> for ProfileTyped {
    fn from(user: &User) -> Self {
        Self {
            name: Typed::text(&user.name),
            bio: Typed::text(&user.bio),
            shown: ShownValues::of([("name", user.name.clone()), ("bio", user.bio.clone())]),
        }
    }
}

impl ProfileTyped {
    /// Adds the errors of the fields that another device changed too.
    #[must_use]
    pub fn in_conflict(self, conflicts: &FieldConflicts) -> Self {
        Self {
            name: self.name.in_conflict(conflicts.stored("name")),
            bio: self.bio.in_conflict(conflicts.stored("bio")),
            shown: self.shown.with_conflicts(conflicts),
        }
    }
}

#[derive(Debug, Template)]
#[template(path = "settings/_profile_form.html")]
pub struct ProfileForm {
    csrf_token: String,
    shown: ShownValues,
    errors: ErrorSummary,
    name: Field,
    bio: Field,
}

impl askama::filters::HtmlSafe for ProfileForm {}

impl ProfileForm {
    pub fn new(visit: &Visit, typed: ProfileTyped) -> Self {
        let name =
            Field::new(Kind::Name, "name", "Name", typed.name).with_hint("1 to 50 characters.");
        let bio = Field::new(Kind::Paragraph, "bio", "About you", typed.bio)
            .with_hint("Optional, up to 200 characters. Links work.");
        let errors = ErrorSummary::of([&name, &bio]);
        Self {
            csrf_token: visit.csrf_token.clone(),
            shown: typed.shown,
            errors,
            name,
            bio,
        }
    }
}

/// The errors of the password form, which never shows its texts.
#[derive(Debug, Default)]
pub struct PasswordTyped {
    pub current: Typed,
    pub new: Typed,
}

#[derive(Debug, Template)]
#[template(path = "settings/_password_form.html")]
pub struct PasswordForm {
    csrf_token: String,
    login: String,
    errors: ErrorSummary,
    current: Field,
    new: Field,
}

impl askama::filters::HtmlSafe for PasswordForm {}

impl PasswordForm {
    pub fn new(visit: &Visit, typed: PasswordTyped) -> Self {
        let current = Field::new(
            Kind::CurrentPassword,
            "current_password",
            "Current password",
            typed.current,
        );
        let new = Field::new(Kind::NewPassword, "new_password", "New password", typed.new)
            .with_hint("At least 8 characters. You will be logged out everywhere else.");
        Self {
            csrf_token: visit.csrf_token.clone(),
            login: visit
                .me()
                .map(|me| me.login.to_string())
                .unwrap_or_default(),
            errors: ErrorSummary::of([&current, &new]),
            current,
            new,
        }
    }
}

/// The text of the page about the account of the member.
#[derive(Debug, Clone, Copy)]
pub struct Account {
    pub posts: Storage,
    pub messages: Storage,
    /// What others see of the member.
    pub seen: [&'static str; 5],
    /// The end of the limits of a new account.
    pub newcomer_until: Option<UnixMs>,
    /// Whether the page leads to the administration.
    pub runs_site: bool,
    /// Whether the page leads to the requests to join.
    pub answers_applicants: bool,
}

#[derive(Debug, Template)]
#[template(path = "settings/settings.html")]
pub struct SettingsPage {
    layout: Layout,
    login: String,
    profile: ProfileForm,
    password: PasswordForm,
    storage: String,
    /// What others see of the member.
    seen: [&'static str; 5],
    /// The end of the limits of a new account.
    newcomer_until: Option<String>,
    runs_site: bool,
    /// Number of people who wait to be let in, if the member answers them.
    waiting: Option<String>,
}

impl SettingsPage {
    pub fn new(
        visit: &Visit,
        profile: ProfileTyped,
        password: PasswordTyped,
        account: Account,
    ) -> Self {
        let profile = ProfileForm::new(visit, profile);
        let password = PasswordForm::new(visit, password);
        Self {
            layout: Layout::new(visit, Section::Settings, "Settings")
                .wrong_if(profile.errors.has_some() || password.errors.has_some()),
            login: password.login.clone(),
            profile,
            password,
            storage: format!(
                "Your posts use {}. Your messages use {}. Deleting posts and messages makes room.",
                account.posts.words(),
                account.messages.words()
            ),
            seen: account.seen,
            newcomer_until: account
                .newcomer_until
                .map(|until| moment::full(until, &visit.zone)),
            runs_site: account.runs_site,
            waiting: account
                .answers_applicants
                .then(|| count(visit.waiting.applicants.unwrap_or_default())),
        }
    }
}

#[derive(Debug, Template)]
#[template(path = "settings/sessions.html")]
pub struct SessionsPage {
    layout: Layout,
    sessions: Vec<Session>,
}

#[derive(Debug)]
struct Session {
    digest: String,
    /// `Firefox on Linux`.
    name: String,
    /// The full user agent.
    agent: String,
    created: Moment,
    seen: Moment,
    is_this: bool,
}

impl SessionsPage {
    /// Creates the page of all sessions; `this` is the digest of the current one.
    pub fn new(visit: &Visit, sessions: Vec<SessionInfo>, this: &str) -> Self {
        let session = |info: SessionInfo| Session {
            is_this: info.digest == this,
            digest: info.digest,
            name: agent::name(&info.agent),
            agent: info.agent,
            created: visit.moment(info.created),
            seen: visit.moment(info.seen),
        };
        Self {
            layout: Layout::new(visit, Section::Settings, "Where you are logged in"),
            sessions: sessions.into_iter().map(session).collect(),
        }
    }
}
