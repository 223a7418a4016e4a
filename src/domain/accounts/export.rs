//! The export of an account: an archive that a task writes in passes.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use crate::domain::{ChatId, Cursor, MessagePosition, ParseError, UnixMs};

/// Random name of one export.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String")]
pub struct ExportToken(String);

impl ExportToken {
    const DIGITS: usize = 32;

    pub fn draw() -> Self {
        Self(format!("{:032x}", rand::random::<u128>()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for ExportToken {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        match text.len() == Self::DIGITS && text.bytes().all(is_digit) {
            true => Ok(Self(text.to_owned())),
            false => Err(ParseError),
        }
    }
}

impl TryFrom<String> for ExportToken {
    type Error = ParseError;

    fn try_from(text: String) -> Result<Self, ParseError> {
        text.parse()
    }
}

impl fmt::Display for ExportToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The part of the account that the next pass reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExportStage {
    Posts,
    Favourites,
    Bookmarks,
    Messages,
    /// All parts are read. The archive is to be written.
    Archive,
    Done,
    Failed,
    /// The disk space for archives is used up.
    NoSpace,
}

impl ExportStage {
    const ALL: [Self; 8] = [
        Self::Posts,
        Self::Favourites,
        Self::Bookmarks,
        Self::Messages,
        Self::Archive,
        Self::Done,
        Self::Failed,
        Self::NoSpace,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Posts => "posts",
            Self::Favourites => "favourites",
            Self::Bookmarks => "bookmarks",
            Self::Messages => "messages",
            Self::Archive => "archive",
            Self::Done => "done",
            Self::Failed => "failed",
            Self::NoSpace => "no_space",
        }
    }

    pub fn stored(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|stage| stage.as_str() == text)
    }

    /// Returns the stage after this one.
    pub fn next(self) -> Self {
        match self {
            Self::Posts => Self::Favourites,
            Self::Favourites => Self::Bookmarks,
            Self::Bookmarks => Self::Messages,
            Self::Messages => Self::Archive,
            Self::Archive | Self::Done => Self::Done,
            Self::Failed => Self::Failed,
            Self::NoSpace => Self::NoSpace,
        }
    }

    /// Returns whether a task still works on it.
    pub fn is_under_way(self) -> bool {
        self != Self::Done && !self.has_failed()
    }

    /// Returns whether it ended without an archive.
    pub fn has_failed(self) -> bool {
        matches!(self, Self::Failed | Self::NoSpace)
    }
}

/// The state of an export.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Export {
    pub token: ExportToken,
    pub stage: ExportStage,
    /// Number of passes that are done. The files of a pass have its number.
    pub step: u32,
    /// Where the next pass of the stage continues.
    pub before: Option<Cursor>,
    /// The same for messages.
    pub before_message: Option<MessagePosition>,
    /// The conversations that were read, until all of them were. One that gets a message meanwhile moves to the beginning
    /// of the list, so the list is read again until it has no other.
    pub chats: Vec<ChatId>,
    /// Whether this reading of the list has found a conversation that was not read before.
    pub has_new_chats: bool,
    /// Number of posts, favourites and bookmarks that are read, and of all.
    pub done: u64,
    pub total: u64,
    /// Size of the archive.
    pub bytes: u64,
    pub begun: UnixMs,
    /// Time of the last pass.
    pub at: UnixMs,
}

impl Export {
    /// Time for which an archive can be downloaded.
    pub const KEPT_MS: u64 = 7 * 24 * 60 * 60 * 1000;
    /// Time without a pass after which an export counts as interrupted, and another can begin.
    pub const STALE_MS: u64 = 10 * 60 * 1000;

    /// Returns the share that is read, in percent.
    pub fn percent(&self) -> u64 {
        (self.done * 100)
            .checked_div(self.total)
            .unwrap_or(0)
            .min(99)
    }

    /// Returns whether no pass was made for long, so that it will not be finished. A last pass that lies far ahead is from
    /// before the clock was set back.
    pub fn is_interrupted(&self, now: UnixMs) -> bool {
        self.stage.is_under_way() && now.0.abs_diff(self.at.0) > Self::STALE_MS
    }

    /// Returns the time until which the archive can be downloaded.
    pub fn until(&self) -> UnixMs {
        UnixMs(self.at.0.saturating_add(Self::KEPT_MS))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_a_name_of_hexadecimal_digits() {
        let token = ExportToken::draw();
        assert_eq!(token.to_string().parse(), Ok(token));
        for text in [
            "",
            "../..",
            &"0".repeat(31),
            &"g".repeat(32),
            &"A".repeat(32),
        ] {
            assert_eq!(text.parse::<ExportToken>(), Err(ParseError), "{text}");
        }
    }

    #[test]
    fn every_stage_is_read_back_and_leads_to_the_end() {
        for stage in ExportStage::ALL {
            assert_eq!(ExportStage::stored(stage.as_str()), Some(stage));
        }
        let stages = std::iter::successors(Some(ExportStage::Posts), |stage| Some(stage.next()));
        let stages: Vec<&str> = stages.take(7).map(ExportStage::as_str).collect();
        assert_eq!(
            stages.join(" "),
            "posts favourites bookmarks messages archive done done"
        );
    }
}
