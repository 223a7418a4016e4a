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

async fn assert_found_and_repaired(breakage: &Breakage) {
    let Breakage {
        invariant,
        outcome,
        commands,
        example,
    } = breakage;
    let scene = Scene::set(&[]).await;
    let before = scene.user_views().await;
    assert!(scene.check().await.is_clean(), "the scene has no fault");
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
        assert_eq!(scene.user_views().await, before, "{commands}");
    }
    member(&scene.core.store, "newcomer").await;
    if all_is_well {
        scene.live_on().await;
        let used = scene.check().await;
        assert!(used.is_clean(), "{commands}:\n{used}");
    }
}

async fn assert_all_found_and_repaired(invariants: &[Invariant]) {
    for breakage in damage::of(invariants) {
        assert_found_and_repaired(&breakage).await;
    }
}

#[tokio::test]
async fn wrong_logins_are_found_and_repaired() {
    assert_all_found_and_repaired(&[Invariant::LoginsNameBack]).await;
}

#[tokio::test]
async fn incomplete_source_data_is_found_and_repaired_where_it_can_be_derived() {
    assert_all_found_and_repaired(&[Invariant::TruthIsWhole]).await;
}

#[tokio::test]
async fn asymmetric_edges_are_found_and_repaired() {
    assert_all_found_and_repaired(&[Invariant::EdgesMirror]).await;
}

#[tokio::test]
async fn wrong_counts_are_found_and_repaired() {
    assert_all_found_and_repaired(&[Invariant::CountsMatch]).await;
}

#[tokio::test]
async fn profiles_with_missing_or_extra_statuses_are_found_and_repaired() {
    assert_all_found_and_repaired(&[Invariant::ProfilesHoldTheLiving]).await;
}

#[tokio::test]
async fn homes_with_missing_or_extra_statuses_are_found_and_repaired() {
    assert_all_found_and_repaired(&[Invariant::HomesAreComplete]).await;
}

#[tokio::test]
async fn asymmetric_list_memberships_are_found_and_repaired() {
    assert_all_found_and_repaired(&[Invariant::ListsMirror]).await;
}

#[tokio::test]
async fn asymmetric_favourites_are_found_and_repaired() {
    assert_all_found_and_repaired(&[Invariant::FavouritesMirror]).await;
}

#[tokio::test]
async fn incomplete_reposts_are_found_and_repaired() {
    assert_all_found_and_repaired(&[Invariant::RepostsAgree]).await;
}

#[tokio::test]
async fn incomplete_replies_are_found_and_repaired() {
    assert_all_found_and_repaired(&[Invariant::AnswersMirror]).await;
}

#[tokio::test]
async fn asymmetric_tag_follows_are_found_and_repaired() {
    assert_all_found_and_repaired(&[Invariant::TagsMirror]).await;
}

#[tokio::test]
async fn tags_with_missing_or_extra_statuses_are_found_and_repaired() {
    assert_all_found_and_repaired(&[Invariant::TagsHoldTheLiving]).await;
}

#[tokio::test]
async fn mentions_with_missing_or_extra_statuses_are_found_and_repaired() {
    assert_all_found_and_repaired(&[Invariant::MentionsHoldTheLiving]).await;
}

#[tokio::test]
async fn lists_with_missing_or_extra_statuses_are_found_and_repaired() {
    assert_all_found_and_repaired(&[Invariant::ListsAreComplete]).await;
}

#[tokio::test]
async fn scores_out_of_order_are_found_and_repaired() {
    assert_all_found_and_repaired(&[Invariant::ScoresOrder]).await;
}

#[tokio::test]
async fn wrong_suggestions_are_found_and_repaired() {
    assert_all_found_and_repaired(&[Invariant::SuggestionsAgree]).await;
}

#[tokio::test]
async fn orphaned_and_wrongly_typed_keys_are_removed_unless_they_are_source_data() {
    assert_all_found_and_repaired(&[Invariant::KeysAreOwned]).await;
}

#[tokio::test]
async fn wrong_lifetimes_are_found_and_repaired() {
    assert_all_found_and_repaired(&[Invariant::LifetimesHold]).await;
}

#[tokio::test]
async fn abandoned_work_is_found_and_done() {
    assert_all_found_and_repaired(&[Invariant::TasksMove, Invariant::NothingIsGivenUp]).await;
}

#[tokio::test]
async fn deliveries_with_progress_but_without_a_task_are_found_and_delivered() {
    assert_all_found_and_repaired(&[Invariant::DeliveriesGoOn]).await;
}

#[tokio::test]
async fn unordered_read_ranges_are_found_and_repaired() {
    assert_all_found_and_repaired(&[Invariant::ReadingIsRemembered]).await;
}

#[tokio::test]
async fn preferences_about_unfollowed_authors_are_found_and_removed() {
    assert_all_found_and_repaired(&[Invariant::WeightsAreOfTheFollowed]).await;
}

#[tokio::test]
async fn wrong_notifications_are_found_and_removed() {
    assert_all_found_and_repaired(&[Invariant::NotificationsAreTrue]).await;
}

#[tokio::test]
async fn too_many_notifications_are_found_and_trimmed() {
    let scene = Scene::set(&[]).await;
    let before = scene.user_views().await;
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
    assert_eq!(scene.user_views().await, before);
}

#[test]
fn every_invariant_is_broken_in_some_way() {
    for invariant in Invariant::ALL {
        assert!(!damage::of(&[invariant]).is_empty(), "{invariant:?}");
    }
}

#[tokio::test]
async fn an_oversized_home_is_found_and_rebuilt() {
    let scene = Scene::set(&["--home-size", "1"]).await;
    let members: Vec<String> = (1..40).map(|id| format!("-{id} {id}")).collect();
    scene.damage(&format!("ZADD home:{{ALICE}} {}", members.join(" ")));
    let report = scene.check().await;
    let (_, examples) = wrong(&report, Invariant::HomesAreComplete);
    assert!(examples.contains("holds more than 25"), "{report}");
    assert!(scene.repair().await.is_clean());
}

#[tokio::test]
async fn too_many_ranked_people_are_found_and_trimmed() {
    let scene = Scene::set(&[]).await;
    let members: Vec<String> = (2000..3001).map(|id| format!("{id} {id}")).collect();
    scene.damage(&format!("ZADD people:newest {}", members.join(" ")));
    let report = scene.check().await;
    let (count, examples) = wrong(&report, Invariant::SuggestionsAgree);
    assert!(examples.contains("more than 1000 people"), "{report}");
    assert!(count > 1001, "each is an orphan: {report}");
    assert!(scene.repair().await.is_clean());
}

#[tokio::test]
async fn entries_beyond_the_first_page_or_with_equal_scores_are_checked_too() {
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
async fn several_breakages_at_once_are_fixed_by_one_repair() {
    let scene = Scene::set(&[]).await;
    let before = scene.user_views().await;
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
    assert_eq!(scene.user_views().await, before);
}

#[tokio::test]
async fn missing_and_extra_search_entries_are_found_and_repaired() {
    assert_all_found_and_repaired(&[Invariant::SearchFindsAll]).await;
}

#[tokio::test]
async fn posts_older_than_search_are_reported_and_one_repair_indexes_all() {
    let scene = Scene::set(&[]).await;
    let before = scene.user_views().await;
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
    assert_eq!(scene.user_views().await, before);
    assert!(scene.check().await.is_clean());
}
