//! One request as a browser sends it. A test can change or remove each header.

use reqwest::{
    Client, Method,
    header::{HeaderMap, HeaderName, HeaderValue},
};

use super::{Form, Page, person::Person};

pub struct Request<'a> {
    person: &'a Person,
    method: Method,
    path: String,
    headers: HeaderMap,
    body: Vec<u8>,
}

impl<'a> Request<'a> {
    /// Returns a request that follows a link on the site.
    pub fn get(person: &'a Person, path: &str) -> Self {
        Self::new(person, Method::GET, path)
    }

    /// Returns a request that sends a form from the site.
    pub fn submit(person: &'a Person, form: &Form) -> Self {
        assert_eq!(
            form.method, "post",
            "the form for {} is sent by POST",
            form.action
        );
        Self::new(person, Method::POST, &form.action)
            .header("origin", person.origin())
            .header("content-type", "application/x-www-form-urlencoded")
            .body(encode(&form.fields))
    }

    /// Returns a request of any method, with the headers of a form sent from the site.
    pub fn new(person: &'a Person, method: Method, path: &str) -> Self {
        let request = Self {
            person,
            method,
            path: path.to_owned(),
            headers: HeaderMap::new(),
            body: Vec::new(),
        };
        request
            .header("accept", "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8")
            .header(
                "user-agent",
                "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
            )
            .header("sec-fetch-site", "same-origin")
            .header("sec-fetch-mode", "navigate")
            .header("sec-fetch-dest", "document")
            .header("sec-fetch-user", "?1")
    }

    pub fn header(self, name: &str, value: &str) -> Self {
        self.header_of_bytes(name, value.as_bytes())
    }

    /// Sets a header that may be no text.
    pub fn header_of_bytes(mut self, name: &str, value: &[u8]) -> Self {
        let name: HeaderName = name.parse().expect("a header's name");
        let value = HeaderValue::from_bytes(value).expect("a header's value");
        self.headers.insert(name, value);
        self
    }

    pub fn without(mut self, name: &str) -> Self {
        self.headers.remove(name);
        self
    }

    pub fn body(mut self, body: impl Into<Vec<u8>>) -> Self {
        self.body = body.into();
        self
    }

    /// Sends the request with the person's cookies, and stores the cookies of the response.
    /// Redirects are not followed.
    pub async fn send(self) -> Page {
        self.try_send().await.expect("the site answers")
    }

    /// Sends the request and returns the bytes of an accepted answer.
    pub async fn send_bytes(self) -> Vec<u8> {
        let mut builder = self
            .person
            .client()
            .request(self.method, self.person.address(&self.path))
            .headers(self.headers);
        if let Some(cookies) = self.person.cookies.header() {
            builder = builder.header("cookie", cookies);
        }
        let answer = builder.body(self.body).send().await;
        let answer = answer.expect("the site answers");
        assert!(answer.status().is_success(), "{}", answer.status());
        answer.bytes().await.expect("a whole answer").to_vec()
    }

    /// Sends the request to a site that may be down, or stop during its response.
    pub async fn try_send(self) -> reqwest::Result<Page> {
        let mut builder = self
            .person
            .client()
            .request(self.method, self.person.address(&self.path))
            .headers(self.headers);
        if let Some(cookies) = self.person.cookies.header() {
            builder = builder.header("cookie", cookies);
        }
        let answer = builder.body(self.body).send().await?;
        self.person.cookies.take_from(answer.headers());
        Page::try_read(self.path, answer).await
    }
}

/// Encodes names and values as a browser does: line ends become CRLF.
pub fn encode(fields: &[(String, String)]) -> String {
    let fields = fields
        .iter()
        .map(|(name, value)| (name, value.replace("\r\n", "\n").replace('\n', "\r\n")));
    serde_urlencoded::to_string(fields.collect::<Vec<_>>()).expect("pairs of text always encode")
}

/// Returns a client that follows no redirect, stores no cookies and uses no proxy. It trusts no
/// certificate: the servers here speak plain HTTP, and loading the system's certificates takes
/// time.
pub fn client() -> Client {
    // Fails if another test of this process has already installed it.
    let _ = rustls::crypto::ring::default_provider().install_default();
    Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .no_proxy()
        .tls_certs_only([])
        .build()
        .expect("a plain HTTP client can be built")
}
