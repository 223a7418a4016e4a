//! What a person reads about each failure: what happened, and what to do next.

use actix_web::http::StatusCode;

use super::{csrf::Forgery, error::Error, view::Words};

impl Error {
    pub(super) fn words(&self) -> Words {
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
                title: "That cannot be done",
                what: reason.clone().into(),
                advice: "Nothing has changed.",
            },
            Self::NotCounted { reason, .. } => {
                Words::new("That vote does not count", reason, "Nothing has changed.")
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

/// The same for what was refused before any code of ours was asked.
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
    "You are not logged in any more",
    "So nothing has been done.",
    "Log in here, and go on where you were.",
);
const FOREIGN: Words = Words::new(
    "That form came from elsewhere",
    "It was not sent from a page of this site, so nothing has been done.",
    "Open the page here and send it from there.",
);
const STALE: Words = Words::new(
    "That form has gone stale",
    "Perhaps you logged in or out meanwhile. Nothing has been done.",
    "Send it once more from a fresh page. If it happens again, allow cookies for this site.",
);
const NOT_FOUND: Words = Words::new(
    "Nothing perches here",
    "There is no such page, or it is not for you to see. It may have been deleted.",
    "Check the address for a slip, or go home and look from there.",
);
const DELETED: Words = Words::new(
    "This post was deleted",
    "It is gone from every page, so nothing has been done.",
    "Go back and read on.",
);
const WRONG_METHOD: Words = Words::new(
    "This address works differently",
    "The page exists, but not for what was asked of it.",
    "Open it as a plain link, or go home and take the buttons there.",
);
const TOO_SLOW: Words = Words::new(
    "That took too long",
    "The request did not arrive in full in time, so nothing has been done.",
    "Check your connection and send it once more.",
);
const POSTED_BEFORE: Words = Words::new(
    "You have sent this form before",
    "The first time it carried another text, and that one may be posted already.",
    "If you want this text as a post too, send it from here.",
);
const TOO_LARGE: Words = Words::new(
    "That is too much at once",
    "What you sent is larger than any form here, so it was not read.",
    "Go back, shorten it and send it again.",
);
const NO_FORM: Words = Words::new(
    "That is not a form of ours",
    "The request came in a format that this site does not read.",
    "Send forms from the pages here, uncompressed and as browsers do.",
);
const NO_SENSE: Words = Words::new(
    "That did not make sense here",
    "Something in the request is missing or is not what it should be, so nothing has been done.",
    "Go back and check what you entered, or start from home.",
);
const TOO_MANY: Words = Words::new(
    "A little slower, please",
    "You have done this many times in a short while, and there is a limit to it.",
    "Nothing is lost.",
);
const BUSY: Words = Words::new(
    "Redwing is catching its breath",
    "Very many people are logging in at this moment.",
    "It is over soon.",
);
const OVERLOADED: Words = Words::new(
    "Redwing is catching its breath",
    "More is asked of it at this moment than it can answer.",
    "It is over soon.",
);
const TIMED_OUT: Words = Words::new(
    "Redwing is catching its breath",
    "The request took too long and was stopped.",
    "It usually goes faster.",
);
const AWAY: Words = Words::new(
    "Redwing is catching its breath",
    "The place where everything is kept does not answer at the moment.",
    "It usually comes back within a minute.",
);
const BROKEN: Words = Words::new(
    "Something broke on our side",
    "It is not your fault. The people who run this site can find it in their log.",
    "Try once more. If it stays broken, give them the number below.",
);
