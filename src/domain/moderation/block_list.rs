//! The lists of a site with what it refuses: words, domains and ranges of addresses, one on each line.

use std::{
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    str::FromStr,
};

use url::Url;

use crate::domain::{MutedText, TokenKind, tokens};

/// A list as its owner typed it, one entry on each line, without repeated and empty lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlockList<T>(Vec<T>);

/// The largest number of entries of a list.
pub const MAX_BLOCKED: usize = 200;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BlockListError {
    #[error("At most {max} lines; these are {is}.")]
    TooMany { max: usize, is: usize },
    #[error("Line {number}: {error}")]
    Line { number: usize, error: String },
}

/// An entry of a list.
pub trait BlockEntry: PartialEq + Sized {
    /// Parses a line without blanks around it. Returns the error in words.
    fn parse(line: &str) -> Result<Self, String>;

    /// Returns the line that is stored and shown in the form.
    fn line(&self) -> String;
}

impl BlockEntry for MutedText {
    fn parse(line: &str) -> Result<Self, String> {
        Self::parse(line).map_err(|error| error.to_string())
    }

    fn line(&self) -> String {
        self.as_str().to_owned()
    }
}

impl<T> Default for BlockList<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: BlockEntry> BlockList<T> {
    pub fn parse(text: &str) -> Result<Self, BlockListError> {
        let mut entries: Vec<T> = Vec::new();
        for (at, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() {
                continue;
            }
            let number = at + 1;
            let entry = T::parse(line);
            let entry = entry.map_err(|error| BlockListError::Line { number, error })?;
            if !entries.contains(&entry) {
                entries.push(entry);
            }
        }
        match entries.len() {
            is if is > MAX_BLOCKED => Err(BlockListError::TooMany {
                max: MAX_BLOCKED,
                is,
            }),
            _ => Ok(Self(entries)),
        }
    }

    /// Returns the list as it is stored, and as the form has it.
    pub fn lines(&self) -> String {
        let lines: Vec<String> = self.0.iter().map(T::line).collect();
        lines.join("\n")
    }

    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.0.iter()
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// A domain with all its subdomains, as in DNS: lower-case ASCII, other letters in Punycode.
#[derive(Debug, Clone, PartialEq, Eq, derive_more::Display)]
pub struct BlockedDomain(String);

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("Enter a domain such as example.com.")]
pub struct DomainError;

impl BlockedDomain {
    /// The longest name of the domain name system.
    const MAX_BYTES: usize = 253;

    /// Returns whether a host, as browsers read it, is the domain or below it.
    pub fn includes(&self, host: &str) -> bool {
        let above = host.strip_suffix(self.0.as_str());
        above.is_some_and(|above| above.is_empty() || above.ends_with('.'))
    }
}

impl FromStr for BlockedDomain {
    type Err = DomainError;

    fn from_str(text: &str) -> Result<Self, DomainError> {
        let name = text.trim_matches('.');
        let is_label = |label: &str| {
            let mut letters = label.chars();
            !label.is_empty() && letters.all(|letter| letter.is_alphanumeric() || letter == '-')
        };
        let is_domain = name.contains('.') && name.split('.').all(is_label);
        let host = host_of(&format!("https://{name}"));
        let host = host.filter(|host| is_domain && host.len() <= Self::MAX_BYTES);
        host.map(Self).ok_or(DomainError)
    }
}

impl BlockEntry for BlockedDomain {
    fn parse(line: &str) -> Result<Self, String> {
        line.parse().map_err(|error: DomainError| error.to_string())
    }

    fn line(&self) -> String {
        self.0.clone()
    }
}

/// Returns the hosts of the links of a text, as browsers read them.
pub(super) fn hosts_of(text: &str) -> Vec<String> {
    let links = tokens(text).filter(|token| token.kind == TokenKind::Url);
    links.filter_map(|token| host_of(token.text)).collect()
}

/// Returns the host of a link as browsers read it. Browsers map some letters to the same ASCII letter.
fn host_of(link: &str) -> Option<String> {
    let url = Url::parse(link).ok()?;
    let host = url.host_str()?.trim_end_matches('.');
    Some(host.to_owned())
}

/// A range of addresses: all that begin with the same bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AddressRange {
    first: IpAddr,
    bits: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum AddressRangeError {
    #[error("Enter an address such as 198.51.100.7, or a range such as 198.51.100.0/24.")]
    Form,
    #[error("This range has too many addresses: at least /{least} is needed.")]
    TooWide { least: u32 },
}

impl AddressRange {
    /// The widest ranges.
    const LEAST_BITS_V4: u32 = 8;
    const LEAST_BITS_V6: u32 = 16;

    /// Returns the number of bits of an address, and the smallest number of bits of a range.
    fn lengths(address: IpAddr) -> (u32, u32) {
        match address {
            IpAddr::V4(_) => (Ipv4Addr::BITS, Self::LEAST_BITS_V4),
            IpAddr::V6(_) => (Ipv6Addr::BITS, Self::LEAST_BITS_V6),
        }
    }

    /// Returns the first address of the range of this one.
    fn first_of(address: IpAddr, bits: u32) -> IpAddr {
        match address {
            IpAddr::V4(v4) => {
                let mask = u32::MAX.checked_shl(Ipv4Addr::BITS - bits).unwrap_or(0);
                Ipv4Addr::from(u32::from(v4) & mask).into()
            }
            IpAddr::V6(v6) => {
                let mask = u128::MAX.checked_shl(Ipv6Addr::BITS - bits).unwrap_or(0);
                Ipv6Addr::from(u128::from(v6) & mask).into()
            }
        }
    }

    pub fn contains(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        address.is_ipv4() == self.first.is_ipv4()
            && Self::first_of(address, self.bits) == self.first
    }
}

impl FromStr for AddressRange {
    type Err = AddressRangeError;

    fn from_str(text: &str) -> Result<Self, AddressRangeError> {
        let (address, bits) = match text.split_once('/') {
            Some((address, bits)) => (address, Some(bits)),
            None => (text, None),
        };
        let form = AddressRangeError::Form;
        let address: IpAddr = address.parse().map_err(|_| form)?;
        let (most, least) = Self::lengths(address);
        let bits = match bits {
            None => most,
            Some(bits) => bits.parse().map_err(|_| form)?,
        };
        if bits > most {
            return Err(form);
        }
        if bits < least {
            return Err(AddressRangeError::TooWide { least });
        }
        let first = Self::first_of(address, bits);
        Ok(Self { first, bits })
    }
}

impl BlockEntry for AddressRange {
    fn parse(line: &str) -> Result<Self, String> {
        line.parse()
            .map_err(|error: AddressRangeError| error.to_string())
    }

    fn line(&self) -> String {
        match Self::lengths(self.first).0 == self.bits {
            true => self.first.to_string(),
            false => format!("{}/{}", self.first, self.bits),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::block_list::*;

    #[test]
    fn a_list_has_each_line_once_and_names_the_line_with_an_error() {
        let list: BlockList<MutedText> =
            BlockList::parse("casino\n\n free  money \ncasino").expect("valid");
        assert_eq!(list.lines(), "casino\nfree money");
        let error =
            BlockList::<BlockedDomain>::parse("a.example\n\nhttps://b.example").unwrap_err();
        assert_eq!(
            error.to_string(),
            "Line 3: Enter a domain such as example.com."
        );
        let many: String = (0..=MAX_BLOCKED).map(|at| format!("word{at}\n")).collect();
        let error = BlockList::<MutedText>::parse(&many).unwrap_err();
        assert_eq!(error.to_string(), "At most 200 lines; these are 201.");
    }

    #[test]
    fn a_range_contains_the_addresses_with_its_first_bits() {
        for (range, inside, outside) in [
            ("198.51.100.7", "198.51.100.7", "198.51.100.8"),
            ("198.51.100.77/24", "198.51.100.0", "198.51.101.0"),
            ("198.51.100.0/24", "::ffff:198.51.100.9", "::198.51.100.9"),
            ("2001:db8::/32", "2001:db8:1::1", "2001:db9::1"),
            ("2001:db8::1", "2001:db8::1", "2001:db8::2"),
        ] {
            let parsed: AddressRange = range.parse().expect("valid");
            assert!(parsed.contains(inside.parse().unwrap()), "{range}");
            assert!(!parsed.contains(outside.parse().unwrap()), "{range}");
        }
        let line = |text: &str| text.parse::<AddressRange>().expect("valid").line();
        assert_eq!(line("198.51.100.77/24"), "198.51.100.0/24");
        assert_eq!(line("198.51.100.7/32"), "198.51.100.7");
        for wrong in [
            "",
            "a",
            "198.51.100.0/33",
            "198.51.100/24",
            "1.2.3.4/x",
            "1.2.3.4/7",
            "::/0",
        ] {
            assert!(wrong.parse::<AddressRange>().is_err(), "{wrong}");
        }
    }
}
