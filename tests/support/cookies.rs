//! A cookie jar with access to everything. Tests read each attribute, copy cookies to another
//! browser, and send Secure cookies over the plain connection that a proxy would use.

use std::sync::Mutex;

use reqwest::header::{HeaderMap, SET_COOKIE};

#[derive(Default)]
pub struct Cookies(Mutex<Vec<(String, String)>>);

impl Cookies {
    /// Returns the `Cookie` header of the next request.
    pub fn header(&self) -> Option<String> {
        let pairs: Vec<String> = self
            .all()
            .into_iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        (!pairs.is_empty()).then(|| pairs.join("; "))
    }

    pub fn all(&self) -> Vec<(String, String)> {
        self.0.lock().expect("no lock holder panics").clone()
    }

    /// Replaces the content of the jar.
    pub fn replace(&self, cookies: Vec<(String, String)>) {
        *self.0.lock().expect("no lock holder panics") = cookies;
    }

    /// Returns the value of the session cookie. All other cookie names have a suffix after
    /// "redwing".
    pub fn session(&self) -> Option<String> {
        self.all()
            .into_iter()
            .find(|(name, _)| name.ends_with("redwing"))
            .map(|(_, value)| value)
    }

    pub fn take_from(&self, headers: &HeaderMap) {
        let mut jar = self.0.lock().expect("no lock holder panics");
        for cookie in set_cookies(headers) {
            jar.retain(|(name, _)| *name != cookie.name);
            if !cookie.removes() {
                jar.push((cookie.name, cookie.value));
            }
        }
    }
}

/// One `Set-Cookie` header.
#[derive(Debug)]
pub struct SetCookie {
    pub name: String,
    pub value: String,
    /// Lower-case names of the attributes, with their values.
    pub attributes: Vec<(String, String)>,
}

impl SetCookie {
    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes
            .iter()
            .find(|(attribute, _)| attribute == name)
            .map(|(_, value)| value.as_str())
    }

    fn removes(&self) -> bool {
        self.attribute("max-age")
            .is_some_and(|age| age.parse::<i64>().is_ok_and(|age| age <= 0))
            || self.value.is_empty()
    }
}

pub fn set_cookies(headers: &HeaderMap) -> Vec<SetCookie> {
    headers
        .get_all(SET_COOKIE)
        .iter()
        .map(|value| parse(value.to_str().expect("cookies are ASCII")))
        .collect()
}

fn parse(text: &str) -> SetCookie {
    let pair = |part: &str| {
        let (name, value) = part.split_once('=').unwrap_or((part, ""));
        (name.trim().to_owned(), value.trim().to_owned())
    };
    let mut parts = text.split(';');
    let (name, value) = pair(parts.next().unwrap_or_default());
    let attributes = parts
        .map(pair)
        .map(|(name, value)| (name.to_lowercase(), value))
        .collect();
    SetCookie {
        name,
        value,
        attributes,
    }
}
