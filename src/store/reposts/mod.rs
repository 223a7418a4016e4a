//! Single steps on reposts and quotes: the claim in the person's slot, and the original's side.

pub(super) mod grouping;

use redis::Value;

use super::{
    Actor, Call, Draw, Error, Key, Mirror, MirrorOutcome, OutboxEntry, Person, Relation, Result,
    Store, Viewer, keys,
    redis::{
        connection::read,
        scripts::{self, With},
    },
    relation::Place,
    statuses::drawn,
    timelines::profiles::older,
};
use crate::domain::{Cursor, Page, StatusHeader, StatusId, Thing, UserId};

/// Returns the original's side of a person's repost without a comment, or of a quote.
fn side(original: StatusId, id: StatusId, by: Option<UserId>) -> Mirror {
    match by {
        Some(by) => Relation::repost(by, original, id).mirror(),
        None => Mirror::quote(original, id),
    }
}

/// Returns the original's side. `None` for a status that is neither repost nor quote.
fn side_of(id: StatusId, status: &StatusHeader) -> Option<Mirror> {
    let by = status.repost_of.map(|_| status.author);
    Some(side(status.original()?.status, id, by))
}

impl Store {
    /// Writes the outbox entry, then claims an id for a repost, in two round trips. The person may have
    /// a claim already. If the outbox entry cannot be written, nothing is claimed.
    pub async fn claim_repost(
        &self,
        call: &Call,
        by: &Actor,
        original: StatusId,
    ) -> Result<(Draw, OutboxEntry)> {
        let outbox_entry = self
            .add_outbox_entry(&Thing::Repost(by.id, original))
            .await?;
        let claim = scripts::CLAIM_REPOST
            .on([
                keys::user(by.id),
                keys::own_reposts(by.id),
                keys::auth(by.id),
            ])
            .with(call.deadline())
            .with(original.get())
            .with(rand::random_range(0..1_u32 << StatusId::RANDOM_BITS))
            .with(StatusId::EPOCH_MS)
            .with(by.epoch());
        let answer: Vec<String> = self.connection.keep(claim).await?;
        match drawn(&scripts::CLAIM_REPOST, &answer) {
            Err(Error::Ended) => {
                self.remove_outbox_entry(outbox_entry).await?;
                Err(Error::Ended)
            }
            draw => Ok((draw?, outbox_entry)),
        }
    }

    /// Returns the id of a person's repost without a comment.
    pub async fn reposted_as(&self, by: UserId, original: StatusId) -> Result<Option<StatusId>> {
        let score = self.query_score(&claim(by, original)).await?;
        Ok(score.and_then(StatusId::of_score))
    }

    /// Makes a living repost the claimed one. Returns another one that is claimed already.
    pub async fn hold_repost(
        &self,
        call: &Call,
        by: UserId,
        original: StatusId,
        id: StatusId,
    ) -> Result<Option<StatusId>> {
        let hold = scripts::HOLD_REPOST
            .on([keys::own_reposts(by)])
            .with(call.deadline())
            .with(original.get())
            .with(id.get());
        let holder: String = self.connection.query(hold).await?;
        match holder.parse() {
            Ok(holder) => Ok(Some(holder).filter(|holder| *holder != id)),
            Err(_) => Err(scripts::HOLD_REPOST.undocumented(holder)),
        }
    }

    /// Removes a claim with an id that is dead or never existed.
    pub async fn release_repost(&self, by: UserId, original: StatusId, id: StatusId) -> Result<()> {
        let release = scripts::RELEASE_REPOST
            .on([keys::own_reposts(by)])
            .with(original.get())
            .with(id.get());
        self.connection.query::<String>(release).await.map(drop)
    }

    /// Writes the original's side of a repost or quote, if the original exists.
    pub async fn mirror_repost(
        &self,
        call: &Call,
        id: StatusId,
        status: &StatusHeader,
    ) -> Result<MirrorOutcome> {
        match side_of(id, status) {
            Some(side) => self.mirror_relation(call, &side).await,
            None => Ok(MirrorOutcome::Done),
        }
    }

    /// Removes the original's side of a deleted repost or quote.
    pub async fn unmirror_repost(&self, id: StatusId, status: &StatusHeader) -> Result<()> {
        match side_of(id, status) {
            Some(side) => self.unmirror_relation(None, &side).await.map(drop),
            None => Ok(()),
        }
    }

    /// Removes a wrong repost or quote from the original's side.
    pub async fn forget_repost(
        &self,
        original: StatusId,
        id: StatusId,
        by: Option<UserId>,
    ) -> Result<()> {
        if let Some(by) = by {
            self.release_repost(by, original, id).await?;
        }
        let side = side(original, id, by);
        self.unmirror_relation(None, &side).await.map(drop)
    }

    /// Returns whether a status has reposts or quotes.
    pub async fn is_reposted(&self, id: StatusId) -> Result<bool> {
        let exists = redis::cmd("EXISTS")
            .with(keys::reposted_by(id))
            .with(keys::quotes(id));
        Ok(self.connection.query::<u64>(exists).await? > 0)
    }

    /// Returns the newest `count` reposts and quotes below an id, newest first, with the person of each
    /// repost. One round trip.
    pub async fn reposts_before(
        &self,
        original: StatusId,
        before: Option<StatusId>,
        count: usize,
    ) -> Result<Vec<(StatusId, Option<UserId>)>> {
        let newest = |key: String| {
            redis::cmd("ZRANGE")
                .with(key)
                .with(before.map_or_else(|| "-inf".to_owned(), |id| format!("(-{id}")))
                .with(&["+inf", "BYSCORE", "LIMIT", "0"])
                .with(count)
                .with("WITHSCORES")
        };
        let reads = [keys::reposted_by(original), keys::quotes(original)].map(newest);
        let mut answers = self.connection.batch(reads.into()).await?.into_iter();
        let mut next = || reposters(answers.next().unwrap_or_default());
        let reposts = next()?.into_iter().map(|(by, id)| (id, Some(by)));
        let quotes = next()?.into_iter().map(|(_, id)| (id, None));
        let mut all: Vec<(StatusId, Option<UserId>)> = reposts.chain(quotes).collect();
        all.sort_unstable_by(|(a, _), (b, _)| b.cmp(a));
        all.truncate(count);
        Ok(all)
    }

    /// Returns one page of the people who repost a status without a comment, newest first.
    pub async fn reposters_page(
        &self,
        viewer: Viewer,
        of: StatusId,
        before: Option<Cursor>,
    ) -> Result<Page<Person>> {
        let rows = async |before: Option<Cursor>, count| {
            let older = older(keys::reposted_by(of), before, count).with("WITHSCORES");
            let rows = reposters(self.connection.query(older).await?)?;
            let place = |(by, id): (UserId, StatusId)| (by.get(), Cursor::before(id.get()));
            Ok(rows.into_iter().map(place).collect())
        };
        self.people_at(viewer, before, rows).await
    }
}

/// Returns the place of a person's claim: the score is the negated id of the repost.
fn claim(by: UserId, original: StatusId) -> Place {
    Place::new(Key::OwnReposts(by), original)
}

/// Decodes members and the ids that their scores negate.
pub(super) fn reposters(answer: Value) -> Result<Vec<(UserId, StatusId)>> {
    let rows: Vec<(u64, f64)> = read(answer)?;
    let rows = rows.into_iter();
    Ok(rows
        .filter_map(|(member, score)| Some((UserId::new(member).ok()?, StatusId::of_score(score)?)))
        .collect())
}
