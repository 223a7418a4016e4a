//! The parts of the form to post that are left out until their buttons are pressed.

/// A part of the form that most posts do not need.
#[derive(Debug, Clone, Copy, PartialEq, Eq, derive_more::Display)]
pub enum Extras {
    #[display("warning")]
    Warning,
    #[display("poll")]
    Poll,
    /// Who can reply.
    #[display("replies")]
    Replies,
    /// Another post of a thread.
    #[display("thread")]
    Thread,
    /// The post as others will see it.
    #[display("preview")]
    Preview,
}

impl Extras {
    /// Returns the part of the pressed button. `None` if the form was sent to post.
    pub fn pressed(value: &str) -> Option<Self> {
        match value {
            "warning" => Some(Self::Warning),
            "poll" => Some(Self::Poll),
            "replies" => Some(Self::Replies),
            "thread" => Some(Self::Thread),
            "preview" => Some(Self::Preview),
            _ => None,
        }
    }
}
