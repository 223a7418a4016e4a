//! Home in the order of importance: the same posts as home has. In which order they stand is what
//! `tests/importance/model.rs` holds against the formula.

use std::collections::BTreeSet;

use redwing::{
    domain::{PAGE_SIZE, StatusId, Timeline, UserId},
    store::{Mark, VisibleStatus},
};

use super::{game::Game, news::Known};
use crate::support::crowd::important;

impl Game<'_> {
    /// All that is important to somebody: what is new, each original once; where nothing is, the newest
    /// page of what others wrote. All passes are done.
    pub async fn compare_important(&mut self, of: UserId) {
        self.note_what_is_given_up(of).await;
        let pages = important(self.store(), of).await;
        let shown = pages.iter().flat_map(|page| &page.posts);
        let shown: Vec<StatusId> = shown.map(|post| VisibleStatus::id(&post.item)).collect();
        let (mark, _) = self
            .store()
            .mark(Timeline::Home(of))
            .await
            .expect("an answer");
        let Mark::Floor(floor) = mark else {
            panic!("home of {of} was built when it was read: {mark:?}");
        };
        let newest = self.model.newest();
        let memory = self.memories.entry(of).or_default();
        memory.read(newest, &self.model.under_way);
        if floor > 0 {
            memory.maybe_seen(0, floor - 1);
        }
        let others = self.others_above(of, floor);
        let known = |id: &StatusId| self.memories[&of].before.of(*id);
        let new: Vec<StatusId> = others
            .iter()
            .copied()
            .filter(|id| known(id) == Known::New)
            .collect();
        let is_open = others.iter().any(|id| known(id) == Known::Open);
        if !is_open {
            let chosen = match new.len() {
                0 => others.into_iter().take(PAGE_SIZE).collect(),
                _ => new.clone(),
            };
            let expected = self.model.once(chosen);
            assert_eq!(
                shown.len(),
                expected.len(),
                "important to {of}: each once: {shown:?}, not {expected:?}; {new:?} are new above {floor}"
            );
            let shown: BTreeSet<StatusId> = shown.into_iter().collect();
            assert_eq!(shown, expected.into_iter().collect(), "important to {of}");
        } else {
            let stand: BTreeSet<StatusId> = others.into_iter().collect();
            assert!(shown.iter().all(|id| stand.contains(id)), "{shown:?}");
            let originals = |ids: &[StatusId]| -> BTreeSet<StatusId> {
                ids.iter().map(|id| self.model.shown(*id)).collect()
            };
            assert!(originals(&shown).is_superset(&originals(&new)));
            assert_eq!(originals(&shown).len(), shown.len(), "each once");
        }
        let shown = &mut self.memories.entry(of).or_default().shown;
        match is_open {
            true => shown.maybe_shown(0, newest),
            false if new.len() <= PAGE_SIZE => shown.shown(0, newest),
            false => {}
        }
        self.note_what_is_given_up(of).await;
    }

    /// What others wrote on a home that stands above its floor, newest first.
    fn others_above(&self, of: UserId, floor: u64) -> Vec<StatusId> {
        let mut others = self.model.standing(Timeline::Home(of));
        others.retain(|id| id.get() >= floor && self.model.statuses[id] != of);
        others
    }
}
