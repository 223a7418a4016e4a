//! Errors of the web layer: each becomes a status code and a page that explains the next step.
//! Internal details are logged once and never shown.

pub mod error_page;
pub mod view;
mod words;

pub use words::group_words;

use actix_web::{HttpResponse, ResponseError, http::StatusCode};

use super::csrf::Forgery;
use crate::{
    actions::passwords::HashError,
    domain::{BlockedContent, LocalPath, NewcomerRefusal, StatusId, UnixMs},
    store,
    web::routes,
};

/// How long clients are asked to wait if Redis is unavailable or the site is overloaded.
const RETRY_S: u64 = 5;
/// How long they are asked to wait if its memory is full.
const FULL_RETRY_S: u64 = 60;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Missing, or not visible to this viewer: the response is the same.
    #[error("not found")]
    NotFound,
    /// The status of a button was deleted meanwhile. `back` is the page of the button, or home.
    #[error("deleted meanwhile")]
    Deleted { back: String },
    /// The subject of the form is not found any more. Its text comes back.
    #[error("the form is about a missing {0:?}")]
    Gone(Gone),
    /// A vote that was not counted. `back` is the page of the poll.
    #[error("{reason}")]
    NotCounted { reason: &'static str, back: String },
    /// The page has another path.
    #[error("moved to {0}")]
    Moved(String),
    /// A page for members: a visitor logs in first and returns to this path.
    #[error("log in first")]
    LogInFirst { next: LocalPath },
    /// A form for members, sent without a session.
    #[error("not logged in")]
    LoggedOut,
    #[error(transparent)]
    Forged(#[from] Forgery),
    #[error("a form with missing or repeated fields")]
    BadForm,
    #[error("the body of the request came too slowly")]
    TooSlow,
    #[error("the headers of the request are too long")]
    LongHeaders,
    #[error("the form is larger than {limit} bytes")]
    TooLarge { limit: usize },
    #[error("not a plain form")]
    UnsupportedType,
    /// An idempotency key that was already used for another text, or for something that was changed or deleted since.
    #[error("the form was sent before")]
    Conflict,
    /// Another device changed the same values during each attempt to save them. Nothing was written.
    #[error("the values changed during each attempt to save them")]
    Contended,
    #[error("wrong method")]
    MethodNotAllowed { allow: &'static str },
    #[error("over the limit for {retry_after_s} s")]
    TooMany { retry_after_s: u64 },
    /// The lower limit of new accounts, which ends at this time.
    #[error("over the limit of new accounts for {retry_after_s} s")]
    TooManyForNewcomer { retry_after_s: u64, until: UnixMs },
    /// The text exceeds a limit of new accounts.
    #[error("a limit of new accounts")]
    Newcomer(NewcomerRefusal),
    /// The text has a word or link that the owner of the site has blocked.
    #[error("a blocked text")]
    Blocked(BlockedContent),
    /// The posts of the person take as many bytes as one person can have.
    #[error("over the quota of post bytes")]
    OverQuota,
    /// A thread of which only the first posts are published.
    #[error("a thread stopped after {published} posts: {cause}")]
    ThreadStopped {
        published: usize,
        last: StatusId,
        cause: Box<Error>,
    },
    /// The author is not a member of the group of a new post. The group can also be deleted.
    #[error("not a member of the group")]
    NotInGroup,
    /// A rule that the page explains, such as a limit.
    #[error("{0}")]
    Refused(String),
    #[error("too many passwords are being checked")]
    Busy,
    /// No place among the concurrent requests.
    #[error("too many requests are under way")]
    Overloaded,
    #[error("the request took too long")]
    TimedOut,
    /// The member lacks the power that the page or the form needs.
    #[error("the role does not permit it")]
    NotPermitted,
    #[error("{0}")]
    Unavailable(String),
    /// Redis has no memory left for it.
    #[error("the memory of Redis is almost full")]
    Full,
    #[error("{0}")]
    Internal(String),
}

/// A missing thing that a form was about. The form comes back as one to make a new thing, or its texts come back to
/// copy them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gone {
    Post,
    /// A post of which the new one cannot select the same reply control. The author has to check the form.
    PostWithOtherRules,
    /// The post to reply to or to quote.
    Target,
    List,
    Group,
    Message,
    /// The conversation of a new message.
    Conversation,
    /// The post, message, person or group of a report.
    Reported,
    /// The decision of an appeal.
    AppealedDecision,
    /// The person or the group of an act with a note.
    GroupPerson,
    /// The post to remove from its group.
    GroupPost,
    /// The person, post or appeal of a decision of a moderator.
    Case,
}

pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// Returns the error of a form about a thing that was not found.
    #[must_use]
    pub fn of_form_about(self, thing: Gone) -> Self {
        match self {
            Self::NotFound => Self::Gone(thing),
            error => error,
        }
    }

    /// Returns the seconds after which a retry makes sense.
    pub(super) fn retry_after_s(&self) -> Option<u64> {
        match self {
            Self::TooMany { retry_after_s } | Self::TooManyForNewcomer { retry_after_s, .. } => {
                Some((*retry_after_s).max(1))
            }
            Self::Busy
            | Self::Overloaded
            | Self::TimedOut
            | Self::Contended
            | Self::Unavailable(_) => Some(RETRY_S),
            Self::Full => Some(FULL_RETRY_S),
            Self::ThreadStopped { cause, .. } => cause.retry_after_s(),
            _ => None,
        }
    }

    /// Returns the page to go back to, if it is not home.
    pub fn back(&self) -> Option<&str> {
        match self {
            Self::Deleted { back } | Self::NotCounted { back, .. } if back != routes::HOME => {
                Some(back)
            }
            _ => None,
        }
    }

    /// Logs the error. Called once, where the error becomes a page.
    pub fn log(&self) {
        match self {
            Self::ThreadStopped { cause, .. } => cause.log(),
            Self::Internal(_) => tracing::error!(error = %self, "request failed"),
            Self::Unavailable(_) | Self::Full | Self::Busy | Self::Overloaded | Self::TimedOut => {
                tracing::warn!(error = %self, "request failed")
            }
            _ => tracing::debug!(error = %self, "request refused"),
        }
    }
}

impl ResponseError for Error {
    fn status_code(&self) -> StatusCode {
        match self {
            Self::NotFound | Self::Deleted { .. } | Self::Gone(_) => StatusCode::NOT_FOUND,
            Self::Moved(_) => StatusCode::PERMANENT_REDIRECT,
            Self::LogInFirst { .. } => StatusCode::SEE_OTHER,
            Self::LoggedOut | Self::Forged(_) | Self::NotPermitted => StatusCode::FORBIDDEN,
            Self::BadForm => StatusCode::BAD_REQUEST,
            Self::TooSlow => StatusCode::REQUEST_TIMEOUT,
            Self::LongHeaders => StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
            Self::TooLarge { .. } => StatusCode::PAYLOAD_TOO_LARGE,
            Self::UnsupportedType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::MethodNotAllowed { .. } => StatusCode::METHOD_NOT_ALLOWED,
            Self::TooMany { .. } | Self::TooManyForNewcomer { .. } => StatusCode::TOO_MANY_REQUESTS,
            Self::Conflict => StatusCode::CONFLICT,
            Self::ThreadStopped { cause, .. } => cause.status_code(),
            Self::Refused(_)
            | Self::NotInGroup
            | Self::NotCounted { .. }
            | Self::OverQuota
            | Self::Newcomer(_)
            | Self::Blocked(_) => StatusCode::UNPROCESSABLE_ENTITY,
            Self::Busy
            | Self::Overloaded
            | Self::TimedOut
            | Self::Contended
            | Self::Unavailable(_)
            | Self::Full => StatusCode::SERVICE_UNAVAILABLE,
            Self::Internal(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// Contains only headers: `error_page` adds the page, which needs the request.
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
            store::Error::Full => Self::Full,
            store::Error::OverQuota => Self::OverQuota,
            store::Error::Newcomer(refusal) => Self::Newcomer(refusal),
            store::Error::GroupRefused(refusal) => Self::Refused(group_words(refusal)),
            store::Error::Blocked(content) => Self::Blocked(content),
            store::Error::LongExplanation { max_characters } => Self::Refused(format!(
                "The storage of the site is almost full. Write at most {max_characters} characters."
            )),
            store::Error::TooMany { retry_after_s } => Self::TooMany { retry_after_s },
            store::Error::Contended => Self::Contended,
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

#[cfg(test)]
mod tests {
    use actix_web::{ResponseError, http::StatusCode};

    use super::{Error, RETRY_S};
    use crate::store;

    #[test]
    fn a_form_that_could_not_be_saved_in_time_can_be_sent_again() {
        let error = Error::from(store::Error::Contended);
        assert_eq!(error.status_code(), StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(error.retry_after_s(), Some(RETRY_S));
        assert_eq!(error.words().title, "Nothing was saved");
    }
}
