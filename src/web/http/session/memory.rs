//! State of a visitor between requests: the session, a pending form, and the notice for the next
//! page. Sessions begin and end in the store before the response is made, so that errors are
//! handled like all others.

use std::collections::HashMap;

use actix_web::{
    HttpMessage,
    body::MessageBody,
    dev::{ServiceRequest, ServiceResponse},
    middleware::Next,
};

use super::{
    pending_form::PendingForm,
    session_store::DIGEST,
    visitor::{LoginState, Visitor, now},
};
use crate::{
    actions::accounts::Credentials,
    domain::{Login, UserId},
    store::SessionState,
    web::{
        http::{csrf, errors::Result},
        parts::notice::Notice,
    },
};

/// How many characters of the user agent are stored to tell sessions apart.
const AGENT_CHARACTERS: usize = 200;
/// The entry with the time at which a session was last seen.
const SEEN: &str = "seen";
/// A session is marked as seen and prolonged at most this often.
const SEEN_EVERY_MS: u64 = 24 * 60 * 60 * 1000;

/// Changes to the current session: the new text of an entry, or `None` to remove it.
#[derive(Default)]
struct Changes(HashMap<&'static str, Option<String>>);

/// The middleware inside the session middleware: writes the handler's changes to the session.
pub(in crate::web) async fn middleware<B: MessageBody>(
    request: ServiceRequest,
    next: Next<B>,
) -> std::result::Result<ServiceResponse<B>, actix_web::Error> {
    let response = next.call(request).await?;
    let changes = response.request().extensions_mut().remove::<Changes>();
    if let Some(changes) = changes {
        Visitor::of(response.request()).keep(changes).await;
    }
    Ok(response)
}

/// The notice cookie for the next page: a notice, or none after it was shown.
pub(in crate::web) struct NextNotice(pub(in crate::web) Option<Notice>);

impl Visitor {
    /// Begins a session under a new key and ends the previous one. A pending form moves into the
    /// new session.
    pub(in crate::web) async fn log_in(
        &self,
        credentials: &Credentials,
        login: &Login,
        name: &str,
        pending_form: Option<&PendingForm>,
    ) -> Result<()> {
        let now = now().0.to_string();
        let (uid, seed, agent) = (credentials.uid.to_string(), csrf::draw_seed(), self.agent());
        let entries = [
            ("uid", uid.as_str()),
            ("login", login.as_str()),
            ("name", name),
            ("epoch", &credentials.epoch),
            ("agent", &agent),
            ("created", &now),
            (SEEN, &now),
            ("csrf", &seed),
        ];
        let mut state: SessionState = entries
            .map(|(name, text)| (name.to_owned(), text.to_owned()))
            .into();
        if let Some(form) = pending_form.filter(|form| !form.texts().is_empty()) {
            state.insert(PendingForm::FIELD.to_owned(), form.to_json());
        }
        let key = self.app().store.save_session(&state).await?;
        self.end_session().await?;
        self.move_to(key);
        Ok(())
    }

    /// Returns the credentials with which the session began.
    pub(in crate::web) fn credentials(&self, uid: UserId) -> Credentials {
        let epoch = self.entry("epoch").unwrap_or_default();
        Credentials { uid, epoch }
    }

    pub(in crate::web) async fn log_out(&self) -> Result<()> {
        self.end_session().await?;
        self.clear_session();
        Ok(())
    }

    async fn end_session(&self) -> Result<()> {
        let owner = self.entry("uid").and_then(|uid| uid.parse::<UserId>().ok());
        if let (Some(owner), Some(digest)) = (owner, self.session_digest()) {
            self.app().store.revoke_session(owner, &digest).await?;
        }
        Ok(())
    }

    /// Returns the digest that names the current session among the member's sessions.
    pub(in crate::web) fn session_digest(&self) -> Option<String> {
        self.entry(DIGEST)
    }

    /// Updates the session's copy of the name.
    pub(in crate::web) fn rename(&self, name: &str) {
        if self.entry("name").is_none_or(|known| known != name) {
            self.change("name", Some(name.to_owned()));
        }
    }

    /// Prolongs the session and its cookie, at most once a day.
    pub(super) fn mark_seen(&self) {
        let seen: u64 = self
            .entry(SEEN)
            .and_then(|seen| seen.parse().ok())
            .unwrap_or_default();
        let now = now().0;
        if now.saturating_sub(seen) >= SEEN_EVERY_MS {
            self.change(SEEN, Some(now.to_string()));
        }
    }

    /// Returns the form that was typed before the log-in and is not processed yet.
    pub(in crate::web) fn pending_form(&self) -> Option<PendingForm> {
        PendingForm::from_json(&self.entry(PendingForm::FIELD)?)
    }

    /// Removes the pending form after it was processed, if it is the one in question.
    pub(in crate::web) fn forget_pending_form(&self, is_processed: impl Fn(&PendingForm) -> bool) {
        if self.pending_form().is_some_and(|form| is_processed(&form)) {
            self.change(PendingForm::FIELD, None);
        }
    }

    fn change(&self, entry: &'static str, text: Option<String>) {
        let mut extensions = self.request().extensions_mut();
        if !extensions.contains::<Changes>() {
            extensions.insert(Changes::default());
        }
        if let Some(Changes(changes)) = extensions.get_mut() {
            changes.insert(entry, text);
        }
    }

    /// Writes the changes to the store if the session still exists. The cookie is sent again only
    /// once a day, to prolong it, and not after the session has ended. If a newer log-in of this
    /// browser responds in between, its cookie may be overwritten by the old one; then the member
    /// logs in again. No response depends on these changes, so a failure is only logged.
    async fn keep(&self, Changes(mut changes): Changes) {
        let (LoginState::Member(me), Some(digest)) = (self.login_state(), self.session_digest())
        else {
            return;
        };
        let Some(mut state) = self.stored_state() else {
            return;
        };
        for (&name, text) in &changes {
            match text {
                Some(text) => state.insert(name.to_owned(), text.clone()),
                None => state.remove(name),
            };
        }
        match self
            .app()
            .store
            .update_session(me.id, &digest, &state)
            .await
        {
            Ok(true) => {
                if let Some(Some(seen)) = changes.remove(SEEN) {
                    self.write(SEEN, seen);
                }
            }
            Ok(false) => tracing::debug!("the session ended meanwhile"),
            Err(error) => tracing::warn!(%error, "session not updated"),
        }
    }

    /// Sets the notice of the next page.
    pub(in crate::web) fn set_notice(&self, notice: Notice) {
        let next = NextNotice(Some(notice));
        self.request().extensions_mut().insert(next);
    }

    /// Returns the notice for this page.
    pub(super) fn take_notice(&self) -> Option<Notice> {
        let name = self.app().site.cookies.notice_name();
        let cookie = self.request().cookie(name)?;
        self.request().extensions_mut().insert(NextNotice(None));
        Notice::from_cookie(cookie.value())
    }

    fn agent(&self) -> String {
        let agent = self.header("user-agent").unwrap_or_default();
        agent.chars().take(AGENT_CHARACTERS).collect()
    }
}
