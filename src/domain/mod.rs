//! Valid values and rules, without async and I/O. Input is parsed at the edge; inside, a value is valid.

mod account;
mod act;
mod admission;
mod answer;
mod author_preference;
mod ballot;
mod collection;
mod draft;
mod entrance;
mod hex;
mod idempotency_key;
mod ids;
mod local_path;
mod login;
mod mute;
mod notification;
mod page;
mod password;
mod people_file;
mod poll;
mod post_bytes;
mod profile_view;
mod relation;
mod reply_control;
mod role;
mod secret_code;
mod session_digest;
#[cfg(test)]
mod stored_forms;
mod task;
mod text;
mod thread;
mod timelines;
mod unix_ms;
mod visibility;

pub use account::{AccountState, DeletedBy, Leaving, Restriction};
pub use act::{Act, ActingPerson, LoggedAct};
pub use admission::Admission;
pub use answer::Answer;
pub use author_preference::AuthorPreference;
pub use ballot::{Ballot, Tally};
pub use collection::Collection;
pub use draft::{Draft, EditState, tags_of};
pub use entrance::Entrance;
pub use hex::hex;
pub use idempotency_key::IdempotencyKey;
pub use ids::{IdMap, IdSet, ListId, ListNumber, ParseError, StatusId, UserId};
pub use local_path::LocalPath;
pub use login::{Login, LoginError};
pub use mute::{MAX_MUTED_CONVERSATIONS, Mute, MuteTerm};
pub use notification::{Bundle, NOTIFICATIONS_KEPT, Notification, NotificationKind};
pub use page::{Cursor, PAGE_SIZE, Page};
pub use password::{Password, PasswordError};
pub use people_file::{FileLine, FilePerson, LinePerson, PeopleFile};
pub use poll::{Choice, Poll, PollError, PollOption, PollTerm};
pub use post_bytes::{BASE_POST_BYTES, bytes_of_edit, extra_bytes_of};
pub use profile_view::ProfileView;
pub use relation::Relation;
pub use reply_control::{Replier, Repliers, ReplyControl};
pub use role::{Power, Role, may, may_act_on};
pub use secret_code::{RECOVERY_CODES, SecretCode, SecretLink};
pub use session_digest::SessionDigest;
pub use task::{SweepPosition, Task, Thing};
pub use text::{
    TextError,
    message::{Message, Segment, segments},
    muted::{ComparedText, MutedText},
    names::{Bio, DisplayName, ListName, SuspensionReason, Warning},
    query::{LeftOut, Query},
    tokens::{FoldedTag, Tag, Token, TokenKind, tokens},
    words::{Term, Words, all_terms_of, beginnings_of, terms_of},
};
pub use thread::{ReplyPosition, ReplyTarget, Thread};
pub use timelines::{
    arrival::Arrival,
    importance::{Reason, Rule, Score, Signals},
    ranking::{Further, Rank, Ranked, most_important},
    seen::Seen,
    status_header::{Sources, StatusHeader, StatusRef, joined},
    timeline::{Audience, FanOutProgress, Source, Timeline},
};
pub use unix_ms::UnixMs;
pub use visibility::{Readers, Visibility};
