//! Sessions, in the person's slot: `session:{uid}:<digest>` under a digest of the cookie's value. The
//! value itself is stored nowhere. A session is valid while its epoch equals the person's.

pub(super) mod actor;
pub(super) mod cached_session;
pub(super) mod calls;
pub(super) mod state;

use std::sync::Arc;

use futures_util::join;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use self::state::SessionState;
use super::{SessionInfo, prelude::*};
use crate::domain::{Restriction, Zone, hex};

/// A valid session, with the counts that every page shows.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Loaded {
    pub state: SessionState,
    /// Digest that names it in the person's list of sessions.
    pub digest: String,
    /// Number of unread notifications.
    pub unread: u64,
    /// Number of requests to follow the person.
    pub requests: u64,
    /// Number of conversations with unread messages.
    pub unread_chats: u64,
    /// Set while the account is suspended or deactivated.
    pub restriction: Option<Restriction>,
    /// The time zone in which pages show full times.
    #[serde(default)]
    pub zone: Zone,
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
        let loaded = match self.cached_session(owner, &digest).await? {
            Some(kept) => Some(kept),
            None => {
                let read = self.read_session(owner, digest);
                // If reading ahead fails, the page reads what it needs by itself.
                let (loaded, _) = join!(read, self.read_ahead(owner));
                loaded?
            }
        };
        if loaded.is_some() {
            self.count_visit(owner);
        }
        Ok(loaded)
    }

    /// Counts a person who loads a page among those who were here today.
    pub fn count_visit(&self, person: UserId) {
        self.activity.count_visit(person);
    }

    /// Starts a session and returns the cookie's value. A state with an outdated epoch starts a session
    /// that cannot be loaded. Beyond `max_sessions` the oldest sessions end.
    pub async fn save_session(&self, state: &SessionState) -> Result<String> {
        let [one, two]: [u128; 2] = rand::random();
        let key = format!("{}.{one:032x}{two:032x}", state.uid);
        self.save_session_under(state, &key).await?;
        Ok(key)
    }

    /// Starts a session whose cookie has this value. Repeated calls start one session.
    pub async fn save_session_under(&self, state: &SessionState, key: &str) -> Result<()> {
        let owner = state.uid;
        let digest = Self::session_digest(key);
        let save = calls::SaveSession {
            session: keys::session(owner, &digest),
            sessions: keys::sessions(owner),
            auth: keys::auth(owner),
            epoch: state.epoch.clone(),
            digest,
            state: state.to_json(),
            ttl_s: self.config.timeouts.session.as_secs(),
            now_ms: self.now().await?.0,
            max_sessions: self.config.limits.max_sessions,
        };
        let reply: Vec<String> = self.connection.write_durably(save.command()).await?;
        // A session of an epoch that is over is not saved, and never loads.
        let oldest = match reply.split_first() {
            Some((word, oldest)) if word == "saved" => oldest,
            Some((word, [])) if word == "session_ended" => &[],
            _ => return Err(calls::SaveSession::SCRIPT.undocumented(format!("{reply:?}"))),
        };
        self.drop_sessions(owner, oldest).await
    }

    /// Replaces the state of a session, named by its digest. Returns `false` if the session has ended.
    pub async fn update_session(&self, digest: &str, state: &SessionState) -> Result<bool> {
        let of = state.uid;
        let ttl_s = self.config.timeouts.session.as_secs();
        let set = redis::cmd("SET").with((keys::session(of, digest), state.to_json()));
        let now = self.now().await?.0;
        let update = vec![
            set.with(("XX", "EX", ttl_s)),
            // A clock that was set back makes no session older.
            redis::cmd("ZADD").with((keys::sessions(of), "XX", "GT", now, digest)),
            redis::cmd("EXPIRE").with((keys::sessions(of), ttl_s)),
        ];
        let answers = self.connection.chain(update).await?;
        let set: Option<String> = read(answers.into_iter().next().unwrap_or_default())?;
        Ok(set.is_some())
    }

    /// Ends one session of a person, named by its digest.
    pub async fn revoke_session(&self, of: UserId, digest: &str) -> Result<()> {
        let end = end_session(of, digest);
        self.connection.run_durably(&end).await
    }

    /// Deletes all sessions of a person. The new epoch has ended them already; this frees memory.
    pub async fn clear_sessions(&self, of: UserId) -> Result<()> {
        let all = all_members(keys::sessions(of));
        let listed: Vec<String> = self.connection.query(all).await?;
        self.drop_sessions(of, &listed).await
    }

    /// Returns a person's sessions, latest use first. Expired ones are removed from the list.
    pub async fn sessions(&self, of: UserId) -> Result<Vec<SessionInfo>> {
        let list = all_members(keys::sessions(of)).with("REV");
        let digests: Vec<String> = self.connection.query(list).await?;
        let state = |digest: &String| redis::cmd("GET").with(keys::session(of, digest));
        let epoch = redis::cmd("HGET").with((keys::auth(of), "epoch"));
        let reads = digests.iter().map(state).chain([epoch]);
        let mut states: Vec<Option<String>> = self.connection.query_each(reads).await?;
        let epoch = states.pop().flatten();
        let (mut living, mut expired) = (Vec::new(), Vec::new());
        for (digest, state) in digests.into_iter().zip(states) {
            match state.and_then(|json| SessionState::from_json(&json)) {
                Some(state) if epoch.as_ref() == Some(&state.epoch) => living.push(SessionInfo {
                    digest,
                    created: state.created,
                    seen: state.seen,
                    agent: state.agent,
                }),
                _ => expired.push(digest),
            }
        }
        self.drop_sessions(of, &expired).await?;
        Ok(living)
    }

    /// Sets the time zone in which pages show the actor full times, in all of their sessions.
    pub async fn set_zone(&self, call: &Call, actor: &Actor, zone: &Zone) -> Result<()> {
        let set = calls::SetZone {
            auth: keys::auth(actor.id()),
            deadline_ms: call.deadline(),
            zone: Some(zone.to_string())
                .filter(|_| !zone.is_utc())
                .unwrap_or_default(),
            session_epoch: actor.epoch().to_owned(),
        };
        self.connection.run_durably(&set).await
    }

    async fn drop_sessions(&self, of: UserId, digests: &[String]) -> Result<()> {
        if digests.is_empty() {
            return Ok(());
        }
        let ends = digests
            .iter()
            .map(|digest| end_session(of, digest).command());
        self.connection.batch(ends.collect()).await.map(drop)
    }
}

fn end_session(of: UserId, digest: &str) -> calls::EndSession {
    calls::EndSession {
        session: keys::session(of, digest),
        sessions: keys::sessions(of),
        channel: keys::live(of),
        device_log_in: keys::device_log_in(of),
        digest: digest.to_owned(),
    }
}

fn owner(key: &str) -> Option<UserId> {
    key.split_once('.').and_then(|(uid, _)| uid.parse().ok())
}
