//! Chromium and its driver: finding, starting, stopping and driving them. A machine without them
//! skips these tests and says so. In CI (CI=true) that is a failure. The headless shell is the same
//! engine without the windows around it, and starts in half of the time.

use std::{
    ffi::OsStr,
    io::{BufRead, BufReader, Write},
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Map, Value, json};
use tempfile::TempDir;

use crate::support::{
    Person, Site,
    environment::{program, variable},
    leftovers,
    request::client,
    waiting::eventually,
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
    driver: Driver,
}

impl Browser {
    /// Opens a new browser with a window of that width, or returns `None` if there is no Chromium.
    pub async fn open(site: &Site, width: u32, scripts: Scripts) -> Option<Self> {
        Self::at(&site.base, width, scripts).await
    }

    /// Opens a new browser at the server with that address.
    pub async fn at(base: &str, width: u32, scripts: Scripts) -> Option<Self> {
        Self::start(base, (width, scripts), USUAL_TEXT_PX).await
    }

    /// Opens a new browser with this text size.
    pub async fn with_text(site: &Site, width: u32, text_px: u32) -> Option<Self> {
        Self::start(&site.base, (width, Scripts::On), text_px).await
    }

    async fn start(base: &str, (width, scripts): (u32, Scripts), text_px: u32) -> Option<Self> {
        let Some(driver) = Driver::start() else {
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
        let capabilities = capabilities(driver.profile.path(), (width, scripts), text_px);
        let client = ClientBuilder::new(HttpConnector::new())
            .capabilities(capabilities)
            .connect(&driver.address)
            .await
            .expect("Chromium starts");
        let name = format!("{width}px-text-{text_px}px-scripts-{scripts:?}").to_lowercase();
        Some(Self {
            client,
            base: base.to_owned(),
            name,
            driver,
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

    /// Changes the width of a phone's window. The next page has the first width again.
    pub async fn set_width(&self, width: u32) {
        let metrics =
            json!({ "width": width, "height": HEIGHT, "deviceScaleFactor": 1, "mobile": true });
        self.develop("Emulation.setDeviceMetricsOverride", metrics)
            .await;
        eventually("the window has the width", async || {
            // A page that is too wide makes `innerWidth` larger.
            self.evaluate("return screen.width", vec![]).await == json!(width)
        })
        .await;
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
        let answer = person.send_sign_up_as(login, name).await;
        assert_eq!(answer.status.as_u16(), 303, "{}", answer.html);
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

    /// Saves a screenshot of the page if REDWING_TEST_SCREENSHOTS is set. Each takes 20 ms of the processor or more.
    pub async fn photograph(&self, name: &str) {
        if variable("REDWING_TEST_SCREENSHOTS").is_none() {
            return;
        }
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

    pub async fn close(self) {
        self.client.clone().close().await.expect("Chromium ends");
        drop(self.driver);
    }
}

/// Height of a window in pixels.
const HEIGHT: u32 = 900;
/// The usual text size of a browser.
const USUAL_TEXT_PX: u32 = 16;

fn capabilities(
    profile: &Path,
    (width, scripts): (u32, Scripts),
    text_px: u32,
) -> Map<String, Value> {
    let are_scripts_on = scripts == Scripts::On;
    // Without scripts, the driver never returns from a click on a touch screen.
    let phone = width < 600 && are_scripts_on;
    let (binary, name) = engine().expect("it was found before");
    let options = json!({
        "binary": binary,
        "args": [
            "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-dev-shm-usage",
            "--no-first-run", "--hide-scrollbars", "--disable-background-networking", "--disable-component-update", "--disable-sync",
            format!("--user-data-dir={}", profile.display()),
            format!("--blink-settings=scriptEnabled={are_scripts_on},defaultFontSize={text_px}"),
        ],
        "mobileEmulation": {
            "deviceMetrics": { "width": width, "height": HEIGHT, "pixelRatio": 1.0, "mobile": phone, "touch": phone },
        },
    });
    let capabilities = json!({ "browserName": name, "goog:chromeOptions": options, "timeouts": { "pageLoad": 20_000 } });
    capabilities.as_object().expect("it is one").clone()
}

/// Returns the program of the browser, and the name by which the driver knows it.
fn engine() -> Option<(PathBuf, &'static str)> {
    let shell = program("chromium-headless-shell").map(|shell| (shell, "chrome-headless-shell"));
    shell.or_else(|| program("chromium").map(|chromium| (chromium, "chrome")))
}

/// Number of attempts to start chromedriver before the test fails.
const STARTS: usize = 5;

/// Running chromedriver on a free port, with a profile directory for its Chromium.
struct Driver {
    child: Child,
    address: String,
    profile: TempDir,
}

impl Driver {
    fn start() -> Option<Self> {
        engine()?;
        let program = program("chromedriver")?;
        let driver = (0..STARTS).find_map(|_| Self::start_once(program.as_ref()));
        Some(driver.expect("chromedriver says its port"))
    }

    /// Returns `None` if the drawn port is taken on one of the two loopback addresses.
    fn start_once(program: &OsStr) -> Option<Self> {
        let mut child = Command::new(program)
            .arg("--port=0")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()
            .expect("chromedriver can be started");
        let lines = BufReader::new(child.stdout.take().expect("it is piped")).lines();
        let profile = leftovers::directory("redwing-chromium-");
        leftovers::note(&child, profile.path().join("driver.group"));
        let mut driver = Self {
            child,
            address: String::new(),
            profile,
        };
        let port = lines.map_while(Result::ok).find_map(|line| {
            line.contains("started successfully on port").then(|| {
                line.chars()
                    .filter(char::is_ascii_digit)
                    .collect::<String>()
            })
        })?;
        driver.address = format!("http://127.0.0.1:{port}");
        Some(driver)
    }
}

impl Drop for Driver {
    /// Kills the driver's process group, which includes Chromium. A failed test leaves neither
    /// running.
    fn drop(&mut self) {
        let group = format!("-{}", self.child.id());
        let _ = Command::new("kill").args(["-KILL", "--", &group]).status();
        let _ = self.child.wait();
    }
}
