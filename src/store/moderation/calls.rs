//! The calls of the scripts of moderation.

use crate::store::prelude::*;

script_calls! {
    Report = "report"(
        user, case, reports, open_reports, closed_reports, reported_posts;
        deadline_ms: u64, name: String, report: String, max_open: usize, max_of_reporter: usize, max_kept: usize,
        max_posts: usize, max_bytes: usize, post_name: String, post: String
    );
    DropReports = "drop_reports"(
        case, reports, open_reports, closed_reports, reported_posts;
        deadline_ms: u64, closed_before_us: u64, name: String
    );
    NoteReport = "note_report"(
        auth, own_reports; deadline_ms: u64, session_epoch: String, member: String, max_reports: usize
    );
    ClaimCase = "claim_case"(case; deadline_ms: u64, by: u64, lease_ms: u64, claim: &'static str);
    Decide = "decide"(
        user, auth, channel, case, decisions, open_reports, closed_reports;
        deadline_ms: u64, token: String, by: String, lease_ms: u64, revision: String, seen_us: u64, decision: String,
        measure: &'static str, post: String, value: String, new_epoch: String, max_decisions: u64
    );
    EndDecision = "end_decision"(
        user, auth, channel, case, decisions;
        deadline_ms: u64, number: u64, measure: &'static str, not_before_us: u64, ending: String, answer: String
    );
    Appeal = "appeal"(
        auth, case, decisions; deadline_ms: u64, session_epoch: String, number: u64, text: String
    );
    MarkPost = "mark_post"(
        status;
        deadline_ms: u64, user_id: u64, hidden: &'static str, warning: String, approved_revision: String
    );
    NoteSightings = "note_sightings"(seen; ttl_s: u64, max_seen: usize, [members: Vec<String>]);
    HandleCase = "handle_case"(case; deadline_ms: u64, handled_us: u64);
}
