//! Why timelines of the viewer leave out a status. `Access::mute_reason` decides about a single one. Reposts and quotes
//! take over the reason of the status in them.

use std::sync::Arc;

use crate::store::{Original, VisibleStatus};

/// Why timelines of the viewer leave out a status.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MuteReason {
    /// The viewer mutes its author.
    Author,
    /// The viewer mutes this word, phrase or tag.
    Text(Arc<str>),
}

impl MuteReason {
    /// Returns the reason of a repost: its own, or that of its original. Viewers do not mute the text of what they
    /// repost themselves.
    pub fn of_repost(repost: &VisibleStatus, original: &VisibleStatus) -> Option<Self> {
        let of_original = original.mute_reason.clone();
        let of_original = of_original.filter(|reason| !repost.own || *reason == Self::Author);
        repost.mute_reason.clone().or(of_original)
    }

    /// Returns the reason of a quote: its own, or the muted text of the quoted status. Viewers do not mute their own
    /// quotes.
    pub fn of_quote(quote: &VisibleStatus, quoted: Option<&Original>) -> Option<Self> {
        let of_quoted = match quoted {
            Some(Original::Status(quoted)) if !quote.own => quoted.mute_reason.clone(),
            _ => None,
        };
        let of_quoted = of_quoted.filter(|reason| *reason != Self::Author);
        quote.mute_reason.clone().or(of_quoted)
    }
}
