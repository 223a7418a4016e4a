//! The cached session. A reader who opens page after page is mostly still logged in and has no new
//! notification. The connection caches the session, and Redis invalidates it when a key that it was read
//! from changes.

use std::{
    mem::size_of,
    sync::Arc,
    time::{Duration, Instant},
};

use redis::Value;

use super::State;
use crate::{
    domain::UserId,
    store::{
        Loaded, Result, Store,
        cache::{Held, Name},
        keys,
        redis::{connection::read, scripts},
    },
};

/// Memory per entry of a state, besides its text.
const ENTRY_BYTES: usize = 2 * size_of::<String>() + 2 * size_of::<usize>();

/// The session of somebody's that was loaded last. Another one of theirs takes its place.
pub(in crate::store) struct KeptSession {
    loaded: Arc<Loaded>,
    /// Time at which Redis expires it, by this machine's clock. That clock may stop while the machine
    /// sleeps; then the invalidation from Redis ends it.
    until: Instant,
}

impl KeptSession {
    fn bytes(&self) -> usize {
        let state = self.loaded.state.iter();
        let texts = state.map(|(name, text)| name.len() + text.len() + ENTRY_BYTES);
        size_of::<Self>() + size_of::<Loaded>() + self.loaded.digest.len() + texts.sum::<usize>()
    }
}

impl Store {
    /// The session of that digest, where it was loaded lately and nothing has changed: as it is after a trip
    /// that begins after this call and is shared with others who ask. `None` where it is not kept.
    pub(in crate::store) async fn kept_session(
        &self,
        of: UserId,
        digest: &str,
    ) -> Result<Option<Arc<Loaded>>> {
        if self.session_at_hand(of, digest).is_none() {
            return Ok(None);
        }
        self.connection.catch_up().await?;
        Ok(self.session_at_hand(of, digest))
    }

    fn session_at_hand(&self, of: UserId, digest: &str) -> Option<Arc<Loaded>> {
        let Held::Session(kept) = self.connection.cache()?.held(Name::Session(of))? else {
            return None;
        };
        let holds = kept.loaded.digest == digest && Instant::now() < kept.until;
        holds.then(|| Arc::clone(&kept.loaded))
    }

    /// Reads a session. The parsed result is cached for as long as Redis keeps the session.
    pub(super) async fn read_session(
        &self,
        of: UserId,
        digest: String,
    ) -> Result<Option<Arc<Loaded>>> {
        let read = scripts::LOAD_SESSION.on([
            keys::session(of, &digest),
            keys::auth(of),
            keys::notifications(of),
            keys::read_marker(of),
        ]);
        let held = |found: &Option<(Arc<Loaded>, Duration)>, begun| {
            let (loaded, lasts) = found.as_ref()?;
            let kept = KeptSession {
                loaded: Arc::clone(loaded),
                until: begun + *lasts,
            };
            let bytes = kept.bytes();
            Some((Held::Session(Arc::new(kept)), bytes))
        };
        let parse = |answer| parse(answer, digest);
        let found = self.read_kept(Name::Session(of), read, parse, held).await?;
        Ok(found.map(|(loaded, _)| loaded))
    }
}

/// Decodes a valid session and its remaining lifetime.
fn parse(answer: Value, digest: String) -> Result<Option<(Arc<Loaded>, Duration)>> {
    let (state, epoch, ttl_ms, unread): (Option<String>, Option<String>, i64, u64) = read(answer)?;
    let state: Option<State> = state.and_then(|json| serde_json::from_str(&json).ok());
    let stands = state.filter(|state| epoch.is_some() && state.get("epoch") == epoch.as_ref());
    // A session without expiry is not cached; none is created.
    let lasts = Duration::from_millis(u64::try_from(ttl_ms).unwrap_or_default());
    let loaded = stands.map(|state| Loaded {
        state,
        digest,
        unread,
    });
    Ok(loaded.map(|loaded| (Arc::new(loaded), lasts)))
}
