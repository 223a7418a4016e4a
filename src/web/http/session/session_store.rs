//! actix-session backed by our own store. If Redis is unavailable, pages without a session still
//! work. A revoked session never comes back.

use std::collections::HashMap;

use actix_session::{
    SessionMiddleware,
    config::PersistentSession,
    storage::{LoadError, SaveError, SessionKey, SessionStore, UpdateError},
};
use actix_web::cookie::time::Duration;

use crate::{
    store::Store,
    web::{Site, http::errors::Error},
};

/// The entries that actix-session keeps for one request, each as JSON. The store has a form of its own.
type State = HashMap<String, String>;

/// The entry with the reason why the session could not be read.
pub(super) const UNAVAILABLE: &str = "unavailable";
/// The entry with the session as the store loaded it.
pub(super) const LOADED: &str = "loaded";
/// The entry in which a handler passes the cookie's value of a new session.
pub const KEY: &str = "key";

/// The middleware that loads and saves sessions through this thread's store.
pub fn middleware(site: &Site, store: Store) -> SessionMiddleware<Sessions> {
    let days = site.config.timeouts.session;
    let lifetime =
        Duration::try_from(days).expect("a session's days are bounded by the configuration");
    SessionMiddleware::builder(Sessions(store), site.keys.session.clone())
        .cookie_name(site.cookies.session_name().to_owned())
        .cookie_secure(site.cookies.secure)
        .session_lifecycle(PersistentSession::default().session_ttl(lifetime))
        .build()
}

/// Our store behind actix-session's interface.
pub struct Sessions(Store);

impl SessionStore for Sessions {
    /// Returns a marker if Redis is unavailable. Extractors report it after the form's text has
    /// been read.
    async fn load(&self, key: &SessionKey) -> Result<Option<State>, LoadError> {
        let (entry, json) = match self.0.load_session(key.as_ref()).await {
            Ok(None) => return Ok(None),
            Ok(Some(loaded)) => (LOADED, serde_json::to_string(&*loaded)),
            Err(error) => (UNAVAILABLE, serde_json::to_string(&error.to_string())),
        };
        let json = json.expect("a session and a text are always JSON");
        Ok(Some(State::from([(entry.to_owned(), json)])))
    }

    /// The log-in has saved the session already. Only its key is sent.
    async fn save(&self, state: State, _: &Duration) -> Result<SessionKey, SaveError> {
        new_session_key(&state).map_err(|error| SaveError::Other(error.into()))
    }

    /// The handler has written its changes already, if the session still existed.
    async fn update(
        &self,
        key: SessionKey,
        _: State,
        _: &Duration,
    ) -> Result<SessionKey, UpdateError> {
        Ok(key)
    }

    /// Sessions are prolonged by updates, at most once a day; the middleware is configured to ask
    /// for no more.
    async fn update_ttl(&self, _: &SessionKey, _: &Duration) -> Result<(), anyhow::Error> {
        Ok(())
    }

    /// The log-out has ended the session already.
    async fn delete(&self, _: &SessionKey) -> Result<(), anyhow::Error> {
        Ok(())
    }
}

/// Returns the key of the session that a handler began.
fn new_session_key(state: &State) -> Result<SessionKey, Error> {
    let key = state.get(KEY);
    let key: Option<String> = key.and_then(|json| serde_json::from_str(json).ok());
    let key = key.ok_or_else(|| Error::Internal("a session without a key".to_owned()))?;
    key.try_into()
        .map_err(|error| Error::Internal(format!("a session's key: {error}")))
}

#[cfg(test)]
mod tests {
    use super::super::session_store::*;

    #[test]
    fn a_session_without_a_key_is_not_stored() {
        let state = |entry: &str| State::from([(entry.to_owned(), "\"42.abc\"".to_owned())]);
        assert!(new_session_key(&state(LOADED)).is_err());
        assert!(new_session_key(&state(KEY)).is_ok_and(|key| key.as_ref() == "42.abc"));
    }
}
