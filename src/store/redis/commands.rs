//! Commands that several features send.

use redis::{Cmd, ToRedisArgs};

use super::{
    script_call::{TypedCall, script_calls},
    scripts::With,
};

script_calls! {
    SetScore = "set_score"(mirror; score: u64, member: String);
    ReadScores = "read_scores"(set; [members: Vec<u64>]);
}

/// Builds the write of one member of a mirror, which also succeeds with full memory.
pub fn set_score(mirror: &str, score: u64, member: impl ToString) -> Cmd {
    let call = SetScore {
        mirror: mirror.to_owned(),
        score,
        member: member.to_string(),
    };
    call.command()
}

/// Number of members from which on a script reads their scores (`FEW_NAMES` in the scripts).
const FEW_NAMES: usize = 64;

/// Builds the read of the scores of these members of a ZSET, in their order. Those of other names are missing. At least
/// one member.
pub fn scores(set: String, members: impl IntoIterator<Item = u64>) -> Cmd {
    let members: Vec<u64> = members.into_iter().collect();
    match members.len() > FEW_NAMES {
        true => ReadScores { set, members }.command(),
        false => redis::cmd("ZMSCORE").with((set, members)),
    }
}

/// Builds the read of at most `count` members of a ZSET between two scores. A score after `(` is excluded.
/// With `REV` it starts at the larger score.
pub fn range_by_score(
    key: impl ToRedisArgs,
    from: impl ToRedisArgs,
    to: impl ToRedisArgs,
    count: usize,
) -> Cmd {
    redis::cmd("ZRANGE").with((key, from, to, "BYSCORE", "LIMIT", 0, count))
}

/// Builds the read of all members of a ZSET.
pub fn all_members(key: impl ToRedisArgs) -> Cmd {
    redis::cmd("ZRANGE").with((key, 0, -1))
}

/// Builds the trim of a ZSET to the `kept` members with the largest scores.
pub fn trim(key: impl ToRedisArgs, kept: usize) -> Cmd {
    redis::cmd("ZREMRANGEBYRANK").with((key, 0, -(kept as i64) - 1))
}
