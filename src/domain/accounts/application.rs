//! The request of a person to join a site with entrance by approval.

use std::fmt;

use crate::domain::{ActingPerson, ApplicationAnswer, RefusalReason};

/// A request to join, as the user record stores it. An account without one was let in, or never had to ask.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Application {
    /// No one has decided yet. The answer to the question of the site.
    Waiting { answer: String },
    /// Refused by this person or the host. The reason can be empty.
    Refused { by: ActingPerson, reason: String },
}

impl Application {
    pub fn waiting(answer: &ApplicationAnswer) -> Self {
        let answer = answer.as_str().to_owned();
        Self::Waiting { answer }
    }

    pub fn refused(by: ActingPerson, reason: Option<&RefusalReason>) -> Self {
        let reason = reason.map_or_else(String::new, |reason| reason.as_str().to_owned());
        Self::Refused { by, reason }
    }

    /// Reads the stored text. `None` if it is no request.
    pub fn stored(text: &str) -> Option<Self> {
        let (word, rest) = text.split_once(' ')?;
        match word {
            "waiting" => Some(Self::Waiting {
                answer: rest.to_owned(),
            }),
            "refused" => {
                let (by, reason) = rest.split_once(' ')?;
                Some(Self::Refused {
                    by: by.parse().ok()?,
                    reason: reason.to_owned(),
                })
            }
            _ => None,
        }
    }
}

impl fmt::Display for Application {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Waiting { answer } => write!(f, "waiting {answer}"),
            Self::Refused { by, reason } => write!(f, "refused {by} {reason}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::application::*;
    use crate::domain::UserId;

    #[test]
    fn a_request_is_read_back() {
        let by = ActingPerson::Person(UserId::new(7).expect("in range"));
        for application in [
            Application::Waiting {
                answer: "I sail.\nOften.".to_owned(),
            },
            Application::refused(by, None),
            Application::refused(ActingPerson::Host, None),
            Application::Refused {
                by,
                reason: "No  boat".to_owned(),
            },
        ] {
            assert_eq!(
                Application::stored(&application.to_string()),
                Some(application)
            );
        }
        for text in ["", "waiting", "refused 7", "refused x y", "let in"] {
            assert_eq!(Application::stored(text), None, "{text}");
        }
    }
}
