//! Every invariant, broken in each of its ways by writes to Redis. The check reports it under its
//! name, the repair restores it from the source of truth, and no user data is lost.

use redwing::audit::{Invariant, Repair};

use super::{
    damage::{self, Breakage, Outcome},
    scene::{Scene, wrong},
};
use crate::support::crowd::member;

/// Maximum number of faults that a report lists per invariant. Above it, the report lists one of
/// each kind.
const TOLD: u64 = 5;

fn kind(faults: &str) -> String {
    faults.replace(|c: char| c.is_ascii_digit(), "")
}

async fn is_found_and_mended(breakage: &Breakage) {
    let Breakage {
        invariant,
        outcome,
        commands,
        example,
    } = breakage;
    let scene = Scene::set(&[]).await;
    let before = scene.sights().await;
    assert!(scene.check().await.is_clean(), "the scene is in order");
    scene.damage(commands);

    let report = scene.check().await;
    let (count, examples) = wrong(&report, *invariant);
    assert!(!report.is_clean() && count > 0, "{commands}:\n{report}");
    let example = scene.filled(example);
    let is_notified = if count <= TOLD {
        examples.contains(&example)
    } else {
        kind(&examples).contains(&kind(&example))
    };
    assert!(is_notified, "{commands}: {example}\n{report}");

    let mut repair = scene.repair().await;
    if *outcome == Outcome::Orphaned {
        assert!(!repair.is_clean() && repair.orphans() > 0, "{repair}");
        assert!(repair.to_string().contains("--drop-orphans"), "{repair}");
        repair = scene.repair_with(Repair::DropOrphans).await;
    }
    let all_is_well = *outcome != Outcome::Reported;
    assert_eq!(repair.is_clean(), all_is_well, "{commands}:\n{repair}");
    let after = scene.check().await;
    assert_eq!(after.is_clean(), all_is_well, "{commands}:\n{after}");
    if all_is_well {
        assert!(!repair.repairs().is_empty(), "{commands}:\n{repair}");
        let again = scene.repair().await;
        assert!(again.repairs().is_empty(), "{commands}:\n{again}");
    }
    if matches!(outcome, Outcome::Whole | Outcome::Orphaned) {
        assert_eq!(scene.sights().await, before, "{commands}");
    }
    member(&scene.core.store, "newcomer").await;
    if all_is_well {
        scene.live_on().await;
        let used = scene.check().await;
        assert!(used.is_clean(), "{commands}:\n{used}");
    }
}

async fn are_found_and_mended(invariants: &[Invariant]) {
    for breakage in damage::of(invariants) {
        is_found_and_mended(&breakage).await;
    }
}

#[tokio::test]
async fn logins_that_name_nobody_or_somebody_else_are_found_and_mended() {
    are_found_and_mended(&[Invariant::LoginsNameBack]).await;
}

#[tokio::test]
async fn truth_that_lacks_a_part_is_found_and_mended_where_it_follows_from_the_rest() {
    are_found_and_mended(&[Invariant::TruthIsWhole]).await;
}

#[tokio::test]
async fn edges_that_do_not_mirror_each_other_are_found_and_mended() {
    are_found_and_mended(&[Invariant::EdgesMirror]).await;
}

#[tokio::test]
async fn counts_that_differ_from_cardinalities_are_found_and_mended() {
    are_found_and_mended(&[Invariant::CountsMatch]).await;
}

#[tokio::test]
async fn profiles_that_lack_a_status_or_hold_one_too_many_are_found_and_mended() {
    are_found_and_mended(&[Invariant::ProfilesHoldTheLiving]).await;
}

#[tokio::test]
async fn homes_that_lack_a_status_or_hold_one_too_many_are_found_and_mended() {
    are_found_and_mended(&[Invariant::HomesAreComplete]).await;
}

#[tokio::test]
async fn lists_and_people_that_do_not_know_of_each_other_are_found_and_mended() {
    are_found_and_mended(&[Invariant::ListsMirror]).await;
}

#[tokio::test]
async fn favourites_that_do_not_mirror_each_other_are_found_and_mended() {
    are_found_and_mended(&[Invariant::FavouritesMirror]).await;
}

#[tokio::test]
async fn reposts_that_not_all_know_of_are_found_and_mended() {
    are_found_and_mended(&[Invariant::RepostsAgree]).await;
}

#[tokio::test]
async fn answers_that_are_not_known_where_they_belong_are_found_and_mended() {
    are_found_and_mended(&[Invariant::AnswersMirror]).await;
}

#[tokio::test]
async fn tags_that_are_followed_on_one_side_only_are_found_and_mended() {
    are_found_and_mended(&[Invariant::TagsMirror]).await;
}

#[tokio::test]
async fn tags_that_lack_a_status_or_hold_one_too_many_are_found_and_mended() {
    are_found_and_mended(&[Invariant::TagsHoldTheLiving]).await;
}

#[tokio::test]
async fn mentions_that_lack_a_status_or_hold_one_too_many_are_found_and_mended() {
    are_found_and_mended(&[Invariant::MentionsHoldTheLiving]).await;
}

#[tokio::test]
async fn lists_that_lack_a_status_or_hold_one_too_many_are_found_and_mended() {
    are_found_and_mended(&[Invariant::ListsAreComplete]).await;
}

#[tokio::test]
async fn scores_out_of_order_are_found_and_mended() {
    are_found_and_mended(&[Invariant::ScoresOrder]).await;
}

#[tokio::test]
async fn suggestions_of_the_wrong_people_are_found_and_mended() {
    are_found_and_mended(&[Invariant::SuggestionsAgree]).await;
}

#[tokio::test]
async fn keys_of_nobody_or_of_a_wrong_type_are_found_and_removed_unless_they_are_truth() {
    are_found_and_mended(&[Invariant::KeysAreOwned]).await;
}

#[tokio::test]
async fn lifetimes_that_are_wrong_are_found_and_mended() {
    are_found_and_mended(&[Invariant::LifetimesHold]).await;
}

#[tokio::test]
async fn work_that_nobody_is_at_is_found_and_done() {
    are_found_and_mended(&[Invariant::TasksMove, Invariant::NothingIsGivenUp]).await;
}

#[tokio::test]
async fn what_is_said_to_be_on_its_way_and_is_not_is_found_and_delivered() {
    are_found_and_mended(&[Invariant::DeliveriesGoOn]).await;
}

#[tokio::test]
async fn what_is_remembered_of_reading_in_no_order_is_found_and_mended() {
    are_found_and_mended(&[Invariant::ReadingIsRemembered]).await;
}

#[tokio::test]
async fn a_weight_of_somebody_who_is_not_followed_is_found_and_forgotten() {
    are_found_and_mended(&[Invariant::WeightsAreOfTheFollowed]).await;
}

#[tokio::test]
async fn what_people_were_told_that_is_not_so_is_found_and_taken_back() {
    are_found_and_mended(&[Invariant::NotificationsAreTrue]).await;
}

#[tokio::test]
async fn more_than_is_kept_of_what_somebody_was_told_is_found_and_cut_back() {
    let scene = Scene::set(&[]).await;
    let before = scene.sights().await;
    // Entries of deleted statuses, which are no fault by themselves.
    let members: Vec<String> = (1..=1000)
        .map(|id| format!("{id} reply:{id}:CAROL"))
        .collect();
    scene.damage(&format!("ZADD notifications:{{BOB}} {}", members.join(" ")));
    let report = scene.check().await;
    let (count, examples) = wrong(&report, Invariant::NotificationsAreTrue);
    assert!(
        count == 1 && examples.contains("more than is kept"),
        "{report}"
    );
    assert!(scene.repair().await.is_clean());
    assert_eq!(scene.sights().await, before);
}

#[test]
fn every_invariant_is_broken_in_some_way() {
    for invariant in Invariant::ALL {
        assert!(!damage::of(&[invariant]).is_empty(), "{invariant:?}");
    }
}

#[tokio::test]
async fn a_home_that_is_far_too_large_is_found_and_built_anew() {
    let scene = Scene::set(&["--home-size", "1"]).await;
    let members: Vec<String> = (1..40).map(|id| format!("-{id} {id}")).collect();
    scene.damage(&format!("ZADD home:{{ALICE}} {}", members.join(" ")));
    let report = scene.check().await;
    let (_, examples) = wrong(&report, Invariant::HomesAreComplete);
    assert!(examples.contains("holds more than 25"), "{report}");
    assert!(scene.repair().await.is_clean());
}

#[tokio::test]
async fn more_people_than_are_kept_are_found_and_cut_back() {
    let scene = Scene::set(&[]).await;
    let members: Vec<String> = (2000..3001).map(|id| format!("{id} {id}")).collect();
    scene.damage(&format!("ZADD people:newest {}", members.join(" ")));
    let report = scene.check().await;
    let (count, examples) = wrong(&report, Invariant::SuggestionsAgree);
    assert!(examples.contains("more than 1000 people"), "{report}");
    assert!(count > 1001, "each is nobody besides: {report}");
    assert!(scene.repair().await.is_clean());
}

#[tokio::test]
async fn what_stands_beyond_the_first_page_or_shares_one_score_is_looked_at_too() {
    let scene = Scene::set(&[]).await;
    let apart: Vec<String> = (1..1301).map(|id| format!("-{id} {id}")).collect();
    let together: Vec<String> = (5001..6101).map(|id| format!("5 {id}")).collect();
    scene.damage(&format!("ZADD profile:{{BOB}} {}", apart.join(" ")));
    scene.damage(&format!("ZADD profile:{{BOB}} {}", together.join(" ")));
    let report = scene.check().await;
    let (absent, _) = wrong(&report, Invariant::ProfilesHoldTheLiving);
    let (displaced, _) = wrong(&report, Invariant::ScoresOrder);
    assert_eq!((absent, displaced), (2400, 1100), "{report}");
    assert!(scene.repair().await.is_clean());
}

#[tokio::test]
async fn several_breakages_at_once_are_mended_in_one_repair() {
    let scene = Scene::set(&[]).await;
    let before = scene.sights().await;
    let mendable = damage::of(&[
        Invariant::EdgesMirror,
        Invariant::CountsMatch,
        Invariant::ProfilesHoldTheLiving,
        Invariant::LifetimesHold,
    ]);
    for breakage in mendable {
        if breakage.outcome == Outcome::Whole {
            scene.damage(&breakage.commands);
        }
    }
    let repair = scene.repair().await;
    assert!(repair.is_clean(), "{repair}");
    assert_eq!(scene.sights().await, before);
}

#[tokio::test]
async fn search_that_misses_something_or_finds_too_much_is_found_and_mended() {
    are_found_and_mended(&[Invariant::SearchFindsAll]).await;
}

#[tokio::test]
async fn what_a_site_had_before_search_is_named_and_one_repair_lets_all_be_found() {
    let scene = Scene::set(&[]).await;
    let before = scene.sights().await;
    for keys in ["postings:", "names:", "posts:"] {
        let keys = scene.core.keys(keys).await;
        assert!(!keys.is_empty());
        for key in keys {
            scene.core.redis.command(&["DEL", &key]);
        }
    }
    let report = scene.check().await;
    let (_, search) = wrong(&report, Invariant::SearchFindsAll);
    assert!(search.contains("is not found by its words"), "{report}");
    let (_, profiles) = wrong(&report, Invariant::ProfilesHoldTheLiving);
    assert!(profiles.contains("posts"), "{report}");
    let repair = scene.repair().await;
    assert!(repair.is_clean(), "{repair}");
    assert_eq!(scene.sights().await, before);
    assert!(scene.check().await.is_clean());
}
