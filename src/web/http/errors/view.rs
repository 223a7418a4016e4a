//! Error pages: the reason, the next step, and the typed form.

use std::borrow::Cow;

use actix_web::http::StatusCode;
use askama::Template;

use crate::{
    domain::LocalPath,
    web::{
        accounts::view::{LogIn, LogInForm},
        fragments::Fragment,
        http::session::pending_form::PendingForm,
        parts::{
            layout::{Layout, Section},
            notice::Notice,
            visit::Visit,
        },
    },
};

/// A form that is given back on an error page with its text.
#[derive(Debug)]
pub struct Retained {
    title: &'static str,
    form: Fragment,
    /// It is the log-in form.
    pub(super) logs_in: bool,
    /// Another account opened the form. The browser stores no draft of it.
    is_of_other: bool,
}

/// Texts to copy, because no form can send them any more, and the page to go on to with its name.
#[derive(Debug, Template)]
#[template(path = "errors/_kept_texts.html")]
struct KeptTexts<'a> {
    texts: Vec<&'a str>,
    page: &'a str,
    name: &'a str,
}

impl Retained {
    pub fn form(form: &impl Template) -> Self {
        Self {
            title: "Your text is still here",
            form: Fragment::of(form),
            logs_in: false,
            is_of_other: false,
        }
    }

    /// Returns the texts of a form that cannot be sent any more, and the page to go on to with its name.
    pub fn texts(texts: &[&str], (page, name): (&str, &str)) -> Self {
        let typed = texts.iter().filter(|text| !text.trim().is_empty());
        let texts: Vec<&str> = typed.copied().collect();
        let has_text = !texts.is_empty();
        let kept = Self::form(&KeptTexts { texts, page, name });
        match has_text {
            true => kept,
            false => Self {
                title: "Where to go on",
                ..kept
            },
        }
    }

    /// Describes the form as one of another account. Only that account can send it.
    #[must_use]
    pub fn of_other(self) -> Self {
        Self {
            title: "The form of the other account",
            is_of_other: true,
            ..self
        }
    }

    pub fn log_in_form(form: &LogInForm) -> Self {
        let retained = Self {
            logs_in: true,
            ..Self::form(form)
        };
        match form.shows_text() {
            true => retained,
            false => Self {
                title: "Log in",
                ..retained
            },
        }
    }

    /// Returns the log-in form, which keeps the typed form for its owner and then leads to `next`.
    pub fn log_in(
        visit: &Visit,
        next: Option<LocalPath>,
        pending_form: impl Into<Option<PendingForm>>,
    ) -> Self {
        let log_in = LogIn {
            next,
            pending_form: pending_form.into(),
            form_owner: visit.form_owner,
            ..LogIn::default()
        };
        Self::log_in_form(&LogInForm::new(visit, log_in))
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
pub struct ErrorDetails {
    pub status: StatusCode,
    pub words: Words,
    /// Seconds until a retry makes sense.
    pub retry_after_s: Option<u64>,
    pub request_id: String,
    /// The page that failed, if it can be opened again.
    pub again: Option<LocalPath>,
    /// The page to go back to, if home is not the best one.
    pub back: Option<String>,
    pub retained: Option<Retained>,
}

#[derive(Debug, Template)]
#[template(path = "errors/error.html")]
pub struct ErrorPage {
    layout: Layout,
    details: ErrorDetails,
    advice: String,
}

impl ErrorPage {
    pub fn new(visit: &Visit, details: ErrorDetails) -> Self {
        let words = &details.words;
        let advice = match details.retry_after_s {
            Some(seconds) if details.again.is_none() || seconds > SHORT_WAIT_S => {
                format!("{} Try again in {}.", words.advice, wait(seconds))
            }
            _ => words.advice.to_owned(),
        };
        let mut layout = Layout::new(visit, Section::Elsewhere, words.title).wrong_if(true);
        // The page gives back a text from before the log-in in another way.
        layout.notice = layout
            .notice
            .filter(|notice| *notice != Notice::TextRestored);
        Self {
            layout,
            details,
            advice,
        }
    }
}

/// A wait of up to this many seconds is not mentioned beside the button to try again.
const SHORT_WAIT_S: u64 = 5;

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
        let waits = [1, 60, 91, 3600, 5401].map(wait).join(", ");
        assert_eq!(
            waits,
            "a second, 60 seconds, 2 minutes, 60 minutes, 2 hours"
        );
    }
}
