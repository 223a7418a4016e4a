//! What is valid, and nothing else: no async, no I/O. Parse at the edge; inside, a value is right.

mod arrival;
mod collection;
mod draft;
mod ids;
mod local_path;
mod login;
mod message;
mod names;
mod nonce;
mod notification;
mod page;
mod password;
mod profile_view;
mod provenance;
mod query;
mod seen;
mod session_digest;
mod task;
mod text;
mod thread;
mod timeline;
mod tokens;
mod words;

pub use arrival::{Arrival, ParseArrivalError};
pub use collection::Collection;
pub use draft::Draft;
pub use ids::{ListId, ListNumber, ParseIdError, StatusId, UserId};
pub use local_path::LocalPath;
pub use login::{Login, LoginError};
pub use message::{Message, Segment, segments};
pub use names::{Bio, DisplayName, ListName};
pub use nonce::Nonce;
pub use notification::{
    Bundle, Deed, NOTIFICATIONS_KEPT, Notification, ParseNotificationError,
};
pub use page::{Cursor, PAGE_SIZE, Page};
pub use password::{Password, PasswordError};
pub use profile_view::ProfileView;
pub use provenance::{Origin, Provenance, Sources};
pub use query::{LeftOut, Query};
pub use seen::{ParseSeenError, Seen};
pub use session_digest::SessionDigest;
pub use task::{ParseTaskError, Task, Thing};
pub use text::TextError;
pub use thread::{Answer, Stand, Thread};
pub use timeline::{Audience, Reach, Timeline};
pub use tokens::{FoldedTag, Tag, Token, TokenKind, tokens};
pub use words::{Term, Words, beginnings_of, terms_of};
