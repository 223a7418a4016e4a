//! The calls of the scripts of timelines. A timeline is a home or a list.

use super::sources;
use crate::store::{
    prelude::*,
    redis::script_call::{Keys, key_groups},
};

key_groups! {
    /// The keys by which open streams of a home learn of a change.
    HomeWatchers(arrivals: String, channel: String);

    /// The keys that a delivery to a home changes beside the home.
    HomeReader(reading: String, watchers: HomeWatchers);

    /// The keys of a delivery to one timeline. `keys` are those of `timeline_with_sources` that can decide
    /// about the status.
    DeliveryTarget(keys: Vec<String>, reader: Option<HomeReader>);

    /// The keys of a timeline that loses statuses. `keys` are those of `timeline_with_sources`.
    PrunedTimeline(keys: Vec<String>, watchers: Option<HomeWatchers>);
}

impl HomeWatchers {
    /// Returns the keys of a home. `None` for a list.
    pub fn of(timeline: Timeline) -> Option<Self> {
        let Timeline::Home(owner) = timeline else {
            return None;
        };
        Some(Self {
            arrivals: keys::arrivals(owner),
            channel: keys::live(owner),
        })
    }
}

impl DeliveryTarget {
    pub fn new(timeline: Timeline, header: &StatusHeader) -> Self {
        let reader = |watchers| HomeReader {
            reading: keys::reading(timeline.owner()),
            watchers,
        };
        Self {
            keys: sources::timeline_keys(timeline, Some(header)),
            reader: HomeWatchers::of(timeline).map(reader),
        }
    }

    /// Returns the number of keys. Targets of one kind have the same number.
    pub fn key_count(&self) -> usize {
        let mut keys = Vec::new();
        self.add_to(&mut keys);
        keys.len()
    }
}

impl PrunedTimeline {
    pub fn of(timeline: Timeline) -> Self {
        Self {
            keys: sources::timeline_with_sources(timeline),
            watchers: HomeWatchers::of(timeline),
        }
    }
}

script_calls! {
    BeginRebuild = "begin_rebuild"(
        timeline, active_mark, owner, [watchers: Option<HomeWatchers>];
        token: String, building_ttl_s: u64, reason: &'static str, owner_field: String, few: usize
    );
    Deliver = "deliver" over slots(
        [targets: Vec<DeliveryTarget>];
        deadline_ms: u64, status_header: String, status_id: u64, timeline_size: usize,
        keys_per_timeline: usize
    );
    FillRebuild = "fill_rebuild"(
        [keys: Vec<String>];
        token: String, timeline_size: usize, [statuses: Vec<(String, u64)>]
    );
    FinishRebuild = "finish_rebuild"(
        timeline, active_mark, [watchers: Option<HomeWatchers>];
        token: String, merge_floor: u64, mark_ttl_s: u64, few: usize
    );
    MergeTimeline = "merge_timeline"(
        [keys: Vec<String>];
        deadline_ms: u64, timeline_size: usize, source: String, new_floor: u64,
        [statuses: Vec<(String, u64)>]
    );
    NoteShown = "note_shown"(
        home, reading;
        deadline_ms: u64, lowest_id: u64, highest_id: u64, [examined_ids: Vec<u64>]
    );
    PruneTimeline = "prune_timeline"([timeline: PrunedTimeline]; few: usize, [statuses: Vec<(String, u64)>]);
    ReadHome = "read_home"(
        home, active_mark, reading, profile, arrivals;
        from_score: String, id_count: usize, further_count: usize, mark_ttl_s: u64, began_before: u64,
        epoch_ms: u64, page_size: usize, mode: &'static str
    );
    ReadImportant = "read_important"(
        home, active_mark, reading, profile, muted, muted_texts;
        as_of_ms: u64, max_ids: usize, max_seen_ids: usize, mark_ttl_s: u64, epoch_ms: u64,
        page_size: usize, mode: &'static str
    );
    ReadTimeline = "read_timeline"(timeline, active_mark; from_score: String, id_count: usize, mark_ttl_s: u64);
    Withdraw = "withdraw"(
        timeline, active_mark, [watchers: Option<HomeWatchers>];
        few: usize, [status_ids: Vec<u64>]
    );
}
