//! Sessions of actix-session kept by our own store: Redis being away never hides a page that needs
//! no session, and nothing revives one that was revoked.

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

/// The entry of a session whose truth could not be read. Never stored.
pub(super) const UNAVAILABLE: &str = "unavailable";
/// The entry that names the session in the list of its person's sessions. Never stored.
pub(super) const DIGEST: &str = "digest";
/// The entry that says how many notifications its person has not read. Never stored.
pub(super) const UNREAD: &str = "unread";
/// The entry with which a handler hands over the cookie's value of the session that it began.
pub(in crate::web) const KEY: &str = "key";

/// The middleware that loads and saves sessions through the store of this thread.
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

/// The store, as actix-session wants one.
pub(in crate::web) struct Sessions(Store);

impl SessionStore for Sessions {
    /// While Redis is away, a marker instead of the state: the extractors answer with it, after
    /// the form's text has been read.
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

    /// Whoever logs in has saved the session already: only its key is left to be sent.
    async fn save(&self, state: State, _: &Duration) -> Result<SessionKey, SaveError> {
        begun(state).map_err(|error| SaveError::Other(error.into()))
    }

    /// Whoever changes a session has written that to the store already, where it still stood.
    async fn update(
        &self,
        key: SessionKey,
        _: State,
        _: &Duration,
    ) -> Result<SessionKey, UpdateError> {
        Ok(key)
    }

    /// Lifetimes grow with updates, at most once a day; the middleware is told to ask for no more.
    async fn update_ttl(&self, _: &SessionKey, _: &Duration) -> Result<(), anyhow::Error> {
        Ok(())
    }

    /// Whoever logs out has ended the session already.
    async fn delete(&self, _: &SessionKey) -> Result<(), anyhow::Error> {
        Ok(())
    }
}

/// The key of the session that a handler has begun.
fn begun(state: State) -> Result<SessionKey, Error> {
    let key = decode(state).remove(KEY);
    let key = key.ok_or_else(|| Error::Internal("a session that nobody began".to_owned()))?;
    key.try_into()
        .map_err(|error| Error::Internal(format!("a session's key: {error}")))
}

/// actix-session holds JSON in each entry, the store plain text.
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
    fn what_was_only_added_on_the_way_is_not_stored() {
        let state: State = [DIGEST, UNAVAILABLE, UNREAD, "uid"]
            .map(|name| (name.to_owned(), "42".to_owned()))
            .into();
        assert_eq!(
            decode(encode(&state)).into_keys().collect::<Vec<_>>(),
            ["uid"]
        );
    }

    #[test]
    fn a_session_that_nobody_began_is_not_saved() {
        let state = |name: &str| State::from([(name.to_owned(), json("42.abc"))]);
        assert!(begun(state("uid")).is_err());
        assert!(begun(state(KEY)).is_ok_and(|key| key.as_ref() == "42.abc"));
    }

    #[test]
    fn text_comes_back_as_it_was() {
        let state: State = [("draft", "a \"b\"\nc 12"), ("uid", "42")]
            .map(|(k, v)| (k.to_owned(), v.to_owned()))
            .into();
        assert_eq!(decode(encode(&state)), state);
    }
}
