//! Headers of every response: what a browser may load, send and cache.

use actix_web::http::header::{self, HeaderMap, HeaderName, HeaderValue};

use crate::web::Site;

/// Our scripts send the buttons under statuses, open the event stream and fetch new posts.
/// `connect-src` also lets Chromium's Lighthouse read robots.txt.
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; \
     connect-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'";

const ALWAYS: [(&str, &str); 6] = [
    ("content-security-policy", CONTENT_SECURITY_POLICY),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "same-origin"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    (
        "permissions-policy",
        "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
    ),
];

/// Bytes of the names and values of a request's headers. Browsers and proxies send less. Every route takes time for each
/// of them.
const MAX_REQUEST_BYTES: usize = 32 * 1024;

/// Returns whether the headers of a request are longer than any that a browser sends.
pub(super) fn are_too_long(headers: &HeaderMap) -> bool {
    let bytes = headers
        .iter()
        .map(|(name, value)| name.as_str().len() + value.len());
    bytes.sum::<usize>() > MAX_REQUEST_BYTES
}

/// Two years. Subdomains decide for themselves.
const STRICT_TRANSPORT_SECURITY: &str = "max-age=63072000";

/// Who may cache a response that does not say so itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CachePolicy {
    /// One person's page, or a form with its token: no cache.
    NoStore,
    /// The same for all visitors, but revalidated each time.
    Revalidate,
}

pub fn guard(headers: &mut HeaderMap, site: &Site, request_id: &str, cache_policy: CachePolicy) {
    for (name, value) in ALWAYS {
        headers.insert(
            HeaderName::from_static(name),
            HeaderValue::from_static(value),
        );
    }
    if site.cookies.secure {
        headers.insert(
            header::STRICT_TRANSPORT_SECURITY,
            HeaderValue::from_static(STRICT_TRANSPORT_SECURITY),
        );
    }
    if let Ok(id) = HeaderValue::from_str(request_id) {
        headers.insert(HeaderName::from_static("x-request-id"), id);
    }
    if !headers.contains_key(header::CACHE_CONTROL) {
        let directive = match cache_policy {
            CachePolicy::NoStore => "private, no-store",
            CachePolicy::Revalidate => "no-cache",
        };
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(directive));
        headers.append(
            header::VARY,
            HeaderValue::from_static("Cookie, Accept-Encoding"),
        );
    }
}
