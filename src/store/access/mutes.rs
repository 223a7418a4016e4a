//! Mutes of people: setting and lifting one, and the people that a user mutes. They lie in the slot of the user
//! who mutes and have no copies. A page leaves muted people out when it is read, so a mute that ends or is
//! lifted leaves nothing to undo.

use crate::{
    domain::{Mute, MuteTerm},
    store::{SetOutcome, prelude::*},
};

/// Term of a mute that lasts until it is lifted (µs): 127 years. Ends from here on mean that there is none.
const FOREVER_US: u64 = 4_000_000_000_000_000;
const HOUR_US: u64 = 3_600_000_000;

script_calls! {
    SetMute = "set_mute"(
        muted, user, auth, arrivals, channel;
        deadline_ms: u64, member: String, limit: usize, session_epoch: String, term_us: u64,
        max_bytes: usize, removable_us: u64
    );
}

/// Returns the time of this end (µs).
pub(super) fn end_of(end_us: u64) -> UnixMs {
    UnixMs(end_us / 1000)
}

/// Returns the mute with this end (µs), unless it has ended.
pub(super) fn mute_of(end_us: u64, now: UnixMs) -> Option<Mute> {
    let end = end_of(end_us);
    let until = (end_us < FOREVER_US).then_some(end);
    (end > now).then_some(Mute { until })
}

pub(super) fn term_us(term: MuteTerm) -> u64 {
    term.hours().map_or(FOREVER_US, |hours| hours * HOUR_US)
}

/// Builds the read of the people that a user mutes at this time.
pub(in crate::store) fn muted_people_at(of: UserId, at: UnixMs) -> Cmd {
    let first_end_us = (at.0 + 1) * 1000;
    redis::cmd("ZRANGE").with((keys::muted(of), first_end_us, "+inf", "BYSCORE"))
}

impl Store {
    /// Mutes a person, or changes the end of the mute. Without a term, lifts it. Mutes that ended before
    /// `removable_until`, of [`Store::removable_until`], are removed.
    pub async fn set_mute(
        &self,
        call: &Call,
        actor: &Actor,
        person: UserId,
        term: Option<MuteTerm>,
        removable_until: UnixMs,
    ) -> Result<SetOutcome> {
        let set = SetMute {
            muted: keys::muted(actor.id),
            user: keys::user(actor.id),
            auth: keys::auth(actor.id),
            arrivals: keys::arrivals(actor.id),
            channel: keys::live(actor.id),
            deadline_ms: call.deadline(),
            member: person.to_string(),
            limit: self.config.limits.max_muted,
            session_epoch: actor.epoch().to_owned(),
            term_us: term.map_or(0, term_us),
            max_bytes: 0,
            removable_us: removable_until.0 * 1000,
        };
        self.connection.run_durably(&set).await
    }

    /// Returns the viewer's mute of a person.
    pub async fn mute_of(&self, viewer: Viewer, person: UserId) -> Result<Option<Mute>> {
        Ok(self.access(viewer).await?.mute_of(person))
    }

    /// Returns one page of the people that a user mutes, the mute that ends last first.
    pub async fn muted_page(
        &self,
        of: UserId,
        before: Option<Cursor>,
    ) -> Result<Page<(Person, Mute)>> {
        let (viewer, key) = (Viewer::Member(of), keys::muted(of));
        let now = self.now().await?;
        let rows = async |before, count| {
            let rows = self.edges_before(&key, before, count).await?;
            let current = rows
                .into_iter()
                .map(|(id, score)| (id, score as u64))
                .filter(|(_, end_us)| mute_of(*end_us, now).is_some());
            Ok(current
                .map(|(id, end_us)| (id, Cursor::before(end_us)))
                .collect())
        };
        let people = self.people_at(viewer, before, rows).await?;
        let access = self.access(viewer).await?;
        let with_mute = |person: Person| Some((access.mute_of(person.user.id)?, person));
        let items = people.items.into_iter().filter_map(with_mute);
        Ok(Page {
            items: items.map(|(mute, person)| (person, mute)).collect(),
            next: people.next,
        })
    }

    /// Removes any member from the people that a user mutes.
    pub async fn drop_mute(&self, of: UserId, member: &str) -> Result<()> {
        let remove = redis::cmd("ZREM").with((keys::muted(of), member));
        self.connection.query::<i64>(remove).await.map(drop)
    }
}
