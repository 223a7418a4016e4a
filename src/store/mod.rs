//! The only module that speaks Redis: keys, scripts, reads and the single steps that actions consist of.
//! It knows no HTTP.
//!
//! # Errors
//!
//! Unless a function says otherwise, `Unavailable` means that Redis could not be reached in time, and `Ended` that the
//! session of the actor has ended. After [`Call::finish`] a write that was not executed can no longer execute. A source
//! of truth that was written is completed by its outbox entry.
#![expect(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "the store is where Redis is spoken"
)]

mod access;
mod administration;
mod cache;
mod chats;
mod clock_notes;
mod collections;
mod device_log_ins;
mod error;
mod exports;
mod follow_requests;
mod follows;
mod groups;
mod invitations;
mod leases;
mod lists;
mod live;
mod model;
mod moderation;
mod notifications;
mod people;
mod pinned_posts;
mod polls;
mod prelude;
mod rate_limits;
mod recovery;
mod redis;
mod relation;
mod replies;
mod reposts;
mod rewrites;
mod schema;
mod search;
mod sessions;
mod site;
mod site_days;
mod snapshot;
mod statuses;
mod tags;
mod tasks;
mod timelines;
mod visible_status;

use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicU64},
};

#[cfg(feature = "failpoints")]
pub use self::redis::failpoints::Fuse;
pub use self::redis::{
    call::Call,
    clock::skew::ClockSkew,
    health::{NodeHealth, Readiness},
    memory::MemoryUse,
    subscription::{OnChange, Subscription, SubscriptionRequest},
};
pub use crate::domain::{Relation, UnixMs};
pub use access::{
    group_posts::{GroupPosting, GroupText, RemovePostOutcome},
    may_see_favourites,
    messages::WriteRefusal,
    mute_reason::MuteReason,
    muted_conversations::MutedConversation,
    newcomers::TextToPost,
    reply_control::{ControlOutcome, ReplyControlOutcome},
    reports::{NotReportable, PostToReport, ShownPost},
};
pub use administration::ActRecord;
pub use cache::{recording::PageSources, shared_rows::RowVersion};
pub use chats::{
    ChatChange, ChatOutcome, ChatState, MESSAGE_EDIT_MS, MemberChange, MessageChange,
    MessageOutcome, ReadMark, SendOutcome,
    bytes::MessageRoom,
    copies::{ChatCopy, ChatPlace},
    deletion::DeleteChatOutcome,
    expiry::NextExpiry,
    pages::{ChatBlock, ChatPart, ChatPerson, ChatView},
    reports::ReportableMessage,
    requests::RequestOutcome,
    walk::{MessageWalk, WalkLimits},
};
pub use clock_notes::ClockNote;
pub use collections::favourites::FavouriteState;
pub use device_log_ins::{
    ConfirmDeviceOutcome, DEVICE_LINK_S, DeviceLink, FinishDeviceOutcome, OfferDeviceOutcome,
};
pub use error::{Error, Result};
pub use exports::{AdvanceOutcome, BeginExportOutcome};
pub use follow_requests::AcceptOutcome;
pub use follows::{Edge, author_preferences::PreferenceOutcome};
pub use groups::{
    EditGroupOutcome, FoundOutcome, GROUP_ACTS_KEPT, GroupDraft, GroupSettings,
    deletion::{ClearGroupOutcome, DeleteGroupOutcome},
    directory::{former_words_of, group_of, words_of},
    log::{GROUP_NOTICES_KEPT, GroupActRecord},
    members::{
        MAX_GROUP_BANS, MAX_GROUP_INVITATIONS, MAX_GROUP_MODERATORS, MAX_GROUP_REQUESTS,
        MAX_WAITING_GROUPS, ManageOutcome, MirrorTieOutcome, OwnChange, OwnGroups, OwnOutcome,
    },
    row::{Group, SeenGroup},
};
pub use invitations::{
    BranchPerson, ClaimOutcome, Invitation, InvitedBranch, MakeOutcome, RevokeOutcome,
    StoredInvitation,
};
pub use lists::{CreateList, EditListOutcome, ListChange, ListOutcome};
pub use live::{
    Arrivals, Counts, LiveQuery, LiveState, Precision,
    newer::{MAX_WATCHED, Watched},
};
pub use model::*;
pub use moderation::{
    CLAIM_MS, CLOSED_REPORTS_KEPT_MS, MAX_OPEN_REPORTS, MAX_OPEN_REPORTS_OF_ONE,
    case::{Case, FiledReport, NamedReport, RecordedDecision, ReportState},
    case_file::CaseFile,
    decisions::{
        AppealOutcome, ClaimCaseOutcome, Claiming, DecideOutcome, EndOf, EndOutcome, NewDecision,
    },
    posts::PostMarks,
    queue::{QueueEntry, QueueOf, QueuePlaces},
    reported::SentText,
    reports::{
        NoteOutcome, OwnReport, ReportOutcome, ReportedText, parse_own_name, reported_group,
    },
    roles::StaffState,
    standing::{StandingMeasures, SuspensionRecord},
    waiting::WaitingPost,
};
pub use notifications::{NotificationPage, Undecided, Withdrawal};
pub use people::{
    PEOPLE_KEPT, PeopleOf,
    accounts::state::{AccountChange, Applicant, ChangeOutcome},
    accounts::{Auth, Claim, Draft, EditUserOutcome, EpochChange, ProfileChange},
    deletion::{FinishDeletion, LoginHolder, RESERVED_LOGIN, connections},
    records::{AccountAccess, AccountRecord, ShownInviter},
    rename::{BeginRename, FinishRename, LoginChange, LoginHistory, TakeOverRename},
    storage::{LargestStorage, StorageUse},
};
pub use pinned_posts::PinOutcome;
pub use polls::{Cast, PollCounts};
pub use rate_limits::{
    RateLimit,
    networks::{Network, networks},
};
pub use recovery::RecoveryCodes;
pub use relation::{
    ClearOutcome, SetOutcome,
    block_entries::{BlockEntries, BlockEntry},
    changed_keys,
    mirror::{MirrorOutcome, NewSource, SourceMirror, StatusMirror},
};
pub use replies::{
    PlacedReply,
    conversations::{Branch, Conversation, More, REPLIES_PER_PAGE, Turn as ConversationTurn},
};
pub use reposts::grouping::ShownOnce;
pub use schema::{
    ChatForm, Chunk, Class, DATA_VERSION, DataVersion, DataVersionError, Entry as KeyEntry, Key,
    KeyOwner, Lifetime, MigrationStep, RateLimitName, RedisType, UserToken,
};
pub use search::{names::Names, postings::Text};
pub use sessions::{Loaded, actor::Actor, state::SessionState};
pub use site::{
    SettingsChange, ShieldsChange, SiteChange, SiteDraft, SiteOutcome, SiteProfile, SiteTexts,
    TextsChange,
};
pub use site_days::{DAYS_SHOWN, RecentAuthors, SiteDay};
pub use snapshot::{
    labels::Label,
    rows::{Pages, Row},
    statuses::StoredStatus,
    users::{ListState, SuggestionRanks, UserSnapshot, UserState},
    walk::{FoundKey, Walk},
};
pub use statuses::{
    Bury, Create, Draw, Filing, Life,
    edits::{Edit, Narrow},
    form_keys::EarlierPost,
    post_bytes::CountedBytes,
    profile_pages::AccountPage,
    progress::{PassOutcome, Progress},
    tombstones::Tombstone,
};
pub use statuses::{folded_texts::FoldingBudget, visible::Examined};
pub use tags::{
    index::IndexEntry,
    tag_follows::FollowedTags,
    trends::{Trend, Trends},
};
pub use tasks::{
    Finish, MAX_RETRY_DELAY, OutboxEntry, Taken,
    backlog::{BacklogReader, Entry, Queue},
    health::QueueHealth,
    lanes::ReadablePartitions,
};
pub use timelines::{
    deliveries::Delivery,
    first_read::{FurtherIds, NotedDownTo},
    homes::{Begin, Left, Mark, TimelineRead, TimelineSlice},
    importance::{Candidates, HomePart, PostReactions, RecentActivity},
    merge::Merged,
    merge::budget::MergeBudget,
    newest_posts::{NEWEST_POSTS_KEPT, is_for_everybody},
    paging::{PageInProgress, Rest},
    profiles::FanOutBatch,
    reading::{NewPosts, Oldest, ReadMode},
};
pub use visible_status::*;

use self::redis::{clock::Clock, connection::Connection, memory::Memory, throttle::Throttle};
use cache::shared_rows::SharedRows;
use moderation::roles::StaffStateCopy;
use schema::keys;
use site::SiteCopy;

use crate::config::Config;

/// The calls of scripts, for their tests.
#[doc(hidden)]
pub mod calls {
    pub use super::{
        access::{
            group_posts::RemoveGroupPost,
            mutes::SetMute,
            reply_control::{DetachQuote, HideReply, SetReplyControl},
        },
        administration::{LogAct, RecountActs},
        chats::{
            ChangeChat, ChangeChatMember, ChangeMessage, DeleteChat, ExpireMessages, MirrorChat,
            ReadChat, ReserveRequest, SendMessage,
        },
        clock_notes::NoteClock,
        device_log_ins::{ClaimDevice, ConfirmDevice, FinishDevice, OfferDevice},
        exports::{AdvanceExport, BeginExport},
        follow_requests::AcceptRequest,
        follows::{RankFollowed, author_preferences::SetPreference, presence::ReadMembers},
        groups::calls::*,
        invitations::{ClaimInvitation, MakeInvitation, ReleaseInvitation, RevokeInvitation},
        leases::{ReleaseLease, TakeLease},
        lists::calls::*,
        live::ReadLive,
        moderation::calls::*,
        notifications::calls::*,
        people::calls::*,
        pinned_posts::{PinStatus, UnpinStatus},
        polls::{CastBallot, NoteVote, ReadPollCounts, RemoveBallot},
        rate_limits::{ChargeRateLimit, ChargeReading, networks::NoteNetwork},
        recovery::{AddResetLink, RecoverAccount, SetRecoveryCodes},
        redis::{
            commands::{ReadScores, SetScore},
            script_call::ScriptCall,
        },
        relation::calls::*,
        replies::{PlaceReply, RecordReply},
        reposts::{ClaimRepost, HoldRepost, ReleaseRepost},
        search::calls::*,
        sessions::calls::*,
        site::{ChangeSite, ClaimSite, KeepSite, ReleaseSite},
        site_days::NoteDay,
        snapshot::calls::*,
        statuses::calls::*,
        tags::index::{AddIndexEntry, AddMention, RemoveIndexEntry, SetTagUse},
        tasks::calls::*,
        timelines::calls::*,
        timelines::newest_posts::AddNewestPost,
        timelines::sources::timeline_with_sources,
    };
}

/// A handle to Redis, one node or a cluster. Cheap to clone; [`Store::fork`] opens a connection.
#[derive(Clone)]
pub struct Store {
    connection: Connection,
    config: Arc<Config>,
    clock: Arc<Clock>,
    shared_rows: Arc<SharedRows>,
    /// Number of bytes of texts that all handles have folded.
    folded_bytes: Arc<AtomicU64>,
    throttle: Arc<Throttle>,
    memory: Arc<Memory>,
    site: Arc<SiteCopy>,
    activity: Arc<site_days::Activity>,
    staff_state: Arc<StaffStateCopy>,
    /// Whether it leaves the first place to pages.
    gives_way: bool,
    /// Whether the tasks that it adds are background work.
    is_in_background: bool,
    /// Whether writes are refused, because the version of the data is not known yet.
    holds_writes: Arc<AtomicBool>,
}

impl Store {
    /// Returns a handle with a connection of its own, opened at first use: one per worker thread.
    #[must_use]
    pub fn fork(&self) -> Self {
        Self {
            connection: self.connection.fork(),
            ..self.clone()
        }
    }

    pub fn is_cluster(&self) -> bool {
        self.connection.is_cluster()
    }

    /// Returns a handle for work beside an operation that is not part of it.
    fn without_fuse(&self) -> Self {
        Self {
            connection: self.connection.without_fuse(),
            ..self.clone()
        }
    }

    pub fn config(&self) -> &Config {
        &self.config
    }
}

#[cfg(feature = "failpoints")]
impl Store {
    /// Simulates a change of Redis' clock by so many ms since this process last measured it.
    pub fn set_redis_clock(&self, by_ms: i64) {
        self.clock.simulate_clock_change(by_ms);
    }

    /// Returns the same store with operations that stop at the end of the fuse.
    #[must_use]
    pub fn with_fuse(&self, fuse: Fuse) -> Self {
        Self {
            connection: self.connection.with_fuse(fuse),
            ..self.clone()
        }
    }
}
