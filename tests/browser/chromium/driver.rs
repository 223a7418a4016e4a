//! Chromium and its driver: finding, starting and stopping them. The headless shell is the same engine without the windows
//! around it, and starts in half of the time.

use std::{
    ffi::OsStr,
    io::{BufRead, BufReader},
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::LazyLock,
};

use fantoccini::{Client, ClientBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Map, Value, json};
use tempfile::TempDir;
use tokio::runtime::Runtime;

use super::{Scripts, Window, idle::open_tab};
use crate::support::{environment::program, leftovers};

/// Keeps the connections to browsers, which outlive the runtimes of single tests.
static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| {
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    let runtime = builder.worker_threads(1).enable_all().build();
    runtime.expect("a runtime starts")
});

/// A running browser. Dropping it ends the browser.
pub(super) struct Session {
    pub(super) client: Client,
    _driver: Driver,
}

impl Session {
    /// Starts a browser. `None` if there is no Chromium.
    pub(super) async fn start(window: Window) -> Option<Self> {
        let driver = Driver::start()?;
        let capabilities = capabilities(driver.profile.path(), window);
        let address = driver.address.clone();
        let connecting = RUNTIME.spawn(async move {
            let mut builder = ClientBuilder::new(HttpConnector::new());
            builder.capabilities(capabilities).connect(&address).await
        });
        let connected = connecting.await.expect("the runtime lives on");
        let session = Self {
            client: connected.expect("Chromium starts"),
            _driver: driver,
        };
        open_tab(&session).await.expect("Chromium opens a tab");
        Some(session)
    }
}

fn capabilities(profile: &Path, window: Window) -> Map<String, Value> {
    let Window {
        width,
        scripts,
        text_px,
    } = window;
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
            "deviceMetrics": { "width": width, "height": 900, "pixelRatio": 1.0, "mobile": phone, "touch": phone },
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
