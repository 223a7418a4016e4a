//! Chromium as a test drives it. A machine without Chromium or its driver skips these tests and says so. In CI (CI=true)
//! that is a failure.

mod driver;
mod idle;

use std::{io::Write, path::Path};

use fantoccini::{Client, Locator};
use serde_json::{Value, json};

use self::driver::Session;
use crate::support::{
    PASSWORD, Person, Site, environment::variable, request::client, waiting::eventually,
};

/// Whether scripts of pages run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scripts {
    On,
    Off,
}

pub struct Browser {
    pub client: Client,
    base: String,
    /// Prefix of the screenshots' file names.
    name: String,
    window: Window,
    session: Session,
}

/// The settings with which a browser is started.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Window {
    width: u32,
    scripts: Scripts,
    /// Size of text in the settings of the browser.
    text_px: u32,
}

/// The usual size of text.
const USUAL_TEXT_PX: u32 = 16;

impl Browser {
    /// Opens a browser with a window of that width, or returns `None` if there is no Chromium.
    pub async fn open(site: &Site, width: u32, scripts: Scripts) -> Option<Self> {
        Self::at(&site.base, width, scripts).await
    }

    /// Opens a browser at the server with that address.
    pub async fn at(base: &str, width: u32, scripts: Scripts) -> Option<Self> {
        let text_px = USUAL_TEXT_PX;
        let window = Window {
            width,
            scripts,
            text_px,
        };
        Self::start(base, window).await
    }

    /// Opens a browser with this text size in its settings.
    pub async fn with_text(site: &Site, width: u32, text_px: u32) -> Option<Self> {
        let scripts = Scripts::On;
        let window = Window {
            width,
            scripts,
            text_px,
        };
        Self::start(&site.base, window).await
    }

    async fn start(base: &str, window: Window) -> Option<Self> {
        let session = match idle::take(window).await {
            Some(session) => Some(session),
            None => Session::start(window).await,
        };
        let Some(session) = session else {
            assert!(
                variable("CI").is_none_or(|ci| ci != "true"),
                "CI needs chromium and chromedriver"
            );
            // Not eprintln!: the test runner would capture it.
            let _ = writeln!(
                std::io::stderr(),
                "SKIPPED: NO TEST IN A BROWSER, because chromium or chromedriver is missing here"
            );
            return None;
        };
        let Window {
            width,
            scripts,
            text_px,
        } = window;
        let name = format!("{width}px-text-{text_px}px-scripts-{scripts:?}").to_lowercase();
        Some(Self {
            client: session.client.clone(),
            base: base.to_owned(),
            name,
            window,
            session,
        })
    }

    pub async fn go(&self, path: &str) {
        self.client
            .goto(&format!("{}{path}", self.base))
            .await
            .expect("the page loads");
        // On a busy machine the driver can return before the end of the page has arrived.
        eventually("the page is complete", async || self.is_complete().await).await;
    }

    /// Returns the path of the current page.
    pub async fn path(&self) -> String {
        self.client
            .current_url()
            .await
            .expect("there is a page")
            .path()
            .to_owned()
    }

    /// Signs up past the form of the page, which `flows` fills in, and opens home.
    pub async fn sign_up(&self, login: &str, name: &str) {
        let person = Person::at(client(), &self.base, &self.base);
        let form = person.get("/signup").await.form("/signup");
        let form = form.set("login", login).set("name", name);
        person
            .submit_accepted(&form.set("password", PASSWORD))
            .await;
        for (name, value) in person.cookies.all() {
            let cookie =
                json!({ "name": name, "value": value, "url": self.base, "httpOnly": true });
            self.develop("Network.setCookie", cookie).await;
        }
        self.go("/").await;
        let is_member = format!("body[data-login=\"{login}\"]");
        assert!(self.has(&is_member).await, "{login} is logged in");
    }

    /// Scrolls to the element and clicks it.
    pub async fn click(&self, css: &str) {
        let found = self.client.wait().for_element(Locator::Css(css)).await;
        let element = found.unwrap_or_else(|error| panic!("{css}: {error}"));
        let reference = serde_json::to_value(&element).expect("an element has a reference");
        self.evaluate(
            "arguments[0].scrollIntoView({ block: 'center' })",
            vec![reference],
        )
        .await;
        element
            .click()
            .await
            .unwrap_or_else(|error| panic!("{css}: {error}"));
    }

    /// Clicks a link or button to another page, and waits for the page with that path.
    pub async fn click_through(&self, css: &str, path: &str) {
        self.click_away(css).await;
        eventually(&format!("{css} leads to {path}"), async || {
            self.path().await == path && self.is_loaded().await
        })
        .await;
    }

    /// Clicks a link or button to another page, and waits until any other page is loaded.
    pub async fn click_away(&self, css: &str) {
        self.leave(css, async || self.click(css).await).await;
    }

    /// Does what leads to another page, and waits until any other page is loaded.
    pub async fn leave(&self, name: &str, act: impl AsyncFnOnce()) {
        let before = self
            .client
            .find(Locator::Css("html"))
            .await
            .expect("a page has a root");
        act().await;
        eventually(&format!("{name} leads away"), async || {
            before.tag_name().await.is_err() && self.is_loaded().await
        })
        .await;
    }

    /// Returns whether the page with the footer of the site is complete, and its scripts have run.
    async fn is_loaded(&self) -> bool {
        self.has("footer.bottom").await && self.is_complete().await
    }

    async fn is_complete(&self) -> bool {
        let script = "return document.readyState === 'complete'";
        let complete = self.client.execute(script, vec![]).await;
        complete.is_ok_and(|complete| complete == Value::Bool(true))
    }

    pub async fn type_into(&self, css: &str, text: &str) {
        let found = self.client.wait().for_element(Locator::Css(css)).await;
        let element = found.unwrap_or_else(|error| panic!("{css}: {error}"));
        element
            .send_keys(text)
            .await
            .unwrap_or_else(|error| panic!("{css}: {error}"));
    }

    /// Shows the warning and the poll in the form to post.
    pub async fn open_extras(&self) {
        self.click("button.extras").await;
        eventually("the form has a warning", async || {
            self.has("details.extras[open] [name=warning]").await
        })
        .await;
        self.click("details[data-extras=poll] > summary").await;
        eventually("the form has a poll", async || {
            self.has("details.extras[open] [name=option_1]").await
        })
        .await;
    }

    /// Returns the rendered text of every matching element.
    pub async fn texts(&self, css: &str) -> Vec<String> {
        let mut texts = Vec::new();
        for element in self
            .client
            .find_all(Locator::Css(css))
            .await
            .expect("a valid selector")
        {
            texts.push(element.text().await.expect("the element is still there"));
        }
        texts
    }

    pub async fn has(&self, css: &str) -> bool {
        self.client.find(Locator::Css(css)).await.is_ok()
    }

    /// Returns the result of a script. The driver runs it even if scripts of pages are off.
    pub async fn evaluate(&self, script: &str, arguments: Vec<Value>) -> Value {
        self.client
            .execute(script, arguments)
            .await
            .unwrap_or_else(|error| panic!("{script}: {error}"))
    }

    /// Saves a screenshot of the page.
    pub async fn photograph(&self, name: &str) {
        self.evaluate(
            "document.getAnimations().forEach((animation) => animation.finish())",
            vec![],
        )
        .await;
        let png = self
            .client
            .screenshot()
            .await
            .expect("the page can be drawn");
        let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("screenshots");
        std::fs::create_dir_all(&directory).expect("the target directory is writable");
        std::fs::write(directory.join(format!("{}-{name}.png", self.name)), png)
            .expect("the target directory is writable");
    }

    /// Leaves the browser to the next test with such a window. A test that fails ends its browser.
    pub async fn close(self) {
        idle::leave(self.window, self.session, &self.base).await;
    }
}
