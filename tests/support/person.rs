//! A person with a browser: cookies of their own, links followed, forms filled in from the page.

use reqwest::{Client, StatusCode};

use super::{
    Form, Page, Site,
    cookies::Cookies,
    request::{Request, client},
};

/// Password of all people in the tests.
pub const PASSWORD: &str = "mountain-lake 42 Grüße";

pub struct Person {
    pub login: String,
    pub cookies: Cookies,
    client: Client,
    /// Target of requests: scheme, host and port of the server.
    base: String,
    /// Origin of the site in the browser's view: that of the public URL.
    origin: String,
}

impl Person {
    /// Returns a visitor without a session.
    pub fn visitor(site: &Site) -> Self {
        Self::at(client(), &site.base, &site.origin)
    }

    /// Returns a visitor without a session, at a server that may be another process.
    pub fn at(client: Client, base: &str, origin: &str) -> Self {
        Self {
            login: String::new(),
            cookies: Cookies::default(),
            client,
            base: base.to_owned(),
            origin: origin.to_owned(),
        }
    }

    /// Creates an account through the sign-up form, and is logged in.
    pub async fn sign_up(site: &Site, login: &str) -> Self {
        let mut person = Self::visitor(site);
        let answer = person.send_sign_up(login).await;
        assert_eq!(
            answer.status,
            StatusCode::SEE_OTHER,
            "{login} signs up:\n{}",
            answer.html
        );
        login.clone_into(&mut person.login);
        person
    }

    /// Sends the sign-up form and returns the response.
    pub async fn send_sign_up(&self, login: &str) -> Page {
        self.send_sign_up_as(login, &name_of(login)).await
    }

    /// Sends the sign-up form with this name and returns the response.
    pub async fn send_sign_up_as(&self, login: &str, name: &str) -> Page {
        let form = self.get("/signup").await.form("/signup");
        let form = form.set("login", login).set("name", name);
        self.submit(&form.set("password", PASSWORD)).await
    }

    /// Logs in to the same account in another browser.
    pub async fn log_in(site: &Site, login: &str) -> Self {
        let mut person = Self::visitor(site);
        let answer = person.send_log_in(login, PASSWORD).await;
        assert_eq!(
            answer.status,
            StatusCode::SEE_OTHER,
            "{login} logs in:\n{}",
            answer.html
        );
        login.clone_into(&mut person.login);
        person
    }

    /// Sends the log-in form and returns the response.
    pub async fn send_log_in(&self, login: &str, password: &str) -> Page {
        let form = self.get("/login").await.form("/login");
        self.submit(&form.set("login", login).set("password", password))
            .await
    }

    pub async fn log_out(&self) -> Page {
        let form = self.open("/").await.form("/logout");
        self.submit(&form).await
    }

    /// Returns one response, which may be a redirect.
    pub async fn get(&self, path: &str) -> Page {
        Request::get(self, path).send().await
    }

    /// Returns a page, following redirects.
    pub async fn open(&self, path: &str) -> Page {
        let mut page = self.get(path).await;
        while page.status.is_redirection() {
            page = self.get(page.location()).await;
        }
        assert_eq!(page.status, StatusCode::OK, "{path}:\n{}", page.html);
        page
    }

    /// Submits a form and returns the response, usually a redirect.
    pub async fn submit(&self, form: &Form) -> Page {
        Request::submit(self, form).send().await
    }

    /// Submits a form that must be accepted.
    pub async fn submit_accepted(&self, form: &Form) -> Page {
        let answer = self.submit(form).await;
        assert_eq!(
            answer.status,
            StatusCode::SEE_OTHER,
            "{}:\n{}",
            form.action,
            answer.html
        );
        answer
    }

    /// Returns whether the browser's session is still valid.
    pub async fn is_logged_in(&self) -> bool {
        self.get("/").await.has("form[action=\"/logout\"]")
    }

    /// Posts from the home page. Returns the new status's id.
    pub async fn post(&self, message: &str) -> u64 {
        let form = self.open("/").await.form("/statuses");
        self.submit_accepted(&form.set("message", message)).await;
        self.open(&self.profile()).await.status_ids()[0]
    }

    /// Replies to a status from its page. Returns the new status's id.
    pub async fn reply(&self, to: u64, message: &str) -> u64 {
        let page = self.open(&format!("/statuses/{to}")).await;
        let form = page.form("/statuses").set("message", message);
        let answer = self.submit_accepted(&form).await;
        let (_, id) = answer
            .location()
            .rsplit_once("#status-")
            .expect("an anchor");
        id.parse().expect("an id")
    }

    /// Presses an action button of a status on a page, or in its menu.
    pub async fn press(&self, page: &str, action: &str, id: u64) -> Page {
        let path = action_path(action, id);
        let button = match self.open(page).await.find_button(&path) {
            Some(button) => button,
            None => self.open_menu(page, id).await.button(&path),
        };
        self.submit_accepted(&button).await
    }

    /// Follows the link to the menu of an entry of a page. The entry is a status or a repost.
    pub async fn open_menu(&self, page: &str, entry: u64) -> Page {
        let menu = format!("/statuses/{entry}/menu");
        let link = format!("#status-{entry} > .status-body > footer > a.dots[href^=\"{menu}\"]");
        let shown = self.open(page).await;
        let links = shown.attributes(&link, "href");
        let [menu] = links.as_slice() else {
            panic!("no {menu} on {page}:\n{}", shown.html);
        };
        let from = format!("{}{page}", self.origin);
        let request = Request::get(self, menu).header("referer", &from);
        let opened = request.send().await;
        assert_eq!(opened.status, StatusCode::OK, "{menu}:\n{}", opened.html);
        opened
    }

    pub async fn follow(&self, login: &str) {
        let form = self
            .open(&format!("/@{login}"))
            .await
            .form(&format!("/@{login}/follow"));
        self.submit_accepted(&form).await;
    }

    pub async fn unfollow(&self, login: &str) {
        let form = self
            .open(&format!("/@{login}"))
            .await
            .form(&format!("/@{login}/unfollow"));
        self.submit_accepted(&form).await;
    }

    /// Deletes the person's own status through the confirmation page.
    pub async fn delete(&self, id: u64) {
        let form = self.delete_form(id).await;
        self.submit_accepted(&form).await;
    }

    pub async fn delete_form(&self, id: u64) -> Form {
        let path = format!("/statuses/{id}/delete");
        self.open(&path).await.form(&path)
    }

    pub fn profile(&self) -> String {
        format!("/@{}", self.login)
    }

    pub async fn home_ids(&self) -> Vec<u64> {
        self.ids("/").await
    }

    /// Returns the ids on every page of a timeline, in order.
    pub async fn ids(&self, path: &str) -> Vec<u64> {
        self.pages(path)
            .await
            .iter()
            .flat_map(Page::status_ids)
            .collect()
    }

    /// Returns the pages of a timeline, following the links to older entries.
    pub async fn pages(&self, path: &str) -> Vec<Page> {
        let mut pages = vec![self.open(path).await];
        while let Some(older) = pages.last().and_then(Page::older) {
            assert!(pages.len() < 1000, "{path} never ends");
            pages.push(self.open(&older).await);
        }
        pages
    }

    pub fn client(&self) -> &Client {
        &self.client
    }

    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// Returns the full address of a path; an absolute URL of the site stays on this server.
    pub fn address(&self, path: &str) -> String {
        let path = path.strip_prefix(&self.origin).unwrap_or(path);
        assert!(path.starts_with('/'), "{path} leaves the site");
        format!("{}{path}", self.base)
    }
}

/// Returns the path of the button for `favourite`, `unfavourite`, `bookmark` or `unbookmark`.
pub fn action_path(action: &str, id: u64) -> String {
    format!("/statuses/{id}/{action}")
}

/// Returns the display name used when a person with that login signs up.
pub fn name_of(login: &str) -> String {
    format!("{login} of the tests")
}
