//! Checks that a form was sent from one of our own pages: by the browser's headers, and by a token
//! bound to a seed. The seed is in the session, or in a cookie if there is no session. The token of a session also names
//! its member, so the typed text of a form still has an owner when the session has ended. A form that is given back after
//! that keeps this owner in its new token.

use subtle::ConstantTimeEq;

use super::keys;
use crate::domain::{UserId, hex};

const SALT_DIGITS: usize = 16;
const SIGNATURE_DIGITS: usize = 64;

/// Why a form is not trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Forgery {
    #[error("a form that another site sent")]
    Foreign,
    #[error("a form of another session or without its token")]
    Stale,
    /// Its token names another account than the one that is logged in.
    #[error("a form that another account opened")]
    OfOtherAccount,
}

pub(super) fn draw_seed() -> String {
    format!("{:032x}", rand::random::<u128>())
}

/// Returns a token for a form. Each page has a different one, so that compression reveals nothing
/// about it. Each is valid as long as its seed. It ends with the id of the member who opened the form, if there is one.
pub(super) fn token(key: &[u8; 32], seed: &str, member: Option<UserId>) -> String {
    let salt = format!("{:016x}", rand::random::<u64>());
    let member = member.map_or_else(String::new, |member| member.to_string());
    let signature = sign(key, &salt, (seed, &member));
    format!("{salt}{signature}{member}")
}

/// Returns whether the token was made for this seed, in constant time.
pub fn matches(key: &[u8; 32], seed: &str, token: &str) -> bool {
    let Some((salt, signature, member)) = split(token) else {
        return false;
    };
    sign(key, salt, (seed, member))
        .as_bytes()
        .ct_eq(signature.as_bytes())
        .into()
}

/// Returns the member that a token names. It is not verified, because the seed of an ended session is unknown. A sender
/// who changes it has the text of the form already.
pub(super) fn named_member(token: &str) -> Option<UserId> {
    let (_, _, member) = split(token)?;
    member.parse().ok()
}

/// Returns the salt, the signature and the member of a token.
fn split(token: &str) -> Option<(&str, &str, &str)> {
    let (salt, rest) = token.split_at_checked(SALT_DIGITS)?;
    let (signature, member) = rest.split_at_checked(SIGNATURE_DIGITS)?;
    Some((salt, signature, member))
}

/// Signs a salt with a seed and, if there is one, with the member. A seed has no dot.
fn sign(key: &[u8; 32], salt: &str, (seed, member): (&str, &str)) -> String {
    let mut parts = vec![salt.as_bytes(), b".".as_slice(), seed.as_bytes()];
    if !member.is_empty() {
        parts.extend([b".".as_slice(), member.as_bytes()]);
    }
    hex(&keys::mac(key, &parts))
}

/// Returns whether the browser says that one of our pages sent the form. Browsers too old to send
/// these headers are accepted; the token decides.
pub(super) fn same_origin(fetch_site: Option<&str>, origin: Option<&str>, ours: &str) -> bool {
    match (fetch_site, origin) {
        (Some(site), _) => matches!(site, "same-origin" | "none"),
        (None, Some(origin)) => origin == ours,
        (None, None) => true,
    }
}

#[cfg(test)]
mod tests {
    use super::super::csrf::*;

    const KEY: [u8; 32] = [7; 32];

    #[test]
    fn a_token_is_valid_only_for_its_own_seed() {
        for member in [None, UserId::new(7).ok()] {
            let token = token(&KEY, "seed", member);
            assert!(matches(&KEY, "seed", &token));
            assert!(!matches(&KEY, "other", &token));
            assert!(!matches(&[8; 32], "seed", &token));
        }
    }

    #[test]
    fn a_token_names_its_member_and_no_other() {
        let seven = UserId::new(7).ok();
        let with = token(&KEY, "seed", seven);
        assert_eq!(named_member(&with), seven);
        assert!(!matches(&KEY, "seed", &format!("{with}1")));
        assert!(!matches(
            &KEY,
            "seed",
            &with[..SALT_DIGITS + SIGNATURE_DIGITS]
        ));
        let without = token(&KEY, "seed", None);
        assert_eq!(named_member(&without), None);
        assert_eq!(named_member("7"), None);
        assert!(!matches(&KEY, "seed", &format!("{without}7")));
    }

    #[test]
    fn a_malformed_token_is_refused() {
        let token = token(&KEY, "seed", None);
        for broken in [
            "",
            "short",
            &token[1..],
            &format!("{token}0"),
            "äöüäöüäöüäöüäöüäöü",
        ] {
            assert!(!matches(&KEY, "seed", broken), "{broken}");
        }
    }

    #[test]
    fn every_token_is_masked_differently() {
        let draw = || token(&KEY, "seed", None);
        assert_ne!(draw(), draw());
    }

    #[test]
    fn the_origin_check_uses_the_headers_of_the_browser() {
        let ours = "https://red.example";
        assert!(same_origin(Some("same-origin"), Some("null"), ours));
        assert!(same_origin(None, Some(ours), ours));
        assert!(same_origin(None, None, ours));
        assert!(!same_origin(Some("cross-site"), Some(ours), ours));
        assert!(!same_origin(Some("same-site"), None, ours));
        assert!(!same_origin(None, Some("https://evil.example"), ours));
        assert!(!same_origin(None, Some("null"), ours));
    }
}
