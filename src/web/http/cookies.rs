//! The site's cookies and their protection: name prefix and `Secure`, except on plain http to this
//! machine.

use std::io;

use actix_web::{
    HttpRequest,
    cookie::{Cookie, CookieBuilder, SameSite, time::Duration},
    http::header::{COOKIE, HeaderMap, HeaderValue},
};
use url::{Host, Url};

use crate::web::{
    parts::{notice::PlacedNotice, theme::Theme},
    routes,
};

/// How long a notice waits for the next page, in seconds.
const NOTICE_S: i64 = 60;
/// How long a device stays known after a log-in and keeps its theme, in days: as long as browsers store a cookie.
const DEVICE_DAYS: i64 = 400;
/// How long the mark of an answer stays, in hours: as long as Redis keeps idempotency keys.
const CONFIRMATION_HOURS: i64 = 12;

/// Names and attributes of cookies, by the scheme of the public URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CookiePolicy {
    pub secure: bool,
}

impl CookiePolicy {
    /// Fails if the public URL is neither https nor plain http on a loopback host: passwords and sessions
    /// would be sent unencrypted.
    pub fn of(public_url: &Url) -> io::Result<Self> {
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
        self.name("__Host-redwing", "redwing")
    }

    /// The cookie with the form token's seed, for visitors without a session.
    pub(super) fn form_name(self) -> &'static str {
        self.name("__Host-redwing-form", "redwing-form")
    }

    /// The cookie with the notice for the next page.
    pub(super) fn notice_name(self) -> &'static str {
        self.name("__Host-redwing-notice", "redwing-notice")
    }

    /// The cookie of a device that a person has logged in on. It is sent to the log-in only, and a
    /// `__Host-` cookie would be sent with every request.
    pub(super) fn device_name(self) -> &'static str {
        self.name("__Secure-redwing-device", "redwing-device")
    }

    /// The cookie that marks the last answer to a form.
    pub(super) fn confirmation_name(self) -> &'static str {
        self.name("__Host-redwing-confirmation", "redwing-confirmation")
    }

    /// The cookie with the theme that a reader chose for a browser.
    fn theme_name(self) -> &'static str {
        self.name("__Host-redwing-theme", "redwing-theme")
    }

    fn name(self, secure: &'static str, plain: &'static str) -> &'static str {
        if self.secure { secure } else { plain }
    }

    /// Creates a cookie that lives until the browser is closed.
    pub(super) fn form_cookie(self, seed: String) -> Cookie<'static> {
        self.guarded(self.form_name(), seed).finish()
    }

    /// Creates the cookie of a notice; without a notice, removes it.
    pub(super) fn notice_cookie(self, notice: Option<&PlacedNotice>) -> Cookie<'static> {
        let seconds = notice.map_or(0, |_| NOTICE_S);
        let name = notice.map_or_else(String::new, PlacedNotice::to_cookie);
        self.guarded(self.notice_name(), name)
            .max_age(Duration::seconds(seconds))
            .finish()
    }

    pub(super) fn device_cookie(self, device: String) -> Cookie<'static> {
        self.guarded(self.device_name(), device)
            .path(routes::LOG_IN)
            .max_age(Duration::days(DEVICE_DAYS))
            .finish()
    }

    pub(super) fn confirmation_cookie(self, mark: String) -> Cookie<'static> {
        self.guarded(self.confirmation_name(), mark)
            .max_age(Duration::hours(CONFIRMATION_HOURS))
            .finish()
    }

    pub(super) fn theme(self, request: &HttpRequest) -> Theme {
        let cookie = request.cookie(self.theme_name());
        cookie.map_or_else(Theme::default, |cookie| Theme::from_cookie(cookie.value()))
    }

    /// Creates the cookie of a theme; for the theme of the device, removes it.
    pub fn theme_cookie(self, theme: Theme) -> Cookie<'static> {
        let days = match theme {
            Theme::Auto => 0,
            Theme::Light | Theme::Dark => DEVICE_DAYS,
        };
        self.guarded(self.theme_name(), theme.as_str().to_owned())
            .max_age(Duration::days(days))
            .finish()
    }

    /// Removes the cookies of other sites on the same domain from a request. The library reads no cookie at all
    /// if one has a byte beyond ASCII, and any page of the parent domain can set such a cookie.
    pub(super) fn keep_own(self, headers: &mut HeaderMap) {
        let own = [
            self.session_name(),
            self.form_name(),
            self.notice_name(),
            self.device_name(),
            self.confirmation_name(),
            self.theme_name(),
        ];
        let kept: Vec<&str> = headers
            .get_all(COOKIE)
            .flat_map(|header| header.as_bytes().split(|byte| *byte == b';'))
            .filter_map(|pair| str::from_utf8(pair).ok().map(str::trim))
            .filter(|pair| pair.is_ascii())
            .filter(|pair| {
                pair.split_once('=')
                    .is_some_and(|(name, _)| own.contains(&name))
            })
            .collect();
        let kept = HeaderValue::from_str(&kept.join("; "));
        headers.remove(COOKIE);
        if let Ok(kept) = kept
            && !kept.is_empty()
        {
            headers.insert(COOKIE, kept);
        }
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
