//! The form that changes the login, with the logins that the member had before.

use crate::{
    config::Config,
    store::{LoginHistory, UnixMs},
    web::parts::{moment::Moment, prelude::*},
};

const DAY_MS: u64 = 86_400_000;

#[derive(Debug, Default)]
pub struct RenameTyped {
    pub login: Typed,
    pub password: Typed,
}

#[derive(Debug, Template)]
#[template(path = "rename/rename.html")]
pub struct RenamePage {
    layout: Layout,
    login: String,
    /// `30 days`.
    interval: String,
    /// Time of the next change, if the last one is too recent.
    next: Option<Moment>,
    former: Vec<Former>,
    errors: ErrorSummary,
    new: Field,
    password: Field,
}

/// A login that the member had before.
#[derive(Debug)]
struct Former {
    login: String,
    /// Time until which it leads to the member. `None` if that time is over.
    until: Option<Moment>,
}

impl RenamePage {
    pub fn new(visit: &Visit, config: &Config, history: &LoginHistory, typed: RenameTyped) -> Self {
        let new = Field::new(Kind::Other, "login", "New login", typed.login)
            .with_hint("1 to 30 letters a to z, digits and underscores.");
        let kind = Kind::CurrentPassword;
        let password = Field::new(kind, "current_password", "Current password", typed.password);
        let errors = ErrorSummary::of([&new, &password]);
        let interval_ms = u64::try_from(config.timeouts.rename.as_millis()).unwrap_or(u64::MAX);
        let next = history
            .renamed
            .map(|UnixMs(ms)| UnixMs(ms.saturating_add(interval_ms)));
        let former = history.former.iter().map(|former| Former {
            login: former.login.to_string(),
            until: (visit.now < former.until).then(|| visit.moment(former.until)),
        });
        Self {
            layout: Layout::new(visit, Section::Settings, "Change login")
                .wrong_if(errors.has_some()),
            login: history.login.to_string(),
            interval: match interval_ms / DAY_MS {
                1 => "day".to_owned(),
                days => format!("{} days", count(days)),
            },
            next: next
                .filter(|next| visit.now < *next)
                .map(|next| visit.moment(next)),
            former: former.collect(),
            errors,
            new,
            password,
        }
    }
}
