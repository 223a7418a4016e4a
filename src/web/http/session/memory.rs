//! What is remembered of a visitor from one request to the next: the session, what was written
//! before it began, and what the next page says. A session is begun and ended in the store before
//! the answer is made, so that a failure is answered like any other, with what was typed.

use std::collections::HashMap;

use actix_web::{
    HttpMessage,
    body::MessageBody,
    dev::{ServiceRequest, ServiceResponse},
    middleware::Next,
};

use super::{
    kept::Kept,
    session_store::DIGEST,
    visitor::{Standing, Visitor, now},
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

/// How much of the browser's name is kept to tell sessions apart, in characters.
const AGENT_CHARACTERS: usize = 200;
/// The entry that says when a session was seen last.
const SEEN: &str = "seen";
/// A session is marked as seen, and lives on, at most this often.
const SEEN_EVERY_MS: u64 = 24 * 60 * 60 * 1000;

/// What an answer changes of the session that it stands on: the new text of an entry, or its end.
#[derive(Default)]
struct Changes(HashMap<&'static str, Option<String>>);

/// The middleware inside the session's: writes what the handler changed of a session that goes on.
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

/// What the cookie for the next page becomes: a notice, or none after it was shown.
pub(in crate::web) struct NextNotice(pub(in crate::web) Option<Notice>);

impl Visitor {
    /// Begins a session under a new key, and ends the one that may have been there. What was
    /// written before waits in it.
    pub(in crate::web) async fn log_in(
        &self,
        credentials: &Credentials,
        login: &Login,
        name: &str,
        kept: Option<&Kept>,
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
        let kept = kept.map(Kept::fields).unwrap_or_default();
        let entries = entries.map(|(name, text)| (name, text.to_owned()));
        let owned = |(name, text): (&str, String)| (name.to_owned(), text);
        let state: SessionState = entries.into_iter().chain(kept).map(owned).collect();
        let key = self.app().store.save_session(&state).await?;
        self.end_session().await?;
        self.move_to(key);
        Ok(())
    }

    /// What the session was begun with.
    pub(in crate::web) fn credentials(&self, uid: UserId) -> Credentials {
        let epoch = self.entry("epoch").unwrap_or_default();
        Credentials { uid, epoch }
    }

    pub(in crate::web) async fn log_out(&self) -> Result<()> {
        self.end_session().await?;
        self.leave();
        Ok(())
    }

    async fn end_session(&self) -> Result<()> {
        let owner = self.entry("uid").and_then(|uid| uid.parse::<UserId>().ok());
        if let (Some(owner), Some(digest)) = (owner, self.session_digest()) {
            self.app().store.revoke_session(owner, &digest).await?;
        }
        Ok(())
    }

    /// Names the current session among the member's sessions.
    pub(in crate::web) fn session_digest(&self) -> Option<String> {
        self.entry(DIGEST)
    }

    /// Keeps the session's copy of the name true.
    pub(in crate::web) fn rename(&self, name: &str) {
        if self.entry("name").is_none_or(|known| known != name) {
            self.change("name", Some(name.to_owned()));
        }
    }

    /// At most once a day a visit prolongs the session and its cookie.
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

    /// What was written before the log-in and waits to be acted upon.
    pub(in crate::web) fn kept(&self) -> Option<Kept> {
        Kept::of(|name| self.entry(name))
    }

    /// It has been acted upon.
    pub(in crate::web) fn forget(&self, kept: &Kept) {
        for (name, _) in kept.fields() {
            self.change(name, None);
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

    /// Writes changes to the store where the session still stands. The cookie is sent again only to
    /// prolong it, once a day, and not that of a session that ended before this was written. Where
    /// a newer log-in of this browser is answered after that, and its answer arrives first, the
    /// cookie of the ended one takes its place: then one logs in once more.
    /// Nothing an answer rests on is among the changes, so a failure is noted and the answer stands.
    async fn keep(&self, Changes(mut changes): Changes) {
        let (Standing::Member(me), Some(digest)) = (self.standing(), self.session_digest()) else {
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

    /// What the next page says once.
    pub(in crate::web) fn tell(&self, notice: Notice) {
        let next = NextNotice(Some(notice));
        self.request().extensions_mut().insert(next);
    }

    /// What was left to be said on this page.
    pub(super) fn take_notice(&self) -> Option<Notice> {
        let name = self.app().site.cookies.notice_name();
        let cookie = self.request().cookie(name)?;
        self.request().extensions_mut().insert(NextNotice(None));
        cookie.value().parse().ok()
    }

    fn agent(&self) -> String {
        let agent = self.header("user-agent").unwrap_or_default();
        agent.chars().take(AGENT_CHARACTERS).collect()
    }
}
