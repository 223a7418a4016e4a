//! The texts of error pages: the reason, and the next step.

use actix_web::http::StatusCode;

use super::{Error, view::Words};
use crate::web::http::csrf::Forgery;

impl Error {
    pub(in crate::web) fn words(&self) -> Words {
        match self {
            Self::LoggedOut | Self::LogInFirst { .. } => LOGGED_OUT,
            Self::Forged(Forgery::Foreign) => FOREIGN,
            Self::Forged(Forgery::Stale) => STALE,
            Self::NotFound | Self::Moved(_) => NOT_FOUND,
            Self::Deleted { .. } => DELETED,
            Self::MethodNotAllowed { .. } => WRONG_METHOD,
            Self::TooSlow => TOO_SLOW,
            Self::Conflict => POSTED_BEFORE,
            Self::TooLarge { .. } => TOO_LARGE,
            Self::UnsupportedType => NO_FORM,
            Self::BadForm => NO_SENSE,
            Self::Refused(reason) => Words {
                title: "This is not possible",
                explanation: reason.clone().into(),
                advice: "Nothing was changed.",
            },
            Self::NotCounted { reason, .. } => {
                Words::new("Your vote was not counted", reason, "Nothing was changed.")
            }
            Self::TooMany { .. } => TOO_MANY,
            Self::Busy => BUSY,
            Self::Overloaded => OVERLOADED,
            Self::TimedOut => TIMED_OUT,
            Self::Unavailable(_) => AWAY,
            Self::Internal(_) => BROKEN,
        }
    }
}

/// Returns the text for a request that was rejected before our code ran.
pub(super) fn of_status(status: StatusCode) -> Words {
    match status {
        StatusCode::NOT_FOUND => NOT_FOUND,
        StatusCode::METHOD_NOT_ALLOWED => WRONG_METHOD,
        StatusCode::PAYLOAD_TOO_LARGE => TOO_LARGE,
        _ if status.is_client_error() => NO_SENSE,
        _ => BROKEN,
    }
}

const LOGGED_OUT: Words = Words::new(
    "You have been logged out",
    "Nothing was sent.",
    "Log in here to continue.",
);
const FOREIGN: Words = Words::new(
    "This form came from another site",
    "It was not sent from a page of this site. Nothing was changed.",
    "Open the page here and send the form again.",
);
const STALE: Words = Words::new(
    "This form has expired",
    "You may have logged in or out since you opened it. Nothing was changed.",
    "Open the page again and send the form from there. If that does not help, allow cookies for this site.",
);
const NOT_FOUND: Words = Words::new(
    "Page not found",
    "This page does not exist, was deleted, or is not visible to you.",
    "Check the address, or start from home.",
);
const DELETED: Words = Words::new(
    "This post was deleted",
    "Nothing was changed.",
    "Go back to continue.",
);
const WRONG_METHOD: Words = Words::new(
    "This page cannot be opened like this",
    "The page exists, but does not accept this kind of request.",
    "Open it as a link, or use the buttons on the site.",
);
const TOO_SLOW: Words = Words::new(
    "This took too long",
    "Your request did not arrive completely in time. Nothing was changed.",
    "Check your connection and try again.",
);
const POSTED_BEFORE: Words = Words::new(
    "You have already sent this form",
    "The first time it had another text, which may be posted already.",
    "To post this text too, send it from here.",
);
const TOO_LARGE: Words = Words::new(
    "This is too large",
    "The form is larger than allowed and was not read.",
    "Go back, shorten your text and send it again.",
);
const NO_FORM: Words = Words::new(
    "Unsupported format",
    "This site cannot read the format of the request.",
    "Use the forms on this site.",
);
const NO_SENSE: Words = Words::new(
    "Invalid request",
    "Something in the request is missing or wrong. Nothing was changed.",
    "Go back and check your input, or start from home.",
);
const TOO_MANY: Words = Words::new(
    "Too many requests",
    "You have done this too often in a short time.",
    "Nothing was changed.",
);
const BUSY: Words = Words::new(
    "Redwing is busy",
    "Many people are logging in right now.",
    "This usually passes quickly.",
);
const OVERLOADED: Words = Words::new(
    "Redwing is busy",
    "The server has too many requests right now.",
    "This usually passes quickly.",
);
const TIMED_OUT: Words = Words::new(
    "This took too long",
    "The request took too long and was stopped.",
    "Requests are usually faster.",
);
const AWAY: Words = Words::new(
    "Redwing is temporarily unavailable",
    "The database does not respond right now.",
    "It usually comes back within a minute.",
);
const BROKEN: Words = Words::new(
    "Something went wrong",
    "This is an error of the site, not yours. It was logged.",
    "Try again. If it does not help, report the number below to the people who run this site.",
);
