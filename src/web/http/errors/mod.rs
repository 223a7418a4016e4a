//! The failures of the web: each becomes a status and a page that says what to do next. What is
//! internal goes to the log, once, and never to a visitor.

pub(in crate::web) mod error_page;
pub(in crate::web) mod view;
mod words;

use actix_web::{HttpResponse, ResponseError, http::StatusCode};

use super::csrf::Forgery;
use crate::{actions::passwords::HashError, domain::LocalPath, store, web::routes};

/// How long someone is asked to wait while Redis is away or too much is under way.
const RETRY_S: u64 = 5;

#[derive(Debug, thiserror::Error)]
pub(in crate::web) enum Error {
    /// Not there, or not for this viewer: the answer is the same.
    #[error("not found")]
    NotFound,
    /// A status to do something about was deleted meanwhile: the way back to where its button stood.
    #[error("deleted meanwhile")]
    Deleted { back: String },
    /// A vote that does not count, and the way back to its poll.
    #[error("{reason}")]
    NotCounted { reason: &'static str, back: String },
    /// The same thing is found under another path.
    #[error("moved to {0}")]
    Moved(String),
    /// A page for members: a visitor logs in first and is led back to this path.
    #[error("log in first")]
    LogInFirst { next: LocalPath },
    /// A form for members, sent by somebody who is not logged in any more.
    #[error("not logged in")]
    LoggedOut,
    #[error(transparent)]
    Forged(#[from] Forgery),
    #[error("a form with missing or repeated fields")]
    BadForm,
    #[error("the body of the request came too slowly")]
    TooSlow,
    #[error("the form is larger than {limit} bytes")]
    TooLarge { limit: usize },
    #[error("not a plain form")]
    UnsupportedType,
    /// A nonce that was already used for something else.
    #[error("the form was sent before, with another text")]
    Conflict,
    #[error("wrong method")]
    MethodNotAllowed { allow: &'static str },
    #[error("over the limit for {retry_after_s} s")]
    TooMany { retry_after_s: u64 },
    /// A rule that the page explains in words, such as whom one can follow.
    #[error("{0}")]
    Refused(String),
    #[error("too many passwords are being checked")]
    Busy,
    /// No place among the requests under way.
    #[error("too many requests are under way")]
    Overloaded,
    #[error("the request took too long")]
    TimedOut,
    #[error("{0}")]
    Unavailable(String),
    #[error("{0}")]
    Internal(String),
}

pub(in crate::web) type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// Seconds until another try makes sense.
    pub(super) fn retry_after_s(&self) -> Option<u64> {
        match self {
            Self::TooMany { retry_after_s } => Some((*retry_after_s).max(1)),
            Self::Busy | Self::Overloaded | Self::TimedOut | Self::Unavailable(_) => Some(RETRY_S),
            _ => None,
        }
    }

    /// Where it is better to go on than at home.
    pub(in crate::web) fn back(&self) -> Option<&str> {
        match self {
            Self::Deleted { back } | Self::NotCounted { back, .. } if back != routes::HOME => {
                Some(back)
            }
            _ => None,
        }
    }

    /// Logged once, by whoever turns it into a page.
    pub(in crate::web) fn log(&self) {
        match self {
            Self::Internal(_) => tracing::error!(error = %self, "request failed"),
            Self::Unavailable(_) | Self::Busy | Self::Overloaded | Self::TimedOut => {
                tracing::warn!(error = %self, "request failed")
            }
            _ => tracing::debug!(error = %self, "request refused"),
        }
    }
}

impl ResponseError for Error {
    fn status_code(&self) -> StatusCode {
        match self {
            Self::NotFound | Self::Deleted { .. } => StatusCode::NOT_FOUND,
            Self::Moved(_) => StatusCode::PERMANENT_REDIRECT,
            Self::LogInFirst { .. } => StatusCode::SEE_OTHER,
            Self::LoggedOut | Self::Forged(_) => StatusCode::FORBIDDEN,
            Self::BadForm => StatusCode::BAD_REQUEST,
            Self::TooSlow => StatusCode::REQUEST_TIMEOUT,
            Self::TooLarge { .. } => StatusCode::PAYLOAD_TOO_LARGE,
            Self::UnsupportedType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::MethodNotAllowed { .. } => StatusCode::METHOD_NOT_ALLOWED,
            Self::TooMany { .. } => StatusCode::TOO_MANY_REQUESTS,
            Self::Conflict => StatusCode::CONFLICT,
            Self::Refused(_) | Self::NotCounted { .. } => StatusCode::UNPROCESSABLE_ENTITY,
            Self::Busy | Self::Overloaded | Self::TimedOut | Self::Unavailable(_) => {
                StatusCode::SERVICE_UNAVAILABLE
            }
            Self::Internal(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// The headers only: `error_page` adds the page, which needs the request.
    fn error_response(&self) -> HttpResponse {
        let mut response = HttpResponse::build(self.status_code());
        match self {
            Self::Moved(path) => response.insert_header(("location", path.as_str())),
            Self::LogInFirst { next } => {
                response.insert_header(("location", routes::log_in_then(next)))
            }
            Self::MethodNotAllowed { allow } => response.insert_header(("allow", *allow)),
            _ => &mut response,
        };
        if let Some(seconds) = self.retry_after_s() {
            response.insert_header(("retry-after", seconds));
        }
        response.finish()
    }
}

impl From<store::Error> for Error {
    fn from(error: store::Error) -> Self {
        match error {
            store::Error::Ended => Self::LoggedOut,
            store::Error::Unexpected { .. } => Self::Internal(error.to_string()),
            _ => Self::Unavailable(error.to_string()),
        }
    }
}

impl From<HashError> for Error {
    fn from(error: HashError) -> Self {
        match error {
            HashError::Busy => Self::Busy,
            HashError::Store(error) => error.into(),
            HashError::Failed(reason) => Self::Internal(reason),
        }
    }
}
