//! Who may reply to a status, quote it, hide a reply and detach a quote. A page decides in the round trip that reads
//! the status. A reply or quote is decided once more after it was written, by the rules that are stored then.

use super::{Access, StatusRow};
use crate::{
    domain::{Replier, Repliers, ReplyControl, ReplyControlChange, ReplyTarget},
    store::{prelude::*, statuses::words},
};

script_calls! {
    DetachQuote = "detach_quote"(status; deadline_ms: u64, user_id: u64);
    HideReply = "hide_reply"(status; deadline_ms: u64, root: u64, hidden: &'static str);
    SetReplyControl = "set_reply_control"(
        status;
        deadline_ms: u64, user_id: u64, repliers: &'static str, expected_repliers: String, quoting: &'static str
    );
}

outcomes! {
    /// The outcome of a change that a person makes to a status.
    pub enum ControlOutcome {
        /// By this call or an earlier one.
        Done = "done",
        /// It does not exist, is deleted, or the person may not do this to it.
        NotFound = "not_found",
    }
}

outcomes! {
    /// The outcome of a change of the choices about replies and quotes.
    pub enum ReplyControlOutcome {
        /// By this call or an earlier one.
        Done = "done",
        /// The status does not exist, is deleted, or is not of the person.
        NotFound = "not_found",
        /// Another device changed who can reply meanwhile. Nothing is changed.
        Conflict = "conflict",
    }
}

impl Access {
    /// Returns whether the viewer may reply to a status that they see. The status and the first status of its
    /// conversation, also a deleted one, both must let them.
    pub fn may_reply(&self, status: &StatusRow, root: Option<&StatusRow>) -> bool {
        self.is_replier(status) && root.is_none_or(|root| self.is_replier(root))
    }

    /// Returns whether a status lets the viewer reply, whatever its conversation says.
    pub fn is_replier(&self, status: &StatusRow) -> bool {
        let Some(viewer) = self.viewer.id() else {
            return false;
        };
        let mentioned = status.mentioned.as_deref().unwrap_or_default();
        status.reply_control.repliers.include(Replier {
            is_author: self.is_viewer(status.author),
            follows_author: self.follows(status.author) == Some(true),
            is_followed_by_author: self.is_followed_by(status.author) == Some(true),
            is_mentioned: mentioned.contains(&viewer) && self.is_connected(status.author),
        })
    }

    /// Returns whether the viewer may hide a reply: one by another person, in a conversation that the viewer began.
    pub fn may_hide(&self, reply: &StatusRow, root: Option<&StatusRow>) -> bool {
        root.is_some_and(|root| self.is_viewer(root.author)) && !self.is_viewer(reply.author)
    }

    /// Returns whether the viewer may detach a quote: one of their own status, by another person.
    pub fn may_detach(&self, quote: &StatusRow) -> bool {
        let is_of_viewer = |quoted: StatusRef| self.is_viewer(quoted.author);
        quote.quote_of.is_some_and(is_of_viewer) && !self.is_viewer(quote.author)
    }

    /// Returns whether a person follows the viewer. `None` if [`Store::users_with_relations`] was not asked.
    pub fn is_followed_by(&self, person: UserId) -> Option<bool> {
        let mut known = self.followers.iter();
        known.find_map(|some| some.answer(person.get()))
    }
}

/// The rule of a status, as it is stored now.
struct StoredReplyControl {
    author: UserId,
    control: ReplyControl,
    mentioned: Vec<UserId>,
}

impl Store {
    /// Returns whether a person may reply, by the stored rules: the rules of the status and of the first one, and
    /// the follows that these name. One round trip, and one more for each rule about follows.
    pub async fn permits_reply(&self, by: UserId, target: &ReplyTarget) -> Result<bool> {
        let mut ids = vec![target.to.status, target.thread.root];
        ids.dedup();
        let rules = self.rules(&ids).await?;
        for rule in rules.into_iter().flatten() {
            if !self.is_replier_now(by, &rule).await? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns whether a person may quote a status, by the stored rules. One round trip.
    pub async fn permits_quote(&self, by: UserId, quoted: StatusRef) -> Result<bool> {
        let rules = self.rules(&[quoted.status]).await?;
        let mut rules = rules.into_iter().flatten();
        Ok(by == quoted.author || rules.all(|rule| !rule.control.is_quoting_closed))
    }

    /// Returns who can reply to a status and quote it, also if it was deleted. `None` if the first status of its
    /// conversation limits replies too, or if a rule is not stored any more. Two round trips.
    pub async fn own_reply_control(&self, id: StatusId) -> Result<Option<ReplyControl>> {
        let thread = self.thread(id).await?;
        let first = thread.map_or(id, |thread| thread.root);
        let rules = self.rules(&[id, first]).await?;
        let [Some(own), Some(of_first)] = &rules[..] else {
            return Ok(None);
        };
        let is_limited_by_first = first != id && of_first.control.repliers != Repliers::Everyone;
        Ok((!is_limited_by_first).then_some(own.control))
    }

    async fn is_replier_now(&self, by: UserId, rule: &StoredReplyControl) -> Result<bool> {
        let mut replier = Replier {
            is_author: rule.author == by,
            is_mentioned: rule.mentioned.contains(&by),
            ..Replier::default()
        };
        if rule.control.repliers.depend_on_relations() {
            let relations = [
                Relation::Follow(by, rule.author),
                Relation::Follow(rule.author, by),
                Relation::Block(by, rule.author),
                Relation::Block(rule.author, by),
            ];
            let [follows, is_followed, blocks, is_blocked] =
                self.have_relations(&relations).await?[..]
            else {
                return Ok(false);
            };
            replier.follows_author = follows;
            replier.is_followed_by_author = is_followed;
            replier.is_mentioned &= !blocks && !is_blocked;
        }
        Ok(rule.control.repliers.include(replier))
    }

    /// Returns the rules of these statuses, `None` for one that does not exist. One round trip.
    async fn rules(&self, ids: &[StatusId]) -> Result<Vec<Option<StoredReplyControl>>> {
        const FIELDS: &[&str] = &["uid", "reply_control", "mentioned"];
        let reads = ids
            .iter()
            .map(|id| redis::cmd("HMGET").with((keys::status(*id), FIELDS)));
        let answers: Vec<(Option<u64>, Option<String>, Option<String>)> =
            self.connection.query_each(reads).await?;
        let rule = |(author, control, mentioned): (Option<u64>, Option<String>, _)| {
            Some(StoredReplyControl {
                author: UserId::new(author?).ok()?,
                control: ReplyControl::stored(control.as_deref()),
                mentioned: words(mentioned, |id| id.parse().ok()),
            })
        };
        Ok(answers.into_iter().map(rule).collect())
    }

    /// Changes who can reply to a status of this user and whether others can quote it.
    pub async fn set_reply_control(
        &self,
        call: &Call,
        by: UserId,
        id: StatusId,
        change: ReplyControlChange,
    ) -> Result<ReplyControlOutcome> {
        let set = SetReplyControl {
            status: keys::status(id),
            deadline_ms: call.deadline(),
            user_id: by.get(),
            repliers: change.repliers.map_or("", Repliers::as_str),
            expected_repliers: expected(change.based_on.map(Repliers::as_str)),
            quoting: match change.is_quoting_closed {
                None => "",
                Some(false) => "open",
                Some(true) => "closed",
            },
        };
        self.connection.run_durably(&set).await
    }

    /// Hides a reply in the conversation with this first status, or shows it again. The caller knows that the user
    /// who asks is the author of the first status.
    pub async fn set_hidden(
        &self,
        call: &Call,
        root: StatusId,
        id: StatusId,
        is_hidden: bool,
    ) -> Result<ControlOutcome> {
        let hide = HideReply {
            status: keys::status(id),
            deadline_ms: call.deadline(),
            root: root.get(),
            hidden: if is_hidden { "1" } else { "" },
        };
        self.connection.run_durably(&hide).await
    }

    /// Writes the outbox entry, then detaches a quote of a status of this user, in two round trips. If the outbox
    /// entry cannot be written, the quote is unchanged.
    pub async fn detach_quote(
        &self,
        call: &Call,
        by: UserId,
        id: StatusId,
    ) -> Result<(ControlOutcome, OutboxEntry)> {
        let outbox_entry = self.add_outbox_entry(&Thing::Status(id)).await?;
        let detach = DetachQuote {
            status: keys::status(id),
            deadline_ms: call.deadline(),
            user_id: by.get(),
        };
        let detached = self.connection.run_durably(&detach).await?;
        Ok((detached, outbox_entry))
    }
}
