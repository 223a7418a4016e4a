//! Checks that a form was sent from one of our own pages: by the browser's headers, and by a token
//! bound to a seed. The seed is in the session, or in a cookie if there is no session.

use subtle::ConstantTimeEq;

use super::keys;
use crate::domain::hex;

/// Why a form is not trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Forgery {
    #[error("a form that another site sent")]
    Foreign,
    #[error("a form of another session or without its token")]
    Stale,
}

pub(super) fn draw_seed() -> String {
    format!("{:032x}", rand::random::<u128>())
}

/// Returns a token for a form. Each page has a different one, so that compression reveals nothing
/// about it. Each is valid as long as its seed.
pub(super) fn token(key: &[u8; 32], seed: &str) -> String {
    let salt = format!("{:016x}", rand::random::<u64>());
    let signature = sign(key, &salt, seed);
    format!("{salt}{signature}")
}

/// Returns whether the token was made for this seed, in constant time.
pub fn matches(key: &[u8; 32], seed: &str, token: &str) -> bool {
    let Some((salt, signature)) = token.split_at_checked(16) else {
        return false;
    };
    sign(key, salt, seed)
        .as_bytes()
        .ct_eq(signature.as_bytes())
        .into()
}

fn sign(key: &[u8; 32], salt: &str, seed: &str) -> String {
    hex(&keys::mac(key, &[salt.as_bytes(), b".", seed.as_bytes()]))
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
        let token = token(&KEY, "seed");
        assert!(matches(&KEY, "seed", &token));
        assert!(!matches(&KEY, "other", &token));
        assert!(!matches(&[8; 32], "seed", &token));
    }

    #[test]
    fn a_malformed_token_is_refused() {
        let token = token(&KEY, "seed");
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
        assert_ne!(token(&KEY, "seed"), token(&KEY, "seed"));
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
