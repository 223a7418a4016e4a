//! Valid values and rules, without async and I/O. Input is parsed at the edge; inside, a value is valid.

mod author_preference;
mod ballot;
mod collection;
mod draft;
mod hex;
mod idempotency_key;
mod ids;
mod local_path;
mod login;
mod notification;
mod page;
mod password;
mod poll;
mod profile_view;
mod session_digest;
mod task;
mod text;
mod thread;
mod timelines;
mod unix_ms;

pub use author_preference::{AuthorPreference, ParsePreferenceError};
pub use ballot::{Ballot, Tally};
pub use collection::Collection;
pub use draft::{Draft, EditState, tags_of};
pub use hex::hex;
pub use idempotency_key::IdempotencyKey;
pub use ids::{IdMap, IdSet, ListId, ListNumber, ParseIdError, StatusId, UserId};
pub use local_path::LocalPath;
pub use login::{Login, LoginError};
pub use notification::{
    Bundle, NOTIFICATIONS_KEPT, Notification, NotificationKind, ParseNotificationError,
};
pub use page::{Cursor, PAGE_SIZE, Page};
pub use password::{Password, PasswordError};
pub use poll::{Choice, Poll, PollError, PollOption, PollTerm};
pub use profile_view::ProfileView;
pub use session_digest::SessionDigest;
pub use task::{ParseTaskError, Task, Thing};
pub use text::{
    TextError,
    message::{Message, Segment, segments},
    names::{Bio, DisplayName, ListName, Warning},
    query::{LeftOut, Query},
    tokens::{FoldedTag, Tag, Token, TokenKind, tokens},
    words::{Term, Words, beginnings_of, terms_of},
};
pub use thread::{ReplyPosition, ReplyTarget, Thread};
pub use timelines::{
    arrival::{Arrival, ParseArrivalError},
    importance::{Reason, Rule, Score, Signals},
    ranking::{Further, Rank, Ranked, most_important},
    seen::{ParseSeenError, Seen},
    status_header::{Sources, StatusHeader, StatusRef, joined},
    timeline::{Audience, Reach, Source, Timeline},
};
pub use unix_ms::UnixMs;
