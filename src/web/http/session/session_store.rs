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

type State = HashMap<String, String>;

/// The entry of a session that could not be read. Never stored.
pub(super) const UNAVAILABLE: &str = "unavailable";
/// The entry that names the session in its person's list of sessions. Never stored.
pub(super) const DIGEST: &str = "digest";
/// The entry with the number of unread notifications. Never stored.
pub(super) const UNREAD: &str = "unread";
/// The entry in which a handler passes the cookie's value of a new session.
pub(in crate::web) const KEY: &str = "key";

/// The middleware that loads and saves sessions through this thread's store.
pub(in crate::web) fn middleware(site: &Site, store: Store) -> SessionMiddleware<Sessions> {
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
pub(in crate::web) struct Sessions(Store);

impl SessionStore for Sessions {
    /// Returns a marker if Redis is unavailable. Extractors report it after the form's text has
    /// been read.
    async fn load(&self, key: &SessionKey) -> Result<Option<State>, LoadError> {
        match self.0.load_session(key.as_ref()).await {
            Ok(None) => Ok(None),
            Ok(Some(loaded)) => {
                let mut state = encode(&loaded.state);
                state.insert(DIGEST.to_owned(), json(&loaded.digest));
                state.insert(UNREAD.to_owned(), json(&loaded.unread.to_string()));
                Ok(Some(state))
            }
            Err(error) => Ok(Some(encode(&State::from([(
                UNAVAILABLE.to_owned(),
                error.to_string(),
            )])))),
        }
    }

    /// The log-in has saved the session already. Only its key is sent.
    async fn save(&self, state: State, _: &Duration) -> Result<SessionKey, SaveError> {
        new_session_key(state).map_err(|error| SaveError::Other(error.into()))
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
fn new_session_key(state: State) -> Result<SessionKey, Error> {
    let key = decode(state).remove(KEY);
    let key = key.ok_or_else(|| Error::Internal("a session that nobody began".to_owned()))?;
    key.try_into()
        .map_err(|error| Error::Internal(format!("a session's key: {error}")))
}

/// Encodes entries: actix-session stores JSON, our store plain text.
fn encode(state: &State) -> State {
    let entries = state.iter();
    entries
        .map(|(name, text)| (name.clone(), json(text)))
        .collect()
}

pub(super) fn decode(state: State) -> State {
    let plain = |text: String| serde_json::from_str(&text).unwrap_or(text);
    let added = [DIGEST, UNAVAILABLE, UNREAD];
    let stored = state
        .into_iter()
        .filter(|(name, _)| !added.contains(&name.as_str()));
    stored.map(|(name, text)| (name, plain(text))).collect()
}

fn json(text: &str) -> String {
    serde_json::to_string(text).expect("text is always JSON")
}

#[cfg(test)]
mod tests {
    use super::super::session_store::*;

    #[test]
    fn internal_fields_are_not_stored() {
        let state: State = [DIGEST, UNAVAILABLE, UNREAD, "uid"]
            .map(|name| (name.to_owned(), "42".to_owned()))
            .into();
        assert_eq!(
            decode(encode(&state)).into_keys().collect::<Vec<_>>(),
            ["uid"]
        );
    }

    #[test]
    fn a_session_without_a_key_is_not_stored() {
        let state = |name: &str| State::from([(name.to_owned(), json("42.abc"))]);
        assert!(new_session_key(state("uid")).is_err());
        assert!(new_session_key(state(KEY)).is_ok_and(|key| key.as_ref() == "42.abc"));
    }

    #[test]
    fn session_values_round_trip() {
        let state: State = [("draft", "a \"b\"\nc 12"), ("uid", "42")]
            .map(|(k, v)| (k.to_owned(), v.to_owned()))
            .into();
        assert_eq!(decode(encode(&state)), state);
    }
}
