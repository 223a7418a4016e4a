//! The pages about leaving: the help, the form, and the page of a suspended or deactivated account.

use crate::{
    config::Config,
    domain::AccountState,
    web::parts::{moment::Moment, prelude::*},
};

const DAY_S: u64 = 86_400;

#[derive(Debug, Template)]
#[template(path = "help/leaving.html")]
pub struct HelpPage {
    layout: Layout,
    /// `30 days`.
    time: String,
}

impl HelpPage {
    pub fn new(visit: &Visit, config: &Config) -> Self {
        let layout = Layout::new(visit, Section::Elsewhere, "Leaving this site")
            .described("What happens when you deactivate or delete your account.");
        Self {
            layout,
            time: time_to_deletion(config),
        }
    }
}

/// The form that deactivates the member's account.
#[derive(Debug, Template)]
#[template(path = "leaving/leave.html")]
pub struct LeavePage {
    layout: Layout,
    /// `30 days`.
    time: String,
    login: String,
    errors: ErrorSummary,
    password: Field,
}

impl LeavePage {
    pub fn new(visit: &Visit, config: &Config, password: Typed) -> Self {
        let kind = Kind::CurrentPassword;
        let password = Field::new(kind, "current_password", "Current password", password);
        let errors = ErrorSummary::of([&password]);
        Self {
            layout: Layout::new(visit, Section::Settings, "Leave this site")
                .wrong_if(errors.has_some()),
            time: time_to_deletion(config),
            login: visit
                .me()
                .map(|me| me.login.to_string())
                .unwrap_or_default(),
            errors,
            password,
        }
    }
}

/// The only page of a suspended or deactivated account.
#[derive(Debug, Template)]
#[template(path = "leaving/account.html")]
pub struct AccountPage {
    layout: Layout,
    title: &'static str,
    login: String,
    /// The reason of a suspension. `None` for a deactivated account.
    reason: Option<String>,
    /// The time of the deletion of a deactivated account.
    deletion: Option<Moment>,
    errors: ErrorSummary,
    confirmation: Field,
}

impl AccountPage {
    pub fn new(visit: &Visit, user: &User, typed: Typed) -> Self {
        let confirmation = Field::new(Kind::Other, "login", "Your login", typed)
            .with_hint("Type your login to confirm. This cannot be undone.");
        let (title, reason, deletion) = match &user.state {
            AccountState::Suspended { reason } => {
                ("Your account is suspended", Some(reason.clone()), None)
            }
            AccountState::Deactivated { deletion } => {
                let deletion = visit.moment(*deletion);
                ("Your account is deactivated", None, Some(deletion))
            }
            AccountState::Active
            | AccountState::Waiting { .. }
            | AccountState::Refused { .. }
            | AccountState::BeingDeleted => ("Your account", None, None),
        };
        let errors = ErrorSummary::of([&confirmation]);
        Self {
            layout: Layout::new(visit, Section::Elsewhere, title)
                .without_navigation()
                .wrong_if(errors.has_some()),
            title,
            login: user.login.to_string(),
            reason,
            deletion,
            errors,
            confirmation,
        }
    }
}

/// Returns the time from the deactivation of an account to its deletion: `30 days`.
fn time_to_deletion(config: &Config) -> String {
    match config.timeouts.deletion.as_secs() / DAY_S {
        1 => "1 day".to_owned(),
        days => format!("{} days", count(days)),
    }
}
