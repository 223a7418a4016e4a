//! Statuses above and below a status, compared with the model.

use redwing::{
    domain::StatusId,
    store::{Branch, Viewer},
};

use super::game::Game;

/// Number of replies shown at each level. At a level of one, a reply is shown only if it has no
/// sibling.
pub const LEVELS: [usize; 12] = [20, 3, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1];
/// Number of ancestors shown besides the first.
const NEAREST: usize = 20;

fn list_turns(branches: &[Branch], level: usize, into: &mut Vec<(usize, StatusId, bool)>) {
    for Branch { turn, below, .. } in branches {
        into.push((level, turn.id, turn.status.is_some()));
        list_turns(below, level - 1, into);
    }
}

impl Game<'_> {
    /// Compares the statuses above and below a status, as far as its page shows them.
    pub async fn compare_conversation(&self, id: StatusId) {
        let viewer = Viewer::Anonymous;
        let status = self.store().status(viewer, id).await.expect("an answer");
        let status = status.expect("it lives");
        assert_eq!(
            status.reply_count(),
            self.model.reply_count(id),
            "replies to {id}"
        );
        let about = self.store().conversation(viewer, &status, None).await;
        let about = about.expect("an answer");
        let mut turns = Vec::new();
        list_turns(&about.replies, LEVELS.len(), &mut turns);
        assert_eq!(turns, self.model.descendants(id, &LEVELS), "below {id}");
        let shown = about
            .above
            .iter()
            .map(|turn| (turn.id, turn.status.is_some()));
        assert_eq!(
            shown.collect::<Vec<_>>(),
            self.shown_ancestors(id),
            "above {id}"
        );
    }

    /// Returns the statuses above a status on its page, and whether each is living.
    fn shown_ancestors(&self, id: StatusId) -> Vec<(StatusId, bool)> {
        let mut above = self.model.ancestors(id);
        if above.len() > NEAREST + 1 {
            above.drain(1..above.len() - NEAREST);
        }
        above
    }

    /// Returns the living statuses on the page of a status, from the top down.
    pub fn conversation_ids(&self, id: StatusId) -> Vec<StatusId> {
        let below = self.model.descendants(id, &LEVELS);
        let below = below.into_iter().map(|(_, id, lives)| (id, lives));
        let all = self
            .shown_ancestors(id)
            .into_iter()
            .chain([(id, true)])
            .chain(below);
        all.filter(|(_, lives)| *lives).map(|(id, _)| id).collect()
    }
}
