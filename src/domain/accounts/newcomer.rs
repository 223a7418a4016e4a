//! The limits of new accounts. They end after some days, or when a person who runs the site vouches.

use crate::domain::UnixMs;

/// Most links in a text of a newcomer.
pub const MAX_NEWCOMER_LINKS: usize = 2;
/// Most people in a text of a newcomer who do not follow the newcomer.
pub const MAX_NEWCOMER_MENTIONS: usize = 2;
/// Most posts of a newcomer that wait for a moderator.
pub const MAX_WAITING_POSTS: usize = 20;
/// The rate limits of newcomers are the limits of others, divided by this.
pub const NEWCOMER_RATE_DIVISOR: u32 = 10;

const DAY_MS: u64 = 86_400_000;

/// The reason why a newcomer may not post a text, and the end of that limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NewcomerRefusal {
    pub limit: NewcomerLimit,
    pub until: UnixMs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NewcomerLimit {
    /// The text has more than [`MAX_NEWCOMER_LINKS`] links.
    Links,
    /// The text mentions more than [`MAX_NEWCOMER_MENTIONS`] people who do not follow the newcomer.
    Mentions,
    /// A reply for followers has a link, and its recipient does not follow the newcomer. Applies only if links wait for
    /// a moderator.
    LinkToStranger,
    /// The newcomer has [`MAX_WAITING_POSTS`].
    WaitingPosts,
}

impl NewcomerLimit {
    /// Returns the limit that a text with these numbers exceeds.
    pub fn exceeded_by(link_count: usize, stranger_count: usize) -> Option<Self> {
        if link_count > MAX_NEWCOMER_LINKS {
            return Some(Self::Links);
        }
        (stranger_count > MAX_NEWCOMER_MENTIONS).then_some(Self::Mentions)
    }
}

/// Returns the end of the limits of an account that is new since this time. `None` if it has none.
pub fn newcomer_until(since: Option<UnixMs>, days: u64, now: UnixMs) -> Option<UnixMs> {
    let until = UnixMs(since?.0.saturating_add(days.saturating_mul(DAY_MS)));
    (now < until).then_some(until)
}

#[cfg(test)]
mod tests {
    use super::super::newcomer::*;

    #[test]
    fn a_text_within_both_limits_is_not_refused() {
        for (links, strangers, expected) in [
            (0, 0, None),
            (2, 2, None),
            (3, 0, Some(NewcomerLimit::Links)),
            (0, 3, Some(NewcomerLimit::Mentions)),
            (3, 3, Some(NewcomerLimit::Links)),
        ] {
            let exceeded = NewcomerLimit::exceeded_by(links, strangers);
            assert_eq!(exceeded, expected, "{links} {strangers}");
        }
    }

    #[test]
    fn an_account_is_new_for_some_days_unless_someone_vouched() {
        let since = Some(UnixMs(5));
        let end = UnixMs(5 + 7 * DAY_MS);
        assert_eq!(newcomer_until(since, 7, UnixMs(5)), Some(end));
        assert_eq!(newcomer_until(since, 7, UnixMs(end.0 - 1)), Some(end));
        assert_eq!(newcomer_until(since, 7, end), None);
        assert_eq!(newcomer_until(since, 0, UnixMs(5)), None);
        assert_eq!(newcomer_until(None, 7, UnixMs(5)), None);
    }
}
