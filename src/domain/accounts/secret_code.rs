//! Random codes that people keep or that links contain: recovery codes, links that set a new password,
//! invitations.

use std::{fmt, str::FromStr};

use sha2::{Digest, Sha256};

use crate::domain::{ParseError, hex::hex, ids::UserId};

/// Digits of a code (base 32). No two of them look alike.
const DIGITS: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/// Bits of a digit.
const DIGIT_BITS: u32 = 5;
/// Digits that are written together.
const GROUP: usize = 4;

/// Recovery codes that a person gets at a time.
pub const RECOVERY_CODES: usize = 10;

/// A random code of 80 bits. Its `Debug` output hides it.
#[derive(Clone, PartialEq, Eq)]
pub struct SecretCode(String);

impl SecretCode {
    const LENGTH: usize = 16;

    pub fn draw() -> Self {
        Self::of(rand::random())
    }

    fn of(mut number: u128) -> Self {
        let mut code = String::with_capacity(Self::LENGTH);
        for _ in 0..Self::LENGTH {
            let digit = usize::try_from(number % 32).unwrap_or_default();
            code.extend(DIGITS.get(digit).map(|byte| char::from(*byte)));
            number >>= DIGIT_BITS;
        }
        Self(code)
    }

    /// Parses a code as people type it: in any case, with spaces and hyphens anywhere, and with letters that
    /// look like a digit.
    pub fn parse(text: &str) -> Option<Self> {
        let mut code = String::with_capacity(Self::LENGTH);
        for typed in text.chars().filter(|c| !c.is_whitespace() && *c != '-') {
            let digit = match typed.to_ascii_uppercase() {
                'O' => '0',
                'I' | 'L' => '1',
                digit => digit,
            };
            let is_digit = u8::try_from(digit).is_ok_and(|byte| DIGITS.contains(&byte));
            if !is_digit || code.len() == Self::LENGTH {
                return None;
            }
            code.push(digit);
        }
        (code.len() == Self::LENGTH).then_some(Self(code))
    }

    /// Returns the digest under which a recovery code of this person is stored. A fast hash is enough: the code is
    /// random, and 2^80 codes are too many to try. The person is part of it, so that one try cannot match the codes
    /// of all people.
    pub fn digest(&self, of: UserId) -> String {
        hex(&Sha256::digest(format!("recovery {of} {}", self.0)))
    }
}

impl FromStr for SecretCode {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        Self::parse(text).ok_or(ParseError)
    }
}

/// Writes it in groups of four digits.
impl fmt::Display for SecretCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, digit) in self.0.chars().enumerate() {
            if at > 0 && at.is_multiple_of(GROUP) {
                f.write_str("-")?;
            }
            write!(f, "{digit}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for SecretCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretCode(…)")
    }
}

/// The last segment of a link with a code: `<user id>-<code>`. The user gets a new password, or is
/// the inviter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SecretLink {
    pub user: UserId,
    pub code: SecretCode,
}

impl SecretLink {
    /// Time for which a link that sets a password is valid.
    pub const RESET_MS: u64 = 3_600_000;

    pub fn draw(user: UserId) -> Self {
        let code = SecretCode::draw();
        Self { user, code }
    }

    pub fn parse(text: &str) -> Option<Self> {
        let (user, code) = text.split_once('-')?;
        Some(Self {
            user: user.parse().ok()?,
            code: SecretCode::parse(code)?,
        })
    }

    pub fn digest(&self) -> String {
        self.code.digest(self.user)
    }
}

impl fmt::Display for SecretLink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.user, self.code)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::secret_code::*;

    fn user(id: u64) -> UserId {
        UserId::new(id).expect("in range")
    }

    #[test]
    fn a_code_is_written_in_groups_and_read_as_people_type_it() {
        let code = SecretCode::of(0x1234_5678_9abc_def0_1234);
        let written = code.to_string();
        assert_eq!(written.len(), 19, "{written}");
        let typed = [
            written.to_lowercase(),
            written.replace('-', ""),
            written.replace('-', " "),
            written.replace('0', "o").replace('1', "l"),
        ];
        for text in typed {
            assert_eq!(SecretCode::parse(&text), Some(code.clone()), "{text}");
        }
    }

    #[test]
    fn a_text_that_is_no_code_is_refused() {
        let code = "0123456789ABCDEF";
        assert!(SecretCode::parse(code).is_some());
        for text in [
            "",
            "0123456789ABCDE",
            "0123456789ABCDEF0",
            "0123456789ABCDEU",
            "é",
        ] {
            assert_eq!(SecretCode::parse(text), None, "{text}");
        }
    }

    #[test]
    fn the_digest_depends_on_code_and_person() {
        let (one, other) = (SecretCode::of(1), SecretCode::of(2));
        assert_eq!(one.digest(user(7)).len(), 64);
        assert_ne!(one.digest(user(7)), other.digest(user(7)));
        assert_ne!(one.digest(user(7)), one.digest(user(8)));
    }

    #[test]
    fn debug_output_hides_the_code() {
        let link = SecretLink::draw(user(7));
        assert!(!format!("{link:?}").contains(&link.code.0));
    }

    proptest! {
        #[test]
        fn every_code_and_link_is_read_back(number: u128, id in 1_u64..1_000_000) {
            let code = SecretCode::of(number);
            prop_assert_eq!(SecretCode::parse(&code.to_string()), Some(code.clone()));
            let link = SecretLink { user: user(id), code };
            prop_assert_eq!(SecretLink::parse(&link.to_string()), Some(link));
        }

        #[test]
        fn codes_differ_in_all_80_bits(number: u128, bit in 0_u32..80) {
            prop_assert_ne!(SecretCode::of(number), SecretCode::of(number ^ (1 << bit)));
        }
    }
}
