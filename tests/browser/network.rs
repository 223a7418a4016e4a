//! The network of the browser: tests cut it, slow it down, and fail single requests.

use fantoccini::wd::WebDriverCompatibleCommand;
use reqwest::Method;
use serde_json::{Value, json};
use url::{ParseError, Url};

use crate::browser::chromium::Browser;

/// A command of the protocol of Chromium's developer tools.
#[derive(Debug)]
struct DevTools {
    name: &'static str,
    parameters: Value,
}

impl WebDriverCompatibleCommand for DevTools {
    fn endpoint(&self, base_url: &Url, session_id: Option<&str>) -> Result<Url, ParseError> {
        let session = session_id.expect("the session is open");
        base_url.join(&format!("session/{session}/goog/cdp/execute"))
    }

    fn method_and_body(&self, _: &Url) -> (Method, Option<String>) {
        let body = json!({ "cmd": self.name, "params": self.parameters });
        (Method::POST, Some(body.to_string()))
    }
}

impl Browser {
    /// Runs a command of the developer tools.
    pub(super) async fn develop(&self, name: &'static str, parameters: Value) {
        let command = DevTools { name, parameters };
        let answer = self.client.issue_cmd(command).await;
        answer.unwrap_or_else(|error| panic!("{name}: {error}"));
    }

    /// Cuts the network off, or connects it again.
    pub async fn set_offline(&self, is_offline: bool) {
        self.set_network(is_offline, 0).await;
    }

    /// Delays each answer by this time.
    pub async fn set_latency(&self, latency_ms: u64) {
        self.set_network(false, latency_ms).await;
    }

    async fn set_network(&self, is_offline: bool, latency_ms: u64) {
        self.develop("Network.enable", json!({})).await;
        let conditions = json!({
            "offline": is_offline, "latency": latency_ms, "downloadThroughput": -1, "uploadThroughput": -1,
        });
        self.develop("Network.emulateNetworkConditions", conditions)
            .await;
    }

    /// Fails the requests to addresses that match one of these patterns. No pattern lets all through.
    pub async fn block(&self, patterns: &[&str]) {
        self.develop("Network.enable", json!({})).await;
        self.develop("Network.setBlockedURLs", json!({ "urls": patterns }))
            .await;
    }
}
