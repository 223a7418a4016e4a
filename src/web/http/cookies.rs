//! The site's cookies and their protection: name prefix and `Secure`, except on plain http to this
//! machine.

use std::io;

use actix_web::cookie::{Cookie, CookieBuilder, SameSite, time::Duration};
use url::{Host, Url};

use crate::web::parts::notice::Notice;

/// How long a notice waits for the next page, in seconds.
const NOTICE_S: i64 = 60;

/// Names and attributes of cookies, by the scheme of the public URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::web) struct CookiePolicy {
    pub secure: bool,
}

impl CookiePolicy {
    /// # Errors
    ///
    /// The public URL is neither https nor plain http on a loopback host: passwords and sessions
    /// would be sent unencrypted.
    pub(in crate::web) fn of(public_url: &Url) -> io::Result<Self> {
        match public_url.scheme() {
            "https" => Ok(Self { secure: true }),
            "http" if is_loopback(public_url) => Ok(Self { secure: false }),
            _ => Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                format!(
                    "the public URL {public_url} must begin with https:// (plain http:// only for this machine, such as http://127.0.0.1:8080)"
                ),
            )),
        }
    }

    /// The cookie of the encrypted session key.
    pub(super) fn session_name(self) -> &'static str {
        if self.secure {
            "__Host-redwing"
        } else {
            "redwing"
        }
    }

    /// The cookie with the form token's seed, for visitors without a session.
    pub(super) fn form_name(self) -> &'static str {
        if self.secure {
            "__Host-redwing-form"
        } else {
            "redwing-form"
        }
    }

    /// The cookie with the notice for the next page.
    pub(super) fn notice_name(self) -> &'static str {
        if self.secure {
            "__Host-redwing-notice"
        } else {
            "redwing-notice"
        }
    }

    /// Creates a cookie that lives until the browser is closed.
    pub(super) fn form_cookie(self, seed: String) -> Cookie<'static> {
        self.guarded(self.form_name(), seed).finish()
    }

    /// Creates the cookie of a notice; without a notice, removes it.
    pub(super) fn notice_cookie(self, notice: Option<&Notice>) -> Cookie<'static> {
        let seconds = notice.map_or(0, |_| NOTICE_S);
        let name = notice.map_or_else(String::new, Notice::to_cookie);
        self.guarded(self.notice_name(), name)
            .max_age(Duration::seconds(seconds))
            .finish()
    }

    fn guarded(self, name: &'static str, value: String) -> CookieBuilder<'static> {
        Cookie::build(name, value)
            .path("/")
            .secure(self.secure)
            .http_only(true)
            .same_site(SameSite::Lax)
    }
}

fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(domain)) => domain == "localhost" || domain.ends_with(".localhost"),
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::cookies::*;

    fn policy(url: &str) -> io::Result<CookiePolicy> {
        CookiePolicy::of(&url.parse().unwrap())
    }

    #[test]
    fn https_and_loopback_urls_are_accepted() {
        assert!(policy("https://red.example").unwrap().secure);
        for url in [
            "http://127.0.0.1:8080",
            "http://[::1]:80",
            "http://localhost",
        ] {
            assert!(!policy(url).unwrap().secure, "{url}");
        }
    }

    #[test]
    fn plain_http_beyond_loopback_is_refused() {
        for url in [
            "http://red.example",
            "http://192.168.0.2",
            "ftp://localhost",
        ] {
            assert!(policy(url).is_err(), "{url}");
        }
    }
}
