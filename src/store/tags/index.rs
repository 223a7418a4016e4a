//! The tag index, the mention index and the timelines of groups: statuses by tag, by mentioned person and by group, and
//! the pages of the first two.

use futures_util::try_join;

use crate::{
    domain::{Draft, GroupId},
    store::{RESERVED_LOGIN, prelude::*},
};

script_calls! {
    AddIndexEntry = "add_index_entry"(
        statuses, tag_uses;
        deadline_ms: u64, status_id: u64, author_id: u64, epoch_ms: u64, is_used: u64
    );
    SetTagUse = "set_tag_use"(
        tag_uses;
        deadline_ms: u64, status_id: u64, author_id: u64, epoch_ms: u64, is_used: u64
    );
    AddMention = "add_mention"(statuses, owner; deadline_ms: u64, status_id: u64);
    RemoveIndexEntry = "remove_index_entry"(
        statuses, [tag_uses: Option<String>];
        status_id: u64, author_id: u64, epoch_ms: u64
    );
}

/// An entry of the tag index, the mention index or the timeline of a group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum IndexEntry {
    /// A current or former tag of the status.
    Tag(FoldedTag),
    /// A user that the status mentions or mentioned.
    Mention(UserId),
    /// The group that it is a post in.
    Group(GroupId),
}

impl IndexEntry {
    /// Returns the entries that a status should have.
    pub fn all_of(status: &StatusHeader) -> Vec<Self> {
        let group = status.group.filter(|_| status.is_group_post());
        let others = index_entries(status, &status.tags, &status.mentioned).into_iter();
        others.chain(group.map(IndexEntry::Group)).collect()
    }

    /// Returns the entries that it had before its text was edited.
    pub fn former_of(status: &StatusHeader) -> Vec<Self> {
        index_entries(status, &status.untagged, &status.unmentioned)
    }

    /// Returns the keys that change with it: the statuses and, for a tag, its users.
    fn keys(&self) -> (String, Option<String>) {
        match self {
            Self::Tag(tag) => (keys::tag_index(tag), Some(keys::tag_uses(tag))),
            Self::Mention(user) => (keys::mention_index(user), None),
            Self::Group(group) => (keys::group_timeline(group), None),
        }
    }
}

/// Replies and reposts have mention entries but no tag entries.
fn index_entries(
    status: &StatusHeader,
    tags: &[FoldedTag],
    mentioned: &[UserId],
) -> Vec<IndexEntry> {
    let tags = tags.iter().filter(|_| status.is_listed_by_tags());
    let tags = tags.cloned().map(IndexEntry::Tag);
    tags.chain(mentioned.iter().copied().map(IndexEntry::Mention))
        .collect()
}

impl Store {
    /// Returns the people that a draft mentions: existing logins and those that lead to a person, each person once,
    /// without the author, up to a limit. Two round trips, none if it names no login.
    pub async fn mentioned_by(&self, draft: &Draft, author: UserId) -> Result<Vec<UserId>> {
        let logins = draft.logins();
        let holders = self.holders(&logins).await?;
        let named = logins.iter().zip(holders).filter_map(|(login, holder)| {
            let holder = holder.filter(|holder| holder != RESERVED_LOGIN)?;
            let who = holder.parse().map_err(|_| Error::Unexpected {
                what: "who has a login",
                answer: holder,
            });
            Some(who.map(|who| (login, who)))
        });
        let named: Vec<(&Login, UserId)> = named.collect::<Result<_>>()?;
        if named.is_empty() {
            return Ok(Vec::new());
        }
        let ids: Vec<UserId> = named.iter().map(|(_, who)| *who).collect();
        let (users, now) = try_join!(self.rows_of::<User>(&ids), self.now())?;
        let mut mentioned = Vec::new();
        for ((login, who), user) in named.into_iter().zip(users) {
            let is_named = user.is_some_and(|user| user.is_named(login, now));
            if is_named && who != author && !mentioned.contains(&who) {
                mentioned.push(who);
            }
        }
        mentioned.truncate(Draft::MAX_MENTIONED);
        Ok(mentioned)
    }

    /// Adds a status to these index entries. Its author counts as a user of its tags if everyone may see it, and else no
    /// longer. At most two round trips.
    pub async fn add_index_entries(
        &self,
        call: &Call,
        (id, status): (StatusId, &StatusHeader),
        index_entries: &[IndexEntry],
    ) -> Result<()> {
        let add = |entry: &IndexEntry| match entry {
            IndexEntry::Tag(tag) => AddIndexEntry {
                statuses: keys::tag_index(tag),
                tag_uses: keys::tag_uses(tag),
                deadline_ms: call.deadline(),
                status_id: id.get(),
                author_id: status.author.get(),
                epoch_ms: StatusId::EPOCH_MS,
                is_used: u64::from(status.counts_in_trends()),
            }
            .command(),
            IndexEntry::Mention(user) => {
                add_mention(call, id, keys::mention_index(user), keys::user(user))
            }
            IndexEntry::Group(group) => {
                add_mention(call, id, keys::group_timeline(group), keys::group(group))
            }
        };
        let counts = self.connection.query_each(index_entries.iter().map(add));
        let used = used(index_entries, counts.await?);
        match status.counts_in_trends() {
            true => self.rank_tags(&used).await,
            false => self.lower_tags(&used).await,
        }
    }

    /// Counts the authors of these statuses as users of these tags, or no longer. The index entries stay as they are. At
    /// most two round trips.
    pub async fn set_tag_uses(
        &self,
        call: &Call,
        uses: &[(StatusId, UserId, FoldedTag)],
        is_used: bool,
    ) -> Result<()> {
        let set = |(id, author, tag): &(StatusId, UserId, FoldedTag)| {
            let set = SetTagUse {
                tag_uses: keys::tag_uses(tag),
                deadline_ms: call.deadline(),
                status_id: id.get(),
                author_id: author.get(),
                epoch_ms: StatusId::EPOCH_MS,
                is_used: u64::from(is_used),
            };
            set.command()
        };
        let counts: Vec<u64> = self.connection.query_each(uses.iter().map(set)).await?;
        let tags = uses.iter().map(|(_, _, tag)| tag.clone());
        let used: Vec<(FoldedTag, u64)> = tags.zip(counts).collect();
        match is_used {
            true => self.rank_tags(&used).await,
            false => self.lower_tags(&used).await,
        }
    }

    /// Removes a status from these index entries and ranks their tags again. At most two round trips.
    pub async fn remove_index_entries(
        &self,
        (id, status): (StatusId, &StatusHeader),
        index_entries: &[IndexEntry],
    ) -> Result<()> {
        let remove = |entry: &IndexEntry| {
            let (statuses, tag_uses) = entry.keys();
            let remove = RemoveIndexEntry {
                statuses,
                tag_uses,
                status_id: id.get(),
                author_id: status.author.get(),
                epoch_ms: StatusId::EPOCH_MS,
            };
            remove.command()
        };
        let counts = self.connection.query_each(index_entries.iter().map(remove));
        self.lower_tags(&used(index_entries, counts.await?)).await
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
}

fn add_mention(call: &Call, id: StatusId, statuses: String, owner: String) -> Cmd {
    let add = AddMention {
        statuses,
        owner,
        deadline_ms: call.deadline(),
        status_id: id.get(),
    };
    add.command()
}

/// Returns the number of users of each tag among these entries.
fn used(index_entries: &[IndexEntry], counts: Vec<u64>) -> Vec<(FoldedTag, u64)> {
    let counted = index_entries.iter().zip(counts);
    let used = counted.filter_map(|(entry, count)| match entry {
        IndexEntry::Tag(tag) => Some((tag.clone(), count)),
        IndexEntry::Mention(_) | IndexEntry::Group(_) => None,
    });
    used.collect()
}
