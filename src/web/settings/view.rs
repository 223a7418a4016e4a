//! Settings pages: profile, password, sessions.

use askama::Template;

use crate::{
    store::{SessionInfo, User},
    web::parts::{
        field::{ErrorSummary, Field, Kind, Typed},
        layout::{Layout, Section},
        moment::Moment,
        visit::Visit,
    },
};

use super::agent;

/// The content of the profile form.
#[derive(Debug, Default)]
pub struct ProfileTyped {
    pub name: Typed,
    pub bio: Typed,
}

impl From<&User> for ProfileTyped {
    fn from(user: &User) -> Self {
        Self {
            name: Typed::text(&user.name),
            bio: Typed::text(&user.bio),
        }
    }
}

#[derive(Debug, Template)]
#[template(path = "settings/_profile_form.html")]
pub struct ProfileForm {
    csrf_token: String,
    errors: ErrorSummary,
    name: Field,
    bio: Field,
}

impl askama::filters::HtmlSafe for ProfileForm {}

impl ProfileForm {
    #[must_use]
    pub fn new(visit: &Visit, typed: ProfileTyped) -> Self {
        let name = Field {
            kind: Kind::Name,
            name: "name",
            label: "Name",
            hint: "1 to 50 characters.",
            typed: typed.name,
        };
        let bio = Field {
            kind: Kind::Paragraph,
            name: "bio",
            label: "About you",
            hint: "Optional, up to 200 characters. Links work.",
            typed: typed.bio,
        };
        let errors = ErrorSummary::of([&name, &bio]);
        Self {
            csrf_token: visit.csrf_token.clone(),
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

impl PasswordTyped {
    /// Returns an error of the current password.
    #[must_use]
    pub fn current_is(reason: impl ToString) -> Self {
        Self {
            current: Typed::error(reason),
            ..Self::default()
        }
    }

    /// Returns an error of the new password.
    #[must_use]
    pub fn new_is(reason: impl ToString) -> Self {
        Self {
            new: Typed::error(reason),
            ..Self::default()
        }
    }
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
    #[must_use]
    pub fn new(visit: &Visit, typed: PasswordTyped) -> Self {
        let current = Field {
            kind: Kind::CurrentPassword,
            name: "current_password",
            label: "Current password",
            hint: "",
            typed: typed.current,
        };
        let new = Field {
            kind: Kind::NewPassword,
            name: "new_password",
            label: "New password",
            hint: "At least 8 characters. You will be logged out everywhere else.",
            typed: typed.new,
        };
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

#[derive(Debug, Template)]
#[template(path = "settings/settings.html")]
pub struct SettingsPage {
    layout: Layout,
    profile: ProfileForm,
    password: PasswordForm,
}

impl SettingsPage {
    #[must_use]
    pub fn new(visit: &Visit, profile: ProfileTyped, password: PasswordTyped) -> Self {
        let profile = ProfileForm::new(visit, profile);
        let password = PasswordForm::new(visit, password);
        Self {
            layout: Layout::new(visit, Section::Settings, "Settings")
                .wrong_if(profile.errors.has_some() || password.errors.has_some()),
            profile,
            password,
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
    #[must_use]
    pub fn new(visit: &Visit, sessions: Vec<SessionInfo>, this: &str) -> Self {
        let session = |info: SessionInfo| Session {
            is_this: info.digest == this,
            digest: info.digest,
            name: agent::name(&info.agent),
            agent: info.agent,
            created: Moment::new(info.created, visit.now),
            seen: Moment::new(info.seen, visit.now),
        };
        Self {
            layout: Layout::new(visit, Section::Settings, "Where you are logged in"),
            sessions: sessions.into_iter().map(session).collect(),
        }
    }
}
