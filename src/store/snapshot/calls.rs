//! The calls of the scripts of the audit and its repairs.

use crate::store::redis::script_call::script_calls;

script_calls! {
    MakeScoreUnique = "make_score_unique"(edges; member: String, largest_score: u64);
    RaiseCounter = "raise_counter"(counter; minimum: u64);
    RecountBallots = "recount_ballots"(status, ballots;);
    RecountExcluded = "recount_excluded"(
        lists, excluded, home, active_mark, [members: Vec<String>];
        owner_id: u64, list_numbers: String, [counted_members: Vec<String>]
    );
    RecountStatus = "recount_status"(favourited_by, status, replies, gaps, reposts, quotes;);
    RecountUser = "recount_user"(
        user, following, followers, profile, requests, arrivals, channel; user_id: u64
    );
    ReleaseLogin = "release_login"(login; found: String);
    RepairLastId = "repair_last_id"(user; newest_id: u64, largest_id: u64);
    RepairMeasures = "repair_measures"(
        user, auth, channel, case;
        revision: u64, limited: &'static str, frozen: String, changes_suspension: &'static str, suspended: String
    );
    RepairPinned = "repair_pinned"(user; found: String, right: String);
    RepairReading = "repair_reading"(reading; now_ms: u64, largest_id: u64);
    RepairStatusTtl = "repair_status_ttl"(status, replies, gaps; tombstone_ttl_s: u64);
    SnapshotUser = "snapshot_user"(
        user, auth, following, followers, profile, requests, active_mark, reading, read_marker;
    );
}
