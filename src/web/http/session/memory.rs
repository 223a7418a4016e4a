//! State of a visitor between requests: the session, a pending form, and the notice for the next
//! page. Sessions begin and end in the store before the response is made, so that errors are
//! handled like all others.

use actix_web::{
    HttpMessage,
    body::MessageBody,
    dev::{ServiceRequest, ServiceResponse},
    middleware::Next,
};

use super::{
    pending_form::PendingForm,
    visitor::{LoginState, Visitor, now},
};
use crate::{
    actions::accounts::Credentials,
    domain::{Login, SecretLink, StatusId, UserId, hex},
    store::{Loaded, SessionState, Store, User},
    web::{
        http::{csrf, errors::Result, keys},
        parts::notice::{Notice, PlacedNotice},
    },
};

/// How many characters of the user agent are stored to tell sessions apart.
const AGENT_CHARACTERS: usize = 200;
/// A session is marked as seen and prolonged at most this often.
const SEEN_EVERY_MS: u64 = 24 * 60 * 60 * 1000;

/// The current session as the handler changed it.
struct Changed(SessionState);

/// This page shows a form that was typed before the log-in.
struct Restored;

/// The middleware inside the session middleware: stores the session that the handler changed.
pub async fn middleware<B: MessageBody>(
    request: ServiceRequest,
    next: Next<B>,
) -> std::result::Result<ServiceResponse<B>, actix_web::Error> {
    let response = next.call(request).await?;
    let changed = response.request().extensions_mut().remove::<Changed>();
    if let Some(Changed(state)) = changed {
        Visitor::of(response.request()).store_session(state).await;
    }
    Ok(response)
}

/// The notice cookie for the next page: a notice, or none after it was shown.
pub struct NextNotice(pub Option<PlacedNotice>);

impl Visitor {
    /// Begins a session under a new key and ends the previous one. A pending form of the person moves into the
    /// new session. The browser becomes a known device of the person.
    pub async fn log_in(
        &self,
        credentials: &Credentials,
        login: &Login,
        name: &str,
        pending_form: Option<&PendingForm>,
    ) -> Result<()> {
        let state = self.new_session(credentials, (login, name), pending_form);
        let key = self.app().store.save_session(&state).await?;
        self.enter(credentials, key).await
    }

    /// Does the same for a device with this secret, without a pending form. If the device sends its form several times,
    /// it gets one session, because the key follows from the secret.
    pub async fn log_in_on_device(
        &self,
        credentials: &Credentials,
        user: &User,
        secret: &SecretLink,
    ) -> Result<()> {
        let state = self.new_session(credentials, (&user.login, &user.name), None);
        let (secret, Credentials { uid, epoch }) = (secret.to_string(), credentials);
        let parts = ["session.", &secret, ".", epoch].map(str::as_bytes);
        let key = hex(&keys::mac(&self.app().site.keys.device, &parts));
        let key = format!("{uid}.{key}");
        self.app().store.save_session_under(&state, &key).await?;
        self.enter(credentials, key).await
    }

    fn new_session(
        &self,
        credentials: &Credentials,
        (login, name): (&Login, &str),
        pending_form: Option<&PendingForm>,
    ) -> SessionState {
        let now = now();
        let pending_form = pending_form.filter(|form| !form.is_blank());
        SessionState {
            uid: credentials.uid,
            login: login.clone(),
            name: name.to_owned(),
            epoch: credentials.epoch.clone(),
            agent: self.agent(),
            created: now,
            seen: now,
            csrf: csrf::draw_seed(),
            pending_form: pending_form.map(PendingForm::to_json),
        }
    }

    /// Moves this browser to a session that was saved under this key.
    async fn enter(&self, credentials: &Credentials, key: String) -> Result<()> {
        if self.session_digest() != Some(Store::session_digest(&key)) {
            self.end_session().await?;
        }
        self.move_to(key);
        self.remember_device(credentials).await;
        Ok(())
    }

    /// Returns the credentials with which the session began.
    pub fn credentials(&self, uid: UserId) -> Credentials {
        let epoch = self.epoch().unwrap_or_default();
        Credentials { uid, epoch }
    }

    pub async fn log_out(&self) -> Result<()> {
        self.end_session().await?;
        self.clear_session();
        Ok(())
    }

    async fn end_session(&self) -> Result<()> {
        let Some(loaded) = self.loaded() else {
            return Ok(());
        };
        let (owner, digest) = (loaded.state.uid, &loaded.digest);
        Ok(self.app().store.revoke_session(owner, digest).await?)
    }

    /// Returns the digest that names the current session among the member's sessions.
    pub fn session_digest(&self) -> Option<String> {
        Some(self.loaded()?.digest.clone())
    }

    pub fn rename(&self, name: &str) {
        if self
            .loaded()
            .is_some_and(|loaded| loaded.state.name != name)
        {
            self.change(|state| state.name = name.to_owned());
        }
    }

    /// Prolongs the session and its cookie, at most once a day.
    pub(super) fn mark_seen(&self) {
        let (now, seen) = (now(), self.loaded().map(|loaded| loaded.state.seen));
        if seen.is_some_and(|seen| now.0.saturating_sub(seen.0) >= SEEN_EVERY_MS) {
            self.change(|state| state.seen = now);
        }
    }

    /// Returns the form that was typed before the log-in and is not processed yet.
    pub fn pending_form(&self) -> Option<PendingForm> {
        PendingForm::from_json(self.loaded()?.state.pending_form.as_ref()?)
    }

    /// Returns what this page shows of the form that was typed before the log-in. The page then says that the form is back.
    pub fn restore<T>(&self, part: impl FnOnce(PendingForm) -> Option<T>) -> Option<T> {
        let restored = part(self.pending_form()?)?;
        self.request().extensions_mut().insert(Restored);
        Some(restored)
    }

    /// Returns the notice of a page that shows a form from before the log-in.
    pub(super) fn notice_of_restored(&self) -> Option<Notice> {
        let is_restored = self.request().extensions().contains::<Restored>();
        is_restored.then_some(Notice::TextRestored)
    }

    /// Removes the pending form after it was processed, if it is the one in question.
    pub fn forget_pending_form(&self, is_processed: impl Fn(&PendingForm) -> bool) {
        if self.pending_form().is_some_and(|form| is_processed(&form)) {
            self.change(|state| state.pending_form = None);
        }
    }

    fn change(&self, change: impl FnOnce(&mut SessionState)) {
        let Some(loaded) = self.loaded() else { return };
        let mut extensions = self.request().extensions_mut();
        let changed = extensions.remove::<Changed>();
        let mut state = changed.map_or_else(|| loaded.state.clone(), |Changed(state)| state);
        change(&mut state);
        extensions.insert(Changed(state));
    }

    /// Stores the changed session if it still exists. The cookie is sent again only once a day, to
    /// prolong it, and not after the session has ended. If a newer log-in of this browser responds in
    /// between, its cookie may be overwritten by the old one; then the member logs in again. No response
    /// depends on this, so a failure is only logged.
    async fn store_session(&self, state: SessionState) {
        let (LoginState::Member(_), Some(loaded)) = (self.login_state(), self.loaded()) else {
            return;
        };
        let Loaded {
            digest,
            unread,
            requests,
            unread_chats,
            restriction,
            zone,
            ..
        } = &*loaded;
        match self.app().store.update_session(digest, &state).await {
            Ok(true) if state.seen != loaded.state.seen => self.write(&Loaded {
                state,
                digest: digest.clone(),
                unread: *unread,
                requests: *requests,
                unread_chats: *unread_chats,
                restriction: *restriction,
                zone: zone.clone(),
            }),
            Ok(true) => {}
            Ok(false) => tracing::debug!("the session ended meanwhile"),
            Err(error) => tracing::warn!(%error, "session not updated"),
        }
    }

    pub fn set_notice(&self, notice: Notice) {
        self.set_notice_at(notice, None);
    }

    /// Sets the notice for the next page, which has an anchor for this status, also if it no longer shows it.
    pub fn set_notice_at(&self, notice: Notice, place: Option<StatusId>) {
        let next = NextNotice(Some(PlacedNotice { notice, place }));
        self.request().extensions_mut().insert(next);
    }

    /// Returns the notice for this page.
    pub(super) fn take_notice(&self) -> Option<PlacedNotice> {
        let name = self.app().site.cookies.notice_name();
        let cookie = self.request().cookie(name)?;
        self.request().extensions_mut().insert(NextNotice(None));
        PlacedNotice::from_cookie(cookie.value())
    }

    fn agent(&self) -> String {
        let agent = self.header("user-agent").unwrap_or_default();
        agent.chars().take(AGENT_CHARACTERS).collect()
    }
}
