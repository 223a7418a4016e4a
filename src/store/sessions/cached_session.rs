//! The cached session. A reader who opens page after page is mostly still logged in and has no new
//! notification. The connection caches the session, and Redis invalidates it when a key that it was read
//! from changes.

use std::{
    mem::size_of,
    sync::Arc,
    time::{Duration, Instant},
};

use super::{calls, state::SessionState};
use crate::{
    domain::{Restriction, Zone},
    store::{Loaded, cache::recording::note_expiry, prelude::*},
};

/// The session of a user that was loaded last. Another session of the same user takes its place.
struct CachedSession {
    loaded: Arc<Loaded>,
    /// Time at which Redis expires it, by this machine's clock. That clock may stop while the machine
    /// sleeps; then the invalidation from Redis ends it.
    until: Instant,
}

impl CachedSession {
    fn is_valid(&self, digest: &str) -> bool {
        self.loaded.digest == digest && Instant::now() < self.until
    }

    fn bytes(&self) -> usize {
        let Loaded { state, digest, .. } = &*self.loaded;
        size_of::<Self>() + size_of::<Loaded>() + digest.len() + state.text_bytes()
    }
}

impl Store {
    /// Returns the session of this digest if it is cached and unchanged after a round trip that starts
    /// after this call. On a single node, the round trip is shared with other callers.
    pub(super) async fn cached_session(
        &self,
        of: UserId,
        digest: &str,
    ) -> Result<Option<Arc<Loaded>>> {
        let key = Key::Auth(of);
        let is_valid = |cached: &Arc<CachedSession>| cached.is_valid(digest);
        if self.cached_value(&key).filter(is_valid).is_none() {
            return Ok(None);
        }
        if !self.is_cluster() {
            self.connection.catch_up().await?;
        }
        let cached = self.current_value(&key).await?.filter(is_valid);
        Ok(cached.map(|cached| {
            note_expiry(cached.until);
            Arc::clone(&cached.loaded)
        }))
    }

    /// Reads a session. The parsed result is cached for as long as Redis keeps the session.
    pub(super) async fn read_session(
        &self,
        of: UserId,
        digest: String,
    ) -> Result<Option<Arc<Loaded>>> {
        let load = calls::LoadSession {
            session: keys::session(of, &digest),
            auth: keys::auth(of),
            notifications: keys::notifications(of),
            read_marker: keys::read_marker(of),
            requests: keys::requests(of),
            unread_chats: keys::unread_chats(of),
        };
        let to_cache = |parsed: &Option<(Arc<Loaded>, Duration)>, start| {
            let (loaded, lifetime) = parsed.as_ref()?;
            let session = CachedSession {
                loaded: Arc::clone(loaded),
                until: start + *lifetime,
            };
            note_expiry(session.until);
            let bytes = session.bytes();
            Some((session, bytes))
        };
        let parse = |answer| parse(answer, digest);
        let parsed = self.read_through_cache(Key::Auth(of), load.command(), parse, to_cache);
        Ok(parsed.await?.map(|(loaded, _)| loaded))
    }
}

/// Decodes a valid session and its remaining lifetime.
fn parse(answer: Value, digest: String) -> Result<Option<(Arc<Loaded>, Duration)>> {
    type Text = Option<String>;
    type Answer = (Text, Text, i64, u64, Text, Text, u64, u64, Text);
    let (state, epoch, ttl_ms, unread, restriction, login, requests, unread_chats, zone): Answer =
        read(answer)?;
    let mut state = state.and_then(|json| SessionState::from_json(&json));
    if let (Some(state), Some(login)) = (&mut state, login.as_deref().and_then(Login::stored)) {
        state.login = login;
    }
    let valid = state.filter(|state| epoch.as_ref() == Some(&state.epoch));
    // A session without expiry is not cached; none is created.
    let lifetime = Duration::from_millis(u64::try_from(ttl_ms).unwrap_or_default());
    let loaded = valid.map(|state| Loaded {
        state,
        digest,
        unread,
        requests,
        unread_chats,
        restriction: restriction.as_deref().and_then(Restriction::stored),
        zone: zone.as_deref().and_then(Zone::named).unwrap_or_default(),
    });
    Ok(loaded.map(|loaded| (Arc::new(loaded), lifetime)))
}
