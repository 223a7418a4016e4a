//! Single steps on tag follows: the source of truth with its outbox entry in the follower's slot, the
//! mirror in the tag's slot. Also the followed tags as pages read them.

use std::{collections::HashMap, sync::Arc};

use redis::{Cmd, Value};

use crate::{
    domain::{FoldedTag, StatusId, Thing, UserId, tags_of},
    store::{
        Actor, Call, Collect, Key, Mirror, OutboxEntry, Result, Store, VisibleStatus,
        cache::CachedRow,
        keys,
        redis::{
            connection::read,
            scripts::{self, With},
        },
        timelines::profiles::status_ids,
    },
};

/// The tags that a person follows, latest first.
#[derive(Debug, Default, PartialEq)]
pub struct FollowedTags(Vec<FoldedTag>);

impl FollowedTags {
    #[must_use]
    pub fn tags(&self) -> &[FoldedTag] {
        &self.0
    }
}

impl Store {
    /// Writes the outbox entry, then follows a tag, in two round trips.
    pub async fn set_tag_follow(
        &self,
        call: &Call,
        actor: &Actor,
        tag: &FoldedTag,
    ) -> Result<(Collect, OutboxEntry)> {
        let outbox_entry = self
            .add_outbox_entry(&Thing::TagFollow(actor.id, tag.clone()))
            .await?;
        let set = scripts::COLLECT_STATUS
            .on([
                keys::followed_tags(actor.id),
                keys::user(actor.id),
                keys::auth(actor.id),
            ])
            .with(call.deadline())
            .with(tag.as_str())
            .with(self.config.limits.max_tags)
            .with(actor.epoch());
        let outcome = match self.connection.keep::<i64>(set).await? {
            0 | 1 => Collect::Kept,
            -1 => Collect::TooMany,
            -2 => Collect::UnknownPerson,
            -3 => return self.ended(outbox_entry).await,
            code => return Err(scripts::COLLECT_STATUS.undocumented(code)),
        };
        Ok((outcome, outbox_entry))
    }

    /// Writes the outbox entry, then unfollows a tag, in two round trips.
    pub async fn clear_tag_follow(
        &self,
        call: &Call,
        actor: &Actor,
        tag: &FoldedTag,
    ) -> Result<OutboxEntry> {
        let outbox_entry = self
            .add_outbox_entry(&Thing::TagFollow(actor.id, tag.clone()))
            .await?;
        let clear = scripts::DISCARD_STATUS
            .on([
                keys::followed_tags(actor.id),
                keys::user(actor.id),
                keys::auth(actor.id),
            ])
            .with(call.deadline())
            .with(tag.as_str())
            .with(actor.epoch());
        match self.connection.keep::<i64>(clear).await? {
            0 | 1 => Ok(outbox_entry),
            -3 => self.ended(outbox_entry).await,
            code => Err(scripts::DISCARD_STATUS.undocumented(code)),
        }
    }

    /// Returns whether a person follows a tag.
    pub async fn follows_tag(&self, who: UserId, tag: &FoldedTag) -> Result<bool> {
        let score = redis::cmd("ZSCORE")
            .with(keys::followed_tags(who))
            .with(tag.as_str());
        Ok(self.connection.query::<Option<f64>>(score).await?.is_some())
    }

    /// Writes the tag's side and reads its newest `count` statuses in the same step.
    pub async fn mirror_tag_follow(
        &self,
        call: &Call,
        who: UserId,
        tag: &FoldedTag,
        count: usize,
    ) -> Result<Mirror> {
        let mirror = scripts::MIRROR_TAG_FOLLOW
            .on([keys::tag_followers(tag), keys::tag_index(tag)])
            .with(call.deadline())
            .with(who.get())
            .with(count);
        let (audience, posts, newest): (u64, usize, Vec<u64>) =
            self.connection.query(mirror).await?;
        Ok(Mirror {
            audience,
            newest: status_ids(newest),
            posts,
            answered: Vec::new(),
            older_answered: None,
        })
    }

    /// Removes the tag's side.
    pub async fn unmirror_tag_follow(
        &self,
        call: &Call,
        who: UserId,
        tag: &FoldedTag,
    ) -> Result<()> {
        let unmirror = scripts::UNMIRROR_EDGE
            .on([keys::tag_followers(tag)])
            .with(call.deadline())
            .with(who.get())
            .with("");
        self.connection.query::<i64>(unmirror).await.map(drop)
    }

    /// Returns whether each of these people follows the tag. One round trip.
    pub async fn tag_followed_by_each(
        &self,
        tag: &FoldedTag,
        people: &[UserId],
    ) -> Result<Vec<bool>> {
        let score = |who: &UserId| {
            redis::cmd("ZSCORE")
                .with(keys::followed_tags(*who))
                .with(tag.as_str())
        };
        self.stands_in_each(people.iter().map(score).collect())
            .await
    }

    /// Returns whether each of these tags lists the person as a follower. One round trip.
    pub async fn follows_each_tag(&self, who: UserId, tags: &[FoldedTag]) -> Result<Vec<bool>> {
        let score = |tag: &FoldedTag| {
            redis::cmd("ZSCORE")
                .with(keys::tag_followers(tag))
                .with(who.get())
        };
        self.stands_in_each(tags.iter().map(score).collect()).await
    }

    /// Returns the followed tags, at least as new as this connection's last round trip. One round trip,
    /// none if cached.
    pub async fn tag_follows(&self, of: UserId) -> Result<Arc<FollowedTags>> {
        let rows = self.rows_of::<FollowedTags>(&[of]).await?;
        Ok(rows.into_iter().next().flatten().unwrap_or_default())
    }

    /// Returns the statuses of a home that came by a tag alone, with the tag: those by authors that the
    /// owner does not follow. One round trip, none if no status has a followed tag.
    pub async fn brought_by_tags<'a>(
        &self,
        reader: UserId,
        tag_follows: &FollowedTags,
        statuses: impl IntoIterator<Item = &'a VisibleStatus>,
    ) -> Result<HashMap<StatusId, FoldedTag>> {
        if tag_follows.0.is_empty() {
            return Ok(HashMap::new());
        }
        let tagged = statuses.into_iter().filter(|status| !status.is_own());
        let tagged = tagged.filter_map(|status| {
            let mut tags = tags_of(status.message()).into_iter();
            let tag = tags.find(|tag| tag_follows.0.contains(tag))?;
            Some((status, tag))
        });
        let tagged: Vec<(&VisibleStatus, FoldedTag)> = tagged.collect();
        if tagged.is_empty() {
            return Ok(HashMap::new());
        }
        let authors: Vec<u64> = tagged.iter().map(|(by, _)| by.author().id.get()).collect();
        let follows = redis::cmd("ZMSCORE")
            .with(keys::following(reader))
            .with(authors);
        let follows: Vec<Option<f64>> = self.connection.query(follows).await?;
        let strangers = tagged.into_iter().zip(follows);
        let strangers = strangers.filter(|(_, follows)| follows.is_none());
        Ok(strangers
            .map(|((status, tag), _)| (status.id(), tag))
            .collect())
    }
}

impl CachedRow for FollowedTags {
    type Question = UserId;

    fn key(of: &UserId) -> Key {
        Key::FollowedTags(*of)
    }

    fn command(of: &UserId) -> Cmd {
        redis::cmd("ZRANGE")
            .with(keys::followed_tags(*of))
            .with(0)
            .with(-1)
            .with("REV")
    }

    fn parse(_: &UserId, answer: Value) -> Result<Option<Self>> {
        let tags: Vec<String> = read(answer)?;
        let tags = tags.iter().filter_map(|tag| FoldedTag::stored(tag));
        Ok(Some(Self(tags.collect())))
    }

    fn bytes(&self) -> usize {
        let texts = self.0.iter().map(|tag| tag.as_str().len());
        size_of_val(&self.0[..]) + texts.sum::<usize>()
    }
}
