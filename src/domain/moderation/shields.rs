//! The shields of a site against spam, as its owner sets them.

/// The settings of the shields.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Shields {
    /// Posts of new accounts with links wait for a moderator.
    pub holds_links: bool,
}
