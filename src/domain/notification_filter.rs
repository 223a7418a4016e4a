//! The filter of the notifications page.

use std::str::FromStr;

use super::{NotificationKind, ParseError};

/// The notifications that a page shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum NotificationFilter {
    #[default]
    All,
    /// Replies, mentions and quotes: posts of others that are about the reader.
    Mentions,
    /// Follows, requests to follow, and accepted requests.
    Follows,
}

impl NotificationFilter {
    pub const ALL: [Self; 3] = [Self::All, Self::Mentions, Self::Follows];

    /// Returns the filter in an address.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Mentions => "mentions",
            Self::Follows => "follows",
        }
    }

    /// Returns whether the page shows notifications of this kind.
    pub fn shows(self, kind: NotificationKind) -> bool {
        match self {
            Self::All => true,
            Self::Mentions => kind.is_mention(),
            Self::Follows => matches!(
                kind,
                NotificationKind::Follow | NotificationKind::Request | NotificationKind::Accepted
            ),
        }
    }
}

impl FromStr for NotificationFilter {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let mut filters = Self::ALL.into_iter();
        filters
            .find(|filter| filter.as_str() == text)
            .ok_or(ParseError)
    }
}

#[cfg(test)]
mod tests {
    use super::super::notification_filter::*;
    use crate::domain::{Notification, StatusId};

    #[test]
    fn each_filter_has_its_own_text() {
        for filter in NotificationFilter::ALL {
            assert_eq!(filter.as_str().parse(), Ok(filter));
        }
        assert_eq!("".parse::<NotificationFilter>(), Err(ParseError));
    }

    #[test]
    fn a_filter_shows_its_kinds() {
        let shown_by = |text: &str| {
            let notification: Notification = text.parse().expect("a notification");
            NotificationFilter::ALL.map(|filter| filter.shows(notification.kind))
        };
        for text in ["reply:5:3", "mention:5:3", "quote:5:3"] {
            assert_eq!(shown_by(text), [true, true, false], "{text}");
        }
        for text in ["follow:0:3", "request:0:3", "accepted:0:3"] {
            assert_eq!(shown_by(text), [true, false, true], "{text}");
        }
        for text in ["favourite:5:3", "repost:5:3", "posted:5:3", "decision:5:3"] {
            assert_eq!(shown_by(text), [true, false, false], "{text}");
        }
        let id = StatusId::new(5).expect("in range");
        assert!(!NotificationKind::Favourite(id).is_mention());
    }
}
