//! The shields of a site against spam, as its owner sets them.

use std::net::IpAddr;

use super::block_list::{AddressRange, BlockList, BlockedDomain, hosts_of};
use crate::domain::{ComparedText, MutedText};

pub type BlockedWords = BlockList<MutedText>;
pub type BlockedDomains = BlockList<BlockedDomain>;
pub type BlockedAddresses = BlockList<AddressRange>;

/// The settings of the shields.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shields {
    /// Posts of new accounts with links wait for a moderator.
    pub holds_links: bool,
    /// The site reports copies of one text, mass mentions and bursts of sign-ups.
    pub reports_spam: bool,
    /// Posts with these words, phrases or tags are refused.
    pub words: BlockedWords,
    /// Posts with links to these domains are refused.
    pub domains: BlockedDomains,
    /// No one signs up from these addresses.
    pub addresses: BlockedAddresses,
}

impl Default for Shields {
    fn default() -> Self {
        Self {
            holds_links: false,
            reports_spam: true,
            words: BlockList::default(),
            domains: BlockList::default(),
            addresses: BlockList::default(),
        }
    }
}

/// The part of a text because of which a site refuses it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BlockedContent {
    Text(String),
    Domain(String),
}

impl Shields {
    /// Returns the part because of which these texts of a post are refused.
    pub fn blocked_content(&self, texts: &[&str]) -> Option<BlockedContent> {
        if !self.domains.is_empty() {
            let hosts = texts.iter().flat_map(|text| hosts_of(text));
            for host in hosts {
                if let Some(domain) = self.domains.iter().find(|one| one.includes(&host)) {
                    return Some(BlockedContent::Domain(domain.to_string()));
                }
            }
        }
        if self.words.is_empty() {
            return None;
        }
        let compared = ComparedText::of(texts.iter().copied());
        let mut words = self.words.iter();
        let found = words.find(|word| compared.has(word.pattern()))?;
        Some(BlockedContent::Text(found.as_str().to_owned()))
    }

    /// Returns whether no one can sign up from an address.
    pub fn blocks_address(&self, address: IpAddr) -> bool {
        self.addresses.iter().any(|range| range.contains(address))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{block_list::*, shields::*};

    fn shields(words: &str, domains: &str) -> Shields {
        Shields {
            words: BlockList::parse(words).expect("valid"),
            domains: BlockList::parse(domains).expect("valid"),
            ..Shields::default()
        }
    }

    #[test]
    fn a_blocked_word_is_found_as_a_whole_in_any_text_of_a_post() {
        let shields = shields("casino\n#win\nfree money", "");
        let blocked = |texts: &[&str]| match shields.blocked_content(texts)? {
            BlockedContent::Text(text) => Some(text),
            BlockedContent::Domain(_) => None,
        };
        assert_eq!(blocked(&["My CASINO!"]).as_deref(), Some("casino"));
        assert_eq!(
            blocked(&["hello", "a free  money b"]).as_deref(),
            Some("free money")
        );
        assert_eq!(blocked(&["#Win"]).as_deref(), Some("#win"));
        assert_eq!(blocked(&["casinos win money free"]), None);
    }

    #[test]
    fn a_blocked_domain_is_found_with_its_subdomains_in_links_only() {
        let shields = shields("", "spam.example");
        for (text, is_blocked) in [
            ("see https://spam.example", true),
            ("see http://Www.SPAM.example:8080/path?q#f", true),
            ("see https://spam.example.org", false),
            ("see https://notspam.example", false),
            ("see https://good.example/?u=spam.example", false),
            ("the name spam.example alone", false),
        ] {
            let found = shields.blocked_content(&[text]);
            assert_eq!(found.is_some(), is_blocked, "{text}");
        }
    }
}
