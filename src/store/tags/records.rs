//! Where a status is looked for besides timelines: under its tags, and with those whom it mentions. And
//! the pages of both.

use crate::{
    domain::{Cursor, Draft, FoldedTag, Page, StatusHeader, StatusId, UserId},
    store::{
        Call, Error, PageInProgress, Rest, Result, Store, Viewer, VisibleStatus, keys,
        redis::{
            connection::read,
            scripts::{self, With},
        },
        timelines::profiles::{older, status_ids},
    },
};

/// Under what a status is filed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum IndexEntry {
    /// A tag that it has, or had.
    Tag(FoldedTag),
    /// Somebody whom it mentions, or mentioned.
    Mention(UserId),
}

impl IndexEntry {
    /// Under what it belongs.
    #[must_use]
    pub fn all_of(status: &StatusHeader) -> Vec<Self> {
        index_entries(status, &status.tags, &status.mentioned)
    }

    /// Under what it belonged before its text was changed.
    #[must_use]
    pub fn former_of(status: &StatusHeader) -> Vec<Self> {
        index_entries(status, &status.untagged, &status.unmentioned)
    }

    /// The statuses that stand under it.
    fn statuses(&self) -> String {
        match self {
            Self::Tag(tag) => keys::tagged(tag),
            Self::Mention(who) => keys::mentions(*who),
        }
    }

    /// These, and of a tag who used it.
    fn keys(&self) -> Vec<String> {
        let mut keys = vec![self.statuses()];
        if let Self::Tag(tag) = self {
            keys.push(keys::used(tag));
        }
        keys
    }
}

/// An answer or a repost mentions people, and stands under no tag.
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
    /// Whom a draft mentions: of the logins that somebody has, the first ones, each person once and its
    /// author not. One trip, and none where it names nobody.
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

    /// Puts a status where it is looked for, and ranks the tags among these by who used them. Two
    /// trips at most.
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

    /// Takes a status from where it is looked for, and ranks the tags among these anew. Two trips at
    /// most.
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

    /// Whether a status stands under each of these. One trip.
    pub async fn stands_under_each(&self, pairs: &[(StatusId, IndexEntry)]) -> Result<Vec<bool>> {
        let score = |(id, heading): &(StatusId, IndexEntry)| {
            redis::cmd("ZSCORE").with(heading.statuses()).with(id.get())
        };
        self.stands_in_each(pairs.iter().map(score).collect()).await
    }

    /// The statuses with a tag that stand alone, newest first: full unless they end.
    pub async fn tag_page(
        &self,
        viewer: Viewer,
        tag: &FoldedTag,
        before: Option<Cursor>,
    ) -> Result<Page<VisibleStatus>> {
        self.page_of(viewer, &keys::tagged(tag), before).await
    }

    /// The statuses by others that mention a person, newest first: full unless they end.
    pub async fn mentions_page(
        &self,
        of: UserId,
        before: Option<Cursor>,
    ) -> Result<Page<VisibleStatus>> {
        self.page_of(Viewer::Member(of), &keys::mentions(of), before)
            .await
    }

    /// A page of a ZSET of statuses by id.
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

/// How many people used each of the tags among these.
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
