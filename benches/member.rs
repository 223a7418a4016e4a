//! A person with a session. Requests are prepared as bytes.

use std::{fmt::Write, net::SocketAddr};

use scraper::{Html, Selector};

use super::{http::HttpConnection, redis::Outcome};

/// Password of all people.
pub const PASSWORD: &str = "a bench has a long password";

/// Headers that a browser sends with a form of the site itself.
const FROM_HERE: &str = "Origin: http://127.0.0.1:8080\r\nSec-Fetch-Site: same-origin\r\n";

/// Logged-in person.
#[derive(Clone)]
pub struct Member {
    pub uid: u64,
    /// Name and value of the session cookie.
    pub cookie: String,
    /// Token that signs the person's forms.
    token: String,
}

/// Log-in form as a visitor received it. It can be sent any number of times.
pub struct LogInForm {
    cookie: String,
    token: String,
}

impl LogInForm {
    pub fn get(connection: &mut HttpConnection) -> Outcome<Self> {
        connection.expect(200, &get("/login", ""))?;
        Ok(Self {
            cookie: cookie(connection).ok_or("the log-in page sets no cookie")?,
            token: token(connection)?,
        })
    }

    /// Returns the request that logs a person in.
    pub fn sent_by(&self, login: &str) -> Vec<u8> {
        let fields = [
            ("login", login),
            ("password", PASSWORD),
            ("csrf_token", &self.token),
        ];
        post("/login", &self.cookie, &fields)
    }
}

impl Member {
    /// Logs in through the form without opening a page. Returns the session cookie.
    pub fn begin(connection: &mut HttpConnection, form: &LogInForm, uid: u64) -> Outcome<String> {
        connection.expect(303, &form.sent_by(&format!("p{uid}")))?;
        cookie(connection).ok_or_else(|| "logging in sets no cookie".into())
    }

    /// Logs in and opens home.
    pub fn log_in(connection: &mut HttpConnection, form: &LogInForm, uid: u64) -> Outcome<Self> {
        let cookie = Self::begin(connection, form, uid)?;
        connection.expect(200, &get("/", &cookie))?;
        let token = token(connection)?;
        Ok(Self { uid, cookie, token })
    }

    /// Logs in all of these people, one after the other.
    pub fn all(at: SocketAddr, uids: impl Iterator<Item = u64>) -> Outcome<Vec<Self>> {
        let mut connection = HttpConnection::open(at)?;
        let form = LogInForm::get(&mut connection)?;
        uids.map(|uid| Self::log_in(&mut connection, &form, uid))
            .collect()
    }

    /// Returns the request that sends a filled-in form of this person.
    pub fn send(&self, path: &str, fields: &[(&str, &str)]) -> Vec<u8> {
        let signed: Vec<_> = [("csrf_token", self.token.as_str())]
            .into_iter()
            .chain(fields.iter().copied())
            .collect();
        post(path, &self.cookie, &signed)
    }

    /// Returns a request that posts a new, unique status.
    pub fn post(&self) -> Vec<u8> {
        self.post_with(&[])
    }

    /// Returns such a request with further fields.
    pub fn post_with(&self, fields: &[(&str, &str)]) -> Vec<u8> {
        let idempotency_key = format!("{:032x}", rand::random::<u128>());
        let message = format!(
            "{} {}",
            "What a bench has to say is not much, but it is long enough. ".repeat(2),
            &idempotency_key[..10]
        );
        let own = [
            ("message", message.as_str()),
            ("idempotency_key", &idempotency_key),
        ];
        self.send("/statuses", &[&own, fields].concat())
    }
}

/// Returns a request for a page, with a cookie unless it is empty.
pub fn get(path: &str, cookie: &str) -> Vec<u8> {
    let cookie = header(cookie);
    format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1:8080\r\n{cookie}\r\n").into_bytes()
}

fn post(path: &str, cookie: &str, fields: &[(&str, &str)]) -> Vec<u8> {
    let body = serde_urlencoded::to_string(fields).expect("pairs of text always encode");
    let cookie = header(cookie);
    let mut request =
        format!("POST {path} HTTP/1.1\r\nHost: 127.0.0.1:8080\r\n{cookie}{FROM_HERE}");
    write!(
        request,
        "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .expect("text can always be written to");
    request.into_bytes()
}

fn header(cookie: &str) -> String {
    if cookie.is_empty() {
        String::new()
    } else {
        format!("Cookie: {cookie}\r\n")
    }
}

/// Returns the session cookie set by the last response, or else the form cookie.
fn cookie(connection: &HttpConnection) -> Option<String> {
    let set = || {
        connection
            .headers("set-cookie")
            .filter_map(|cookie| cookie.split(';').next())
    };
    let session = set().find(|cookie| cookie.starts_with("redwing="));
    let form = set().find(|cookie| cookie.starts_with("redwing-form="));
    session.or(form).map(str::to_owned)
}

fn token(connection: &HttpConnection) -> Outcome<String> {
    let field = Selector::parse("input[name=csrf_token]").expect("a selector");
    let page = Html::parse_document(&connection.text());
    let value = page.select(&field).find_map(|field| field.attr("value"));
    Ok(value.ok_or("the page has no form")?.to_owned())
}
