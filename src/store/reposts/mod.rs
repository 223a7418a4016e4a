//! Single steps on reposts and quotes: the claim in the person's slot, and the original's side.

pub(super) mod grouping;

use redis::Value;

use super::{
    Actor, Call, Draw, Error, OutboxEntry, Person, Result, Store, Viewer, keys,
    redis::{
        connection::read,
        scripts::{self, With},
    },
    statuses::drawn,
    timelines::profiles::older,
};
use crate::domain::{Cursor, Page, StatusHeader, StatusId, Thing, UserId};

/// Outcome of writing the original's side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MirrorRepost {
    Done,
    /// The original is not alive.
    Dead,
}

/// The original's side of a repost or quote: key, member and count field.
struct Side {
    place: String,
    original: String,
    member: u64,
    field: &'static str,
}

impl Side {
    /// Returns `None` for a status that is neither repost nor quote.
    fn of(id: StatusId, status: &StatusHeader) -> Option<Self> {
        let by = status.repost_of.map(|_| status.author);
        Some(Self::under(status.original()?.status, id, by))
    }

    /// Returns the side for a person's repost without a comment, or for a quote.
    fn under(original: StatusId, id: StatusId, by: Option<UserId>) -> Self {
        match by {
            Some(by) => Self {
                place: keys::reposted_by(original),
                original: keys::status(original),
                member: by.get(),
                field: "repost_count",
            },
            None => Self {
                place: keys::quotes(original),
                original: keys::status(original),
                member: id.get(),
                field: "quote_count",
            },
        }
    }
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
            Err(Error::Ended) => self.ended(outbox_entry).await,
            draw => Ok((draw?, outbox_entry)),
        }
    }

    /// Returns the id of a person's repost without a comment.
    pub async fn reposted_as(&self, by: UserId, original: StatusId) -> Result<Option<StatusId>> {
        let score = claim(by, original);
        let score: Option<f64> = self.connection.query(score).await?;
        Ok(score.and_then(StatusId::of_score))
    }

    /// Returns whether each person reposts the status without a comment, by their claim or by the
    /// original's side. One round trip.
    pub async fn are_reposted(&self, pairs: &[(UserId, StatusId)]) -> Result<Vec<bool>> {
        let sides = pairs.iter().flat_map(|(by, id)| {
            let side = redis::cmd("ZSCORE")
                .with(keys::reposted_by(*id))
                .with(by.get());
            [claim(*by, *id), side]
        });
        let sides = self.stands_in_each(sides.collect()).await?;
        Ok(sides.chunks(2).map(|pair| pair.contains(&true)).collect())
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
        self.connection.query::<i64>(release).await.map(drop)
    }

    /// Writes the original's side of a repost or quote, if the original is alive.
    pub async fn mirror_repost(
        &self,
        call: &Call,
        id: StatusId,
        status: &StatusHeader,
    ) -> Result<MirrorRepost> {
        let Some(side) = Side::of(id, status) else {
            return Ok(MirrorRepost::Done);
        };
        let mirror = scripts::MIRROR_REPOST
            .on([side.place, side.original])
            .with(call.deadline())
            .with(side.member)
            .with(id.get())
            .with(side.field);
        match self.connection.query::<i64>(mirror).await? {
            1 => Ok(MirrorRepost::Done),
            0 => Ok(MirrorRepost::Dead),
            code => Err(scripts::MIRROR_REPOST.undocumented(code)),
        }
    }

    /// Removes the original's side of a dead repost or quote.
    pub async fn unmirror_repost(&self, id: StatusId, status: &StatusHeader) -> Result<()> {
        match Side::of(id, status) {
            Some(side) => self.unmirror(side, id).await,
            None => Ok(()),
        }
    }

    async fn unmirror(&self, side: Side, id: StatusId) -> Result<()> {
        let unmirror = scripts::UNMIRROR_REPOST
            .on([side.place, side.original])
            .with(side.member)
            .with(id.get())
            .with(side.field);
        self.connection.query::<i64>(unmirror).await.map(drop)
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
        self.unmirror(Side::under(original, id, by), id).await
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

    /// Returns the claimed id of each repost's author and original. One round trip.
    pub async fn held_as_each(
        &self,
        reposts: &[(StatusId, StatusHeader)],
    ) -> Result<Vec<Option<StatusId>>> {
        let score = |(id, status): &(StatusId, StatusHeader)| {
            let original = status.original().map_or(*id, |origin| origin.status);
            claim(status.author, original)
        };
        self.numbers(reposts.iter().map(score).collect()).await
    }

    /// Returns the id on the original's side for each of these. One round trip.
    pub async fn mirrored_as_each(
        &self,
        reposts: &[(StatusId, StatusHeader)],
    ) -> Result<Vec<Option<StatusId>>> {
        let score = |(id, status): &(StatusId, StatusHeader)| {
            let (key, member) = match Side::of(*id, status) {
                Some(side) => (side.place, side.member),
                None => (keys::reposted_by(*id), 0),
            };
            redis::cmd("ZSCORE").with(key).with(member)
        };
        self.numbers(reposts.iter().map(score).collect()).await
    }

    /// Returns ids that are stored as negated scores.
    async fn numbers(&self, scores: Vec<redis::Cmd>) -> Result<Vec<Option<StatusId>>> {
        let answers = self.connection.batch(scores).await?.into_iter();
        answers
            .map(|answer| Ok(read::<Option<f64>>(answer)?.and_then(StatusId::of_score)))
            .collect()
    }
}

fn claim(by: UserId, original: StatusId) -> redis::Cmd {
    redis::cmd("ZSCORE")
        .with(keys::own_reposts(by))
        .with(original.get())
}

/// Decodes members and the ids that their scores negate.
pub(super) fn reposters(answer: Value) -> Result<Vec<(UserId, StatusId)>> {
    let rows: Vec<(u64, f64)> = read(answer)?;
    let rows = rows.into_iter();
    Ok(rows
        .filter_map(|(member, score)| Some((UserId::new(member).ok()?, StatusId::of_score(score)?)))
        .collect())
}
