//! The calls of the scripts of search.

use crate::store::redis::script_call::script_calls;

script_calls! {
    DropPosting = "drop_posting"(bounds, chunk; bound: u64, [members: Vec<String>]);
    EnterName = "enter_name"(names; deadline_ms: u64, [entries: Vec<String>]);
    EnterPosting = "enter_posting"(
        bounds, chunk, new_chunk;
        deadline_ms: u64, status_id: u64, bound: u64, full_count: usize, newest_full_count: usize
    );
    ForgetFormer = "forget_former"(owner; former: String);
    LeaveName = "leave_name"(names; deadline_ms: u64, [entries: Vec<String>]);
    LeavePosting = "leave_posting"(bounds, chunk; deadline_ms: u64, status_id: u64, bound: u64);
}
