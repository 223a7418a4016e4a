//! Error pages: the reason, the next step, and the typed form.

use std::borrow::Cow;

use actix_web::http::StatusCode;
use askama::Template;

use crate::web::{
    accounts::view::{LogInForm, SignUpForm},
    edits::view::EditForm,
    lists::{
        members::view::MemberForm,
        view::{EditListForm, ListForm},
    },
    parts::{
        layout::{Layout, Section},
        visit::Visit,
    },
    settings::view::ProfileForm,
    statuses::compose::ComposeForm,
};

/// A form that is given back on an error page with its text.
#[derive(Debug)]
pub enum Retained {
    Compose(ComposeForm),
    Edit(EditForm),
    LogIn(LogInForm),
    SignUp(SignUpForm),
    Profile(ProfileForm),
    List(ListForm),
    ListEdit(EditListForm),
    Member(MemberForm),
}

impl Retained {
    fn title(&self) -> &'static str {
        match self {
            Self::LogIn(form) if form.is_blank() => "Log in",
            _ => "Your text is still here",
        }
    }
}

/// The text of an error: the reason, and the next step.
#[derive(Debug)]
pub struct Words {
    pub title: &'static str,
    pub explanation: Cow<'static, str>,
    pub advice: &'static str,
}

impl Words {
    #[must_use]
    pub const fn new(title: &'static str, explanation: &'static str, advice: &'static str) -> Self {
        let explanation = Cow::Borrowed(explanation);
        Self {
            title,
            explanation,
            advice,
        }
    }
}

/// One error, as its page shows it.
#[derive(Debug)]
pub struct Trouble {
    pub status: StatusCode,
    pub words: Words,
    /// Seconds until a retry makes sense.
    pub retry_after_s: Option<u64>,
    pub request_id: String,
    /// The page to go back to, if home is not the best one.
    pub back: Option<String>,
    pub retained: Option<Retained>,
}

#[derive(Debug, Template)]
#[template(path = "errors/error.html")]
pub struct ErrorPage {
    layout: Layout,
    status: u16,
    title: &'static str,
    explanation: Cow<'static, str>,
    advice: String,
    request_id: String,
    back: Option<String>,
    retained: Option<Retained>,
}

impl ErrorPage {
    #[must_use]
    pub fn new(visit: &Visit, trouble: Trouble) -> Self {
        let words = trouble.words;
        let advice = match trouble.retry_after_s {
            Some(seconds) => format!("{} Try again in {}.", words.advice, wait(seconds)),
            None => words.advice.to_owned(),
        };
        Self {
            layout: Layout::new(visit, Section::Elsewhere, words.title).wrong_if(true),
            status: trouble.status.as_u16(),
            title: words.title,
            explanation: words.explanation,
            advice,
            request_id: trouble.request_id,
            back: trouble.back,
            retained: trouble.retained,
        }
    }
}

/// Returns a duration in words: `40 seconds`, `3 minutes`.
fn wait(seconds: u64) -> String {
    match seconds {
        ..=1 => "a second".to_owned(),
        2..=90 => format!("{seconds} seconds"),
        91..=5400 => format!("{} minutes", seconds.div_ceil(60)),
        _ => format!("{} hours", seconds.div_ceil(3600)),
    }
}

#[cfg(test)]
mod tests {
    use super::wait;

    #[test]
    fn a_wait_is_rounded_up() {
        assert_eq!(
            [1, 60, 91, 3600, 5401].map(wait),
            [
                "a second",
                "60 seconds",
                "2 minutes",
                "60 minutes",
                "2 hours"
            ]
        );
    }
}
