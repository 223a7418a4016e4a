//! Valid values and rules, without async and I/O. Input is parsed at the edge; inside, a value is valid.

mod accounts;
mod answer;
mod chat;
mod groups;
mod hex;
mod idempotency_key;
mod ids;
mod local_path;
mod message_position;
mod moderation;
mod notification;
mod notification_filter;
mod page;
mod people;
mod profile_view;
mod shown_values;
mod statuses;
#[cfg(test)]
mod stored_forms;
mod task;
mod task_lane;
mod task_position;
mod text;
mod timelines;
mod unix_ms;

pub use accounts::account::{AccountPlan, AccountState, DeletedBy, Leaving, Restriction};
pub use accounts::act::{Act, ActingPerson, LoggedAct};
pub use accounts::admission::Admission;
pub use accounts::application::Application;
pub use accounts::count_period::CountPeriod;
pub use accounts::counted_act::{ActCounts, ActKind, CountedAct, ReasonedAct};
pub use accounts::entrance::Entrance;
pub use accounts::export::{Export, ExportStage, ExportToken};
pub use accounts::former_login::{FormerLogin, FormerLogins};
pub use accounts::login::{Login, LoginError};
pub use accounts::newcomer::{
    MAX_NEWCOMER_LINKS, MAX_NEWCOMER_MENTIONS, MAX_WAITING_POSTS, NEWCOMER_RATE_DIVISOR,
    NewcomerLimit, NewcomerRefusal, newcomer_until,
};
pub use accounts::password::{Password, PasswordError};
pub use accounts::role::{Power, Role, may, may_act_on};
pub use accounts::secret_code::{RECOVERY_CODES, SecretCode, SecretLink};
pub use accounts::session_digest::SessionDigest;
pub use accounts::site_hue::SiteHue;
pub use accounts::site_rules::{RuleId, RuleLines, RulesError, SiteRule, SiteRules};
pub use accounts::zone::Zone;
pub use answer::Answer;
pub use chat::{
    ChatId, ChatMember, ChatMessage, Correspondents, MAX_CHAT_MEMBERS, MemberState, MessageContent,
    MessageExpiry,
};
pub use groups::{
    act::{GroupAct, GroupEvent, GroupNotice, LoggedGroupAct},
    group::{GroupKind, GroupReaders, Joining, Past},
    member::{
        Delivery, GroupPower, GroupRole, GroupTie, Membership, may_act_on_member, may_in_group,
    },
    posting::GroupPostRefusal,
    slug::{GroupSlug, GroupSlugError},
};
pub use hex::hex;
pub use idempotency_key::IdempotencyKey;
pub use ids::{GroupId, IdMap, IdSet, ListId, ListNumber, MessageId, ParseError, StatusId, UserId};
pub use local_path::LocalPath;
pub use message_position::{ChatList, MessagePosition};
pub use moderation::block_list::{
    AddressRange, BlockEntry, BlockList, BlockListError, BlockedDomain, MAX_BLOCKED,
};
pub use moderation::copies::copy_digest;
pub use moderation::decision::{AppealAnswer, Decision, Ending, Measure, may_answer_appeal};
pub use moderation::report::{Report, ReportName, ReportReason, ReportSubject, Reporter};
pub use moderation::reported::{
    PostName, PostText, ReportedGroup, ReportedMessage, ReportedMessages, ReportedPost,
};
pub use moderation::shields::{
    BlockedAddresses, BlockedContent, BlockedDomains, BlockedWords, Shields,
};
pub use notification::{Bundle, NOTIFICATIONS_KEPT, Notification, NotificationKind, SiteNotice};
pub use notification_filter::NotificationFilter;
pub use page::{Cursor, PAGE_SIZE, Page};
pub use people::author_preference::AuthorPreference;
pub use people::home_filter::{HomeFilter, HomeFilters};
pub use people::mute::{MAX_MUTED_CONVERSATIONS, Mute, MuteTerm};
pub use people::people_file::{FileLine, FilePerson, LinePerson, PeopleFile};
pub use people::relation::Relation;
pub use profile_view::ProfileView;
pub use shown_values::{FieldChange, FieldConflicts, SaveOutcome, ShownValues, flag};
pub use statuses::ballot::{Ballot, Tally};
pub use statuses::collection::Collection;
pub use statuses::draft::{Draft, EditState, tags_of};
pub use statuses::pinned_posts::PinnedPosts;
pub use statuses::poll::{Choice, Poll, PollError, PollOption, PollTerm};
pub use statuses::post_bytes::{BASE_POST_BYTES, bytes_of_edit, extra_bytes_of};
pub use statuses::reply_control::{Replier, Repliers, ReplyControl, ReplyControlChange};
pub use statuses::thread::{ReplyPosition, ReplyTarget, Thread};
pub use statuses::visibility::{GroupMembers, Readers, RequiredRelation, Visibility};
pub use task::{SweepToken, Task, Thing};
pub use task_lane::Lane;
pub use task_position::{Separation, SeparationPosition, SweepPosition};
pub use text::{
    TextError,
    compared::{ComparedText, Patterns},
    is_right_to_left,
    message::{ChatText, Message, Segment, segments},
    muted::MutedText,
    names::{
        Appeal, ApplicationAnswer, Bio, ChatName, DisplayName, Explanation, GroupActNote,
        GroupDescription, GroupName, GroupRules, ListName, Question, RefusalReason, ReportNote,
        SiteText, SuspensionReason, Warning,
    },
    query::{LeftOut, Query},
    tokens::{FoldedTag, Tag, Token, TokenKind, tokens},
    words::{Term, Words, all_terms_of, beginnings_of, beginnings_of_text, terms_of},
};
pub use timelines::{
    arrival::Arrival,
    importance::{Reason, Score, SignalRule, Signals},
    ranking::{Further, Rank, Ranked, most_important},
    seen::Seen,
    status_header::{ChoosableReaders, Sources, StatusHeader, StatusRef, joined},
    timeline::{Audience, FanOutProgress, Source, Timeline},
};
pub use unix_ms::UnixMs;
