//! Scripts that fill, rebuild and read timelines.

mod deliveries;
pub mod importance;
mod reading;
pub mod rebuilds;
mod sources;

use redwing::{
    domain::{FoldedTag, StatusHeader, StatusId, StatusRef, Timeline},
    store::calls::{
        Deliver, DeliveryTarget, HomeWatchers, MergeTimeline, NoteShown, PruneTimeline,
        PrunedTimeline, ReadHome, Withdraw, timeline_with_sources,
    },
};

use super::calls::{DEADLINE, user};

/// An epoch of ids in the future: the newest id is the newest one on the home.
const EPOCH_MS: u64 = 99_999_999_999_999;

/// Returns the home of this user.
pub fn home_of(id: u64) -> Timeline {
    Timeline::Home(user(id))
}

/// Reads a header as scripts take it: the author, the authors of parent and original, the tags.
fn header(text: &str) -> StatusHeader {
    let words: Vec<&str> = text.split(' ').collect();
    let [author, parent, original] = [0, 1, 2].map(|at| words[at].parse().expect("an id"));
    let status_by = |author: u64| {
        (author != 0).then(|| StatusRef {
            status: StatusId::new(9).expect("in range"),
            author: user(author),
        })
    };
    StatusHeader {
        reply_to: status_by(parent),
        repost_of: status_by(original),
        tags: words[3..]
            .iter()
            .filter_map(|tag| FoldedTag::stored(tag))
            .collect(),
        ..StatusHeader::of(user(author))
    }
}

/// Delivers a status with this header to the home of user 1.
pub fn deliver(status_header: &str, status_id: u64) -> Deliver {
    deliver_to(&[home_of(1)], status_header, status_id)
}

fn deliver_to(timelines: &[Timeline], status_header: &str, status_id: u64) -> Deliver {
    let header = header(status_header);
    let target = |timeline: &Timeline| DeliveryTarget::new(*timeline, &header);
    let targets: Vec<DeliveryTarget> = timelines.iter().map(target).collect();
    Deliver {
        keys_per_timeline: targets[0].key_count(),
        targets,
        deadline_ms: DEADLINE,
        status_header: status_header.into(),
        status_id,
        timeline_size: 1000,
    }
}

/// Merges statuses of a user into the home of user 1.
pub fn merge(source: u64, new_floor: u64, statuses: &[(&str, u64)]) -> MergeTimeline {
    MergeTimeline {
        keys: timeline_with_sources(home_of(1)),
        deadline_ms: DEADLINE,
        timeline_size: 1000,
        source: source.to_string(),
        new_floor,
        statuses: owned(statuses),
    }
}

/// Prunes the home of user 1.
pub fn prune(statuses: &[(&str, u64)]) -> PruneTimeline {
    PruneTimeline {
        timeline: PrunedTimeline::of(home_of(1)),
        few: 500,
        statuses: owned(statuses),
    }
}

/// Withdraws a status from the home of user 1.
pub fn withdraw(status_id: u64) -> Withdraw {
    Withdraw {
        timeline: "home:{1}".into(),
        active_mark: "active:{1}".into(),
        watchers: HomeWatchers::of(home_of(1)),
        few: 500,
        status_ids: vec![status_id],
    }
}

/// Reads the home of user 1 in pages of four: so many ids below the score, of a page that began before an id.
fn read_home(from_score: &str, id_count: usize, began_before: u64) -> ReadHome {
    ReadHome {
        home: "home:{1}".into(),
        active_mark: "active:{1}".into(),
        reading: "reading:{1}".into(),
        profile: "profile:{1}".into(),
        arrivals: "arrivals:{1}".into(),
        from_score: from_score.into(),
        id_count,
        further_count: 0,
        mark_ttl_s: 9000,
        began_before,
        epoch_ms: EPOCH_MS,
        page_size: 4,
        mode: "",
    }
}

/// A visit of the newest thirty statuses, as pages read them.
pub fn visit() -> ReadHome {
    ReadHome {
        mark_ttl_s: 2_592_000,
        epoch_ms: StatusId::EPOCH_MS,
        page_size: 30,
        ..read_home("-inf", 31, 0)
    }
}

/// A page of the home of user 1 has shown these ids, after it examined those.
pub fn note_shown(lowest_id: u64, highest_id: u64, examined_ids: &[u64]) -> NoteShown {
    NoteShown {
        home: "home:{1}".into(),
        reading: "reading:{1}".into(),
        deadline_ms: DEADLINE,
        lowest_id,
        highest_id,
        examined_ids: examined_ids.to_vec(),
    }
}

/// Returns headers and ids as calls have them.
fn owned(statuses: &[(&str, u64)]) -> Vec<(String, u64)> {
    let owned = |(header, id): &(&str, u64)| ((*header).to_owned(), *id);
    statuses.iter().map(owned).collect()
}
