//! Sessions, in the person's slot: `session:{uid}:<digest>` under a digest of the cookie's value. The
//! value itself is stored nowhere. A session is valid while its epoch equals the person's.

pub(super) mod actor;
pub(super) mod cached_session;

use std::{collections::HashMap, sync::Arc};

use sha2::{Digest, Sha256};

use super::{
    Error, Result, SessionInfo, Store, UnixMs, keys,
    redis::{
        connection::read,
        scripts::{self, With},
    },
};
use crate::domain::{UserId, hex};

/// The entries of a session. `uid` and `epoch` are always present.
pub type State = HashMap<String, String>;

/// A valid session, with the unread count that every page shows.
#[derive(Debug, Clone)]
pub struct Loaded {
    pub state: State,
    /// Digest that names it in the person's list of sessions.
    pub digest: String,
    /// Number of unread notifications.
    pub unread: u64,
}

impl Store {
    /// Returns the digest that names a session's key.
    #[must_use]
    pub fn session_digest(key: &str) -> String {
        hex(&Sha256::digest(key.as_bytes()))
    }

    /// Returns the session for a cookie value `<uid>.<random>`. `None` if it was revoked, has expired or
    /// belongs to an earlier epoch. One round trip reads it. If it is cached, the round trip reads
    /// nothing and is shared with other requests; a second one follows only if something changed.
    pub async fn load_session(&self, key: &str) -> Result<Option<Arc<Loaded>>> {
        let Some(owner) = owner(key) else {
            return Ok(None);
        };
        let digest = Self::session_digest(key);
        match self.cached_session(owner, &digest).await? {
            Some(kept) => Ok(Some(kept)),
            None => self.read_session(owner, digest).await,
        }
    }

    /// Starts a session and returns the cookie's value. A state with an outdated epoch starts a session
    /// that cannot be loaded. Beyond `max_sessions` the oldest sessions end.
    pub async fn save_session(&self, state: &State) -> Result<String> {
        let owner = state.get("uid").and_then(|uid| uid.parse::<UserId>().ok());
        let owner = owner.ok_or(Error::Unexpected {
            what: "a session",
            answer: "it is nobody's".into(),
        })?;
        let key = format!(
            "{owner}.{:032x}{:032x}",
            rand::random::<u128>(),
            rand::random::<u128>()
        );
        let digest = Self::session_digest(&key);
        let begin = scripts::SAVE_SESSION
            .on([
                keys::session(owner, &digest),
                keys::sessions(owner),
                keys::auth(owner),
            ])
            .with(state.get("epoch").map_or("", String::as_str))
            .with(&digest)
            .with(encode(state))
            .with(self.config.timeouts.session.as_secs())
            .with(self.now().await?.0)
            .with(self.config.limits.max_sessions);
        let reply: Vec<String> = self.connection.keep(begin).await?;
        // A session of an epoch that is over is not saved, and never loads.
        let oldest = match reply.split_first() {
            Some((word, oldest)) if word == "saved" => oldest,
            Some((word, [])) if word == "session_ended" => &[],
            _ => return Err(scripts::SAVE_SESSION.undocumented(format!("{reply:?}"))),
        };
        self.drop_sessions(owner, oldest).await?;
        Ok(key)
    }

    /// Replaces the state of a session, named by its digest. Returns `false` if the session has ended.
    pub async fn update_session(&self, of: UserId, digest: &str, state: &State) -> Result<bool> {
        let ttl_s = self.config.timeouts.session.as_secs();
        let update = vec![
            redis::cmd("SET")
                .with(keys::session(of, digest))
                .with(encode(state))
                .with("XX")
                .with("EX")
                .with(ttl_s),
            redis::cmd("ZADD")
                .with(keys::sessions(of))
                .with("XX")
                .with(self.now().await?.0)
                .with(digest),
            redis::cmd("EXPIRE").with(keys::sessions(of)).with(ttl_s),
        ];
        let answers = self.connection.chain(update).await?;
        let set: Option<String> = read(answers.into_iter().next().unwrap_or_default())?;
        Ok(set.is_some())
    }

    /// Ends a session.
    pub async fn delete_session(&self, key: &str) -> Result<()> {
        let Some(owner) = owner(key) else {
            return Ok(());
        };
        self.revoke_session(owner, &Self::session_digest(key)).await
    }

    fn end(of: UserId, digest: &str) -> redis::Cmd {
        scripts::END_SESSION
            .on([
                keys::session(of, digest),
                keys::sessions(of),
                keys::live(of),
            ])
            .with(digest)
    }

    /// Ends one session of a person, named by its digest.
    pub async fn revoke_session(&self, of: UserId, digest: &str) -> Result<()> {
        let end = Self::end(of, digest);
        self.connection.keep::<String>(end).await.map(drop)
    }

    /// Deletes all sessions of a person. The new epoch has ended them already; this frees memory.
    pub async fn clear_sessions(&self, of: UserId) -> Result<()> {
        let listed: Vec<String> = self
            .connection
            .query(
                redis::cmd("ZRANGE")
                    .with(keys::sessions(of))
                    .with(0)
                    .with(-1),
            )
            .await?;
        self.drop_sessions(of, &listed).await
    }

    /// Returns a person's sessions, latest use first. Expired ones are removed from the list.
    pub async fn sessions(&self, of: UserId) -> Result<Vec<SessionInfo>> {
        let list = redis::cmd("ZRANGE")
            .with(keys::sessions(of))
            .with(0)
            .with(-1)
            .with("REV");
        let digests: Vec<String> = self.connection.query(list).await?;
        let mut reads: Vec<_> = digests
            .iter()
            .map(|digest| redis::cmd("GET").with(keys::session(of, digest)))
            .collect();
        reads.push(redis::cmd("HGET").with(keys::auth(of)).with("epoch"));
        let mut states = self.connection.batch(reads).await?;
        let epoch: Option<String> = read(states.pop().unwrap_or_default())?;
        let (mut living, mut expired) = (Vec::new(), Vec::new());
        for (digest, state) in digests.into_iter().zip(states) {
            let state: Option<String> = read(state)?;
            match state.and_then(|json| serde_json::from_str::<State>(&json).ok()) {
                Some(state) if state.get("epoch") == epoch.as_ref() => {
                    living.push(info(digest, &state))
                }
                _ => expired.push(digest),
            }
        }
        self.drop_sessions(of, &expired).await?;
        Ok(living)
    }

    async fn drop_sessions(&self, of: UserId, digests: &[String]) -> Result<()> {
        if digests.is_empty() {
            return Ok(());
        }
        let ends = digests.iter().map(|digest| Self::end(of, digest));
        self.connection.batch(ends.collect()).await.map(drop)
    }
}

fn owner(key: &str) -> Option<UserId> {
    key.split_once('.').and_then(|(uid, _)| uid.parse().ok())
}

fn encode(state: &State) -> String {
    serde_json::to_string(state).expect("a map of strings is always JSON")
}

fn info(digest: String, state: &State) -> SessionInfo {
    let ms = |field: &str| {
        UnixMs(
            state
                .get(field)
                .and_then(|ms| ms.parse().ok())
                .unwrap_or_default(),
        )
    };
    SessionInfo {
        digest,
        created: ms("created"),
        seen: ms("seen"),
        agent: state.get("agent").cloned().unwrap_or_default(),
    }
}
