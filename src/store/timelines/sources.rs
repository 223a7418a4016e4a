//! The sources of a timeline: the keys that decide which statuses belong there, and their reader.

use std::{collections::HashSet, hash::Hash};

use crate::{
    domain::{HomeFilter, Sources},
    store::prelude::*,
};

/// Returns the keys of the sources of a timeline, or those that can decide about the status with this header.
/// `timeline_keys` in the prelude names them in this order.
pub fn source_keys(timeline: Timeline, header: Option<&StatusHeader>) -> Vec<Key> {
    let of = match timeline {
        Timeline::Home(of) => of,
        Timeline::List(list) => return vec![Key::ListMembers(list)],
    };
    let mut keys = vec![Key::Following(of), Key::Excluded(of)];
    for filter in HomeFilter::ALL {
        if header.is_none_or(|header| filter.hides(header)) {
            keys.push(Key::home_filter(of, filter));
        }
    }
    let is_tagged = |header: &StatusHeader| header.is_top_level() && !header.tags.is_empty();
    if header.is_none_or(|header| is_tagged(header) && header.group.is_none()) {
        keys.push(Key::FollowedTags(of));
    }
    if header.is_none_or(|header| header.group.is_some()) {
        keys.push(Key::HomeGroups(of));
    }
    keys
}

/// Returns a timeline with all keys that decide which statuses belong on it: the timeline, its sources, its
/// active mark and, for a home, excluded people, home filters, followed tags and groups.
pub fn timeline_with_sources(timeline: Timeline) -> Vec<String> {
    timeline_keys(timeline, None)
}

/// Returns the same keys, or those that can decide about the status with this header.
pub fn timeline_keys(of: Timeline, header: Option<&StatusHeader>) -> Vec<String> {
    let sources = source_keys(of, header);
    let mut keys: Vec<String> = sources.iter().map(Key::name).collect();
    keys.insert(0, keys::timeline(of));
    keys.insert(2, keys::active_mark(of));
    keys
}

impl Store {
    /// Returns the sources of a timeline. One round trip.
    pub async fn sources(&self, timeline: Timeline) -> Result<Sources> {
        let keys = source_keys(timeline, None);
        let reads = keys.iter().map(|key| all_members(key.name()));
        let members: Vec<Vec<String>> = self.connection.query_each(reads).await?;
        let mut members = members.into_iter();
        // A list has only people. In the order of the keys:
        let mut next = || members.next().unwrap_or_default();
        Ok(Sources {
            timeline,
            people: parsed(&next(), |id| id.parse().ok()),
            excluded: parsed(&next(), |id| id.parse().ok()),
            filtered: HomeFilter::ALL.map(|_| parsed(&next(), |id| id.parse().ok())),
            tags: parsed(&next(), FoldedTag::stored),
            groups: parsed(&next(), |id| id.parse().ok()),
        })
    }
}

/// Returns the valid members.
fn parsed<T: Eq + Hash>(members: &[String], parse: fn(&str) -> Option<T>) -> HashSet<T> {
    members.iter().filter_map(|member| parse(member)).collect()
}
