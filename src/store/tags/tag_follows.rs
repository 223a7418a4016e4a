//! The followed tags of a user, as pages read them.

use std::{collections::HashMap, sync::Arc};

use crate::{domain::tags_of, store::prelude::*};

/// The tags that a person follows, latest first.
#[derive(Debug, Default, PartialEq)]
pub struct FollowedTags(Vec<FoldedTag>);

impl FollowedTags {
    pub fn tags(&self) -> &[FoldedTag] {
        &self.0
    }
}

impl Store {
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
        let follows = redis::cmd("ZMSCORE").with((keys::following(reader), authors));
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
        all_members(keys::followed_tags(*of)).with("REV")
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
