//! The kinds of groups and the choices of their owners.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::domain::ParseError;

/// Declares an enum whose variants have one word each, in Redis and in forms.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $word:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, derive_more::Display)]
        #[serde(rename_all = "snake_case")]
        pub enum $name {
            $($(#[$variant_doc])* #[display($word)] $variant,)+
        }

        impl $name {
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// Returns the word in Redis and in forms.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)+
                }
            }
        }

        impl FromStr for $name {
            type Err = ParseError;

            fn from_str(text: &str) -> Result<Self, ParseError> {
                match text {
                    $($word => Ok(Self::$variant),)+
                    _ => Err(ParseError),
                }
            }
        }
    };
}
pub(super) use words;

words! {
    /// The kind of a group. It never changes.
    GroupKind {
        /// Everybody reads, members post.
        Public = "public",
        /// Members read and post.
        Private = "private",
        /// The moderators post.
        Announcement = "announcement",
    }
}

words! {
    /// The readers of the posts of a group. They never change.
    GroupReaders {
        Everyone = "everyone",
        Members = "members",
    }
}

words! {
    /// How people become members.
    Joining {
        Open = "open",
        Request = "request",
        Invitation = "invitation",
    }
}

words! {
    /// The posts that a new member sees.
    Past {
        Whole = "whole",
        /// The posts since they joined.
        SinceJoining = "since_joining",
    }
}

impl GroupKind {
    /// Returns the readers of a group of this kind. The founder of an announcement group chooses them.
    pub fn readers(self, chosen: GroupReaders) -> GroupReaders {
        match self {
            Self::Public => GroupReaders::Everyone,
            Self::Private => GroupReaders::Members,
            Self::Announcement => chosen,
        }
    }
}
