//! Browsers that earlier tests have left. To take one needs less processor time than to start one.

use std::{
    io::Write,
    sync::{Mutex, PoisonError},
};

use fantoccini::error::CmdError;
use serde_json::json;

use super::{Window, driver::Session};
use crate::browser::network::DevTools;

/// Maximum number of idle browsers.
const MOST_IDLE: usize = 4;

/// The browser that has waited longest is the first.
static IDLE: Mutex<Vec<(Window, Session)>> = Mutex::new(Vec::new());

/// Returns an idle browser with such a window, without cookies and stored files. `None` if there is none that responds.
pub(super) async fn take(window: Window) -> Option<Session> {
    let session = {
        let mut idle = IDLE.lock().unwrap_or_else(PoisonError::into_inner);
        let at = idle.iter().position(|(other, _)| *other == window)?;
        idle.remove(at).1
    };
    // Only now, because a response to the last page of a test can come late.
    for name in ["Network.clearBrowserCookies", "Network.clearBrowserCache"] {
        let parameters = json!({});
        let cleared = session.client.issue_cmd(DevTools { name, parameters });
        cleared.await.ok()?;
    }
    Some(session)
}

/// Leaves a browser to another test, unless it cannot forget the site with this address.
pub(super) async fn leave(window: Window, session: Session, base: &str) {
    if let Err(error) = forget(&session, base).await {
        // Not eprintln!: the test runner would capture it.
        let _ = writeln!(std::io::stderr(), "a browser is not used again: {error}");
        return;
    }
    let _longest = {
        let mut idle = IDLE.lock().unwrap_or_else(PoisonError::into_inner);
        idle.push((window, session));
        (idle.len() > MOST_IDLE).then(|| idle.remove(0))
    };
}

/// Opens a new tab, closes all others with their settings, and removes the storage of the site.
async fn forget(session: &Session, base: &str) -> Result<(), CmdError> {
    open_tab(session).await?;
    let parameters = json!({ "origin": base, "storageTypes": "all" });
    let name = "Storage.clearDataForOrigin";
    session
        .client
        .issue_cmd(DevTools { name, parameters })
        .await?;
    Ok(())
}

/// Opens a new tab and closes all others. Each test begins in such a tab.
pub(super) async fn open_tab(session: &Session) -> Result<(), CmdError> {
    let client = &session.client;
    let others = client.windows().await?;
    let new = client.new_window(true).await?.handle;
    for other in others {
        client.switch_to_window(other).await?;
        client.close_window().await?;
    }
    client.switch_to_window(new).await
}
