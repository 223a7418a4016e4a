//! The deletion of a chat that everybody has left.

use super::{ChatState, DeleteChat};
use crate::{
    domain::{ChatId, MemberState},
    store::prelude::*,
};

outcomes! {
    pub enum DeleteChatOutcome {
        Deleted = "deleted",
        InUse = "in_use",
    }
}

impl ChatState {
    /// Returns whether everybody has left the chat. Then it is deleted.
    pub fn is_deserted(&self) -> bool {
        let has_left = |state| matches!(state, MemberState::Left | MemberState::Gone);
        !self.members.is_empty() && self.members.values().all(|one| has_left(one.state))
    }
}

impl Store {
    /// Deletes a chat with all its keys, unless someone belongs to it. Its copies are removed before.
    pub async fn delete_chat(&self, call: &Call, chat: ChatId) -> Result<DeleteChatOutcome> {
        let delete = DeleteChat {
            chat: keys::chat(chat),
            members: keys::chat_members(chat),
            messages: keys::chat_messages(chat),
            hidden: keys::chat_hidden(chat),
            expiring: keys::chat_expiring(chat),
            deadline_ms: call.deadline(),
        };
        self.connection.run(&delete).await
    }
}
