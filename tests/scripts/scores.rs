//! The scores of many members of a sorted set.

use redwing::store::calls::ReadScores;

use super::Bench;

const SET: &str = "profile:{1}";
/// The most members of a set that Redis stores as a list.
const LIST_ENTRIES: u64 = 1_024;

#[test]
fn many_scores_are_those_of_redis_and_a_list_is_read_once() {
    for size in [LIST_ENTRIES, LIST_ENTRIES + 1] {
        let mut redis = Bench::start();
        let entries: Vec<String> = (1..=size).map(|n| format!("{} {n}", 2 * n)).collect();
        redis.given(&format!("ZADD {SET} {}", entries.join(" ")));
        let members: Vec<u64> = (500..1_500).collect();
        let names: Vec<String> = members.iter().map(u64::to_string).collect();
        let scores = redis.run(&format!("ZMSCORE {SET} {}", names.join(" ")));
        redis.given("CONFIG RESETSTAT");
        let read = ReadScores {
            set: SET.to_owned(),
            members,
        };
        assert_eq!(redis.call(&read), scores);
        let stats = redis.run("INFO commandstats");
        assert_eq!(stats.contains("cmdstat_zmscore"), size > LIST_ENTRIES);
    }
}
