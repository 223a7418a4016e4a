//! The tag index and the mention index: statuses by tag and by mentioned person, and the pages of both.

use crate::{
    domain::{Cursor, Draft, FoldedTag, Page, StatusHeader, StatusId, UserId},
    store::{
        Call, Error, Key, PageInProgress, Rest, Result, Store, Viewer, VisibleStatus, keys,
        redis::{
            connection::read,
            scripts::{self, With},
        },
        timelines::profiles::{older, status_ids},
    },
};

/// An entry of the tag index or the mention index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum IndexEntry {
    /// A current or former tag of the status.
    Tag(FoldedTag),
    /// A person that the status mentions or mentioned.
    Mention(UserId),
}

impl IndexEntry {
    /// Returns the entries that a status should have.
    #[must_use]
    pub fn all_of(status: &StatusHeader) -> Vec<Self> {
        index_entries(status, &status.tags, &status.mentioned)
    }

    /// Returns the entries that it had before its text was edited.
    #[must_use]
    pub fn former_of(status: &StatusHeader) -> Vec<Self> {
        index_entries(status, &status.untagged, &status.unmentioned)
    }

    /// Returns the key of the statuses under this entry.
    fn key(&self) -> Key {
        match self {
            Self::Tag(tag) => Key::TagIndex(tag.clone()),
            Self::Mention(who) => Key::MentionIndex(*who),
        }
    }

    /// Returns the keys that change with it: for a tag also its users.
    fn keys(&self) -> Vec<String> {
        let mut keys = vec![self.key().name()];
        if let Self::Tag(tag) = self {
            keys.push(keys::tag_uses(tag));
        }
        keys
    }
}

/// Replies and reposts have mention entries but no tag entries.
fn index_entries(
    status: &StatusHeader,
    tags: &[FoldedTag],
    mentioned: &[UserId],
) -> Vec<IndexEntry> {
    let tags = tags.iter().filter(|_| status.stands_alone());
    let tags = tags.cloned().map(IndexEntry::Tag);
    tags.chain(mentioned.iter().copied().map(IndexEntry::Mention))
        .collect()
}

impl Store {
    /// Returns the people that a draft mentions: existing logins, each person once, without the author,
    /// up to a limit. One round trip, none if it names no login.
    pub async fn mentioned_by(&self, draft: &Draft, author: UserId) -> Result<Vec<UserId>> {
        let mut mentioned = Vec::new();
        for holder in self.holders(&draft.logins()).await?.into_iter().flatten() {
            let who = holder.parse().map_err(|_| Error::Unexpected {
                what: "who has a login",
                answer: holder,
            })?;
            if who != author && !mentioned.contains(&who) {
                mentioned.push(who);
            }
        }
        mentioned.truncate(Draft::MAX_MENTIONED);
        Ok(mentioned)
    }

    /// Adds a status to these index entries and ranks their tags. At most two round trips.
    pub async fn add_index_entries(
        &self,
        call: &Call,
        (id, status): (StatusId, &StatusHeader),
        index_entries: &[IndexEntry],
    ) -> Result<()> {
        let enter = |heading: &IndexEntry| {
            scripts::ADD_INDEX_ENTRY
                .on(heading.keys())
                .with(call.deadline())
                .with(id.get())
                .with(status.author.get())
                .with(StatusId::EPOCH_MS)
        };
        let answers = self
            .connection
            .batch(index_entries.iter().map(enter).collect());
        self.rank_tags(&used(index_entries, answers.await?)?).await
    }

    /// Removes a status from these index entries and ranks their tags again. At most two round trips.
    pub async fn remove_index_entries(
        &self,
        (id, status): (StatusId, &StatusHeader),
        index_entries: &[IndexEntry],
    ) -> Result<()> {
        let leave = |heading: &IndexEntry| {
            scripts::REMOVE_INDEX_ENTRY
                .on(heading.keys())
                .with(id.get())
                .with(status.author.get())
                .with(StatusId::EPOCH_MS)
        };
        let answers = self
            .connection
            .batch(index_entries.iter().map(leave).collect());
        self.lower_tags(&used(index_entries, answers.await?)?).await
    }

    /// Returns one page of the posts with a tag, newest first. A page is full unless the posts end.
    pub async fn tag_page(
        &self,
        viewer: Viewer,
        tag: &FoldedTag,
        before: Option<Cursor>,
    ) -> Result<Page<VisibleStatus>> {
        self.page_of(viewer, &keys::tag_index(tag), before).await
    }

    /// Returns one page of the statuses by others that mention a person, newest first. A page is full
    /// unless they end.
    pub async fn mentions_page(
        &self,
        of: UserId,
        before: Option<Cursor>,
    ) -> Result<Page<VisibleStatus>> {
        self.page_of(Viewer::Member(of), &keys::mention_index(of), before)
            .await
    }

    /// Returns one page of a ZSET of status ids.
    async fn page_of(
        &self,
        viewer: Viewer,
        key: &str,
        before: Option<Cursor>,
    ) -> Result<Page<VisibleStatus>> {
        let mut page = PageInProgress::new(before);
        while let Some((cursor, wanted)) = page.wants() {
            let ids = older(key.to_owned(), cursor, wanted);
            let ids = status_ids(self.connection.query::<Vec<u64>>(ids).await?);
            let visible = self.visible(viewer, &ids).await?;
            page.add(&ids, visible, Rest::of(ids.len(), wanted));
        }
        Ok(page.finish())
    }
}

/// Returns the number of users of each tag among these entries.
fn used(index_entries: &[IndexEntry], answers: Vec<redis::Value>) -> Result<Vec<(FoldedTag, u64)>> {
    let mut used = Vec::new();
    for (heading, answer) in index_entries.iter().zip(answers) {
        let people = read(answer)?;
        if let IndexEntry::Tag(tag) = heading {
            used.push((tag.clone(), people));
        }
    }
    Ok(used)
}
