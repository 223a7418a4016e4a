//! Every invariant, broken in each of its ways by writes to Redis. The check reports it under its
//! name, the repair restores it from the source of truth, and no user data is lost.

use redwing::audit::Invariant;

use super::{
    damage::{self, Outcome},
    repaired::{assert_all_found_and_repaired, assert_each_found_and_repaired, wrong},
    scene::Scene,
};

#[tokio::test]
async fn wrong_logins_are_found_and_repaired() {
    assert_all_found_and_repaired(&["logins_match_users"]).await;
}

#[tokio::test]
async fn incomplete_source_data_is_found_and_repaired_where_it_can_be_derived() {
    assert_all_found_and_repaired(&["source_data_is_complete"]).await;
}

#[tokio::test]
async fn asymmetric_edges_are_found_and_repaired() {
    assert_all_found_and_repaired(&["follows_mirror"]).await;
}

#[tokio::test]
async fn wrong_counts_are_found_and_repaired() {
    assert_all_found_and_repaired(&["counts_match"]).await;
}

#[tokio::test]
async fn profiles_with_missing_or_extra_statuses_are_found_and_repaired() {
    assert_all_found_and_repaired(&["profiles_are_complete"]).await;
}

#[tokio::test]
async fn homes_with_missing_or_extra_statuses_are_found_and_repaired() {
    assert_all_found_and_repaired(&["homes_are_complete"]).await;
}

#[tokio::test]
async fn wrong_queues_roles_and_reports_are_found() {
    let all = [
        "cases_are_queued",
        "roles_mirror",
        "post_marks_match",
        "measures_are_in_force",
        "reports_are_readable",
    ];
    assert_all_found_and_repaired(&all).await;
}

#[tokio::test]
async fn asymmetric_list_memberships_are_found_and_repaired() {
    assert_all_found_and_repaired(&["list_memberships_mirror"]).await;
}

#[tokio::test]
async fn asymmetric_favourites_are_found_and_repaired() {
    assert_all_found_and_repaired(&["favourites_mirror"]).await;
}

#[tokio::test]
async fn incomplete_reposts_are_found_and_repaired() {
    assert_all_found_and_repaired(&["reposts_mirror"]).await;
}

#[tokio::test]
async fn incomplete_replies_are_found_and_repaired() {
    assert_all_found_and_repaired(&["replies_mirror"]).await;
}

#[tokio::test]
async fn asymmetric_tag_follows_are_found_and_repaired() {
    assert_all_found_and_repaired(&["tag_follows_mirror"]).await;
}

#[tokio::test]
async fn tags_with_missing_or_extra_statuses_are_found_and_repaired() {
    assert_all_found_and_repaired(&["tag_index_is_complete"]).await;
}

#[tokio::test]
async fn mentions_with_missing_or_extra_statuses_are_found_and_repaired() {
    assert_all_found_and_repaired(&["mention_index_is_complete"]).await;
}

#[tokio::test]
async fn lists_with_missing_or_extra_statuses_are_found_and_repaired() {
    assert_all_found_and_repaired(&["list_timelines_are_complete"]).await;
}

#[tokio::test]
async fn scores_out_of_order_are_found_and_repaired() {
    assert_all_found_and_repaired(&["scores_are_in_order"]).await;
}

#[tokio::test]
async fn wrong_states_of_accounts_are_found_and_repaired() {
    assert_all_found_and_repaired(&[
        "leaving_is_scheduled",
        "applicants_are_queued",
        "restrictions_are_copied",
    ])
    .await;
}

#[tokio::test]
async fn wrong_groups_and_copies_of_them_are_found_and_repaired() {
    assert_each_found_and_repaired(&[
        "group_memberships_mirror",
        "groups_are_consistent",
        "groups_are_listed",
    ])
    .await;
}

#[tokio::test]
async fn wrong_copies_and_counts_of_chats_are_found_and_repaired() {
    assert_all_found_and_repaired(&["chats_mirror", "chats_are_counted"]).await;
}

#[tokio::test]
async fn wrong_newest_posts_are_found_and_repaired() {
    assert_all_found_and_repaired(&["newest_posts_are_current"]).await;
}

#[tokio::test]
async fn wrong_suggestions_are_found_and_repaired() {
    assert_all_found_and_repaired(&["suggestions_are_current"]).await;
}

#[tokio::test]
async fn orphaned_and_wrongly_typed_keys_are_removed_unless_they_are_source_data() {
    assert_each_found_and_repaired(&["keys_are_known"]).await;
}

#[tokio::test]
async fn wrong_lifetimes_are_found_and_repaired() {
    assert_all_found_and_repaired(&["lifetimes_match"]).await;
}

#[tokio::test]
async fn abandoned_work_is_found_and_done() {
    assert_each_found_and_repaired(&["tasks_run", "no_task_was_given_up"]).await;
}

#[tokio::test]
async fn deliveries_with_progress_but_without_a_task_are_found_and_delivered() {
    assert_all_found_and_repaired(&["deliveries_have_tasks"]).await;
}

#[tokio::test]
async fn unordered_read_ranges_are_found_and_repaired() {
    assert_all_found_and_repaired(&["reading_progress_is_valid"]).await;
}

#[tokio::test]
async fn one_sided_blocks_and_follows_across_a_block_are_found_and_repaired() {
    assert_all_found_and_repaired(&["blocks_mirror", "blocks_separate"]).await;
}

#[tokio::test]
async fn one_sided_requests_and_requests_of_followers_are_found_and_repaired() {
    assert_all_found_and_repaired(&["requests_mirror"]).await;
}

#[tokio::test]
async fn wrong_mutes_are_found_and_removed() {
    assert_all_found_and_repaired(&["muted_are_users", "mutes_are_valid"]).await;
}

#[tokio::test]
async fn preferences_about_unfollowed_authors_are_found_and_removed() {
    assert_all_found_and_repaired(&["preferences_are_of_followed"]).await;
}

#[tokio::test]
async fn wrong_trees_of_invitations_are_found_and_repaired() {
    assert_all_found_and_repaired(&["invited_mirror"]).await;
}

#[tokio::test]
async fn an_unreadable_entry_of_the_log_is_found() {
    assert_all_found_and_repaired(&["admin_log_is_readable", "acts_are_counted"]).await;
}

#[tokio::test]
async fn wrong_notifications_are_found_and_removed() {
    assert_all_found_and_repaired(&["notifications_are_true"]).await;
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
    let (count, examples) = wrong(&report, "notifications_are_true");
    assert!(
        count == 1 && examples.contains("contain more than 1000 entries"),
        "{report}"
    );
    assert!(scene.repair().await.is_clean());
    assert_eq!(scene.user_views().await, before);
}

#[test]
fn every_invariant_is_broken_in_some_way() {
    for invariant in Invariant::all() {
        let name = invariant.name;
        assert!(!damage::of(&[name]).is_empty(), "{name}");
    }
}

#[tokio::test]
async fn an_oversized_home_is_found_and_rebuilt() {
    let scene = Scene::set(&["--home-size", "1"]).await;
    let members: Vec<String> = (1..40).map(|id| format!("-{id} {id}")).collect();
    scene.damage(&format!("ZADD home:{{ALICE}} {}", members.join(" ")));
    let report = scene.check().await;
    let (_, examples) = wrong(&report, "homes_are_complete");
    assert!(
        examples.contains("contains more than 25 statuses"),
        "{report}"
    );
    assert!(scene.repair().await.is_clean());
}

#[tokio::test]
async fn too_many_newest_posts_are_found_and_trimmed() {
    let scene = Scene::set(&[]).await;
    let members: Vec<String> = (2000..3001).map(|id| format!("-{id} {id}")).collect();
    scene.damage(&format!("ZADD statuses:newest {}", members.join(" ")));
    let report = scene.check().await;
    let (_, examples) = wrong(&report, "newest_posts_are_current");
    assert!(examples.contains("more than 1000 posts"), "{report}");
    assert!(scene.repair().await.is_clean());
}

#[tokio::test]
async fn too_many_ranked_people_are_found_and_trimmed() {
    let scene = Scene::set(&[]).await;
    let members: Vec<String> = (2000..3001).map(|id| format!("{id} {id}")).collect();
    scene.damage(&format!("ZADD people:newest {}", members.join(" ")));
    let report = scene.check().await;
    let (count, examples) = wrong(&report, "suggestions_are_current");
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
    let (absent, _) = wrong(&report, "profiles_are_complete");
    let (displaced, _) = wrong(&report, "scores_are_in_order");
    assert_eq!((absent, displaced), (2400, 1100), "{report}");
    assert!(scene.repair().await.is_clean());
}

#[tokio::test]
async fn several_breakages_at_once_are_fixed_by_one_repair() {
    let scene = Scene::set(&[]).await;
    let before = scene.user_views().await;
    let repairable = damage::of(&[
        "follows_mirror",
        "counts_match",
        "profiles_are_complete",
        "lifetimes_match",
    ]);
    for breakage in repairable {
        if breakage.outcome == Outcome::Whole {
            scene.damage(&breakage.commands);
        }
    }
    let repair = scene.repair().await;
    assert!(repair.is_clean(), "{repair}");
    let again = scene.repair().await;
    assert!(again.is_clean() && again.repairs().is_empty(), "{again}");
    assert_eq!(scene.user_views().await, before);
}

#[tokio::test]
async fn wrong_pinned_posts_are_found_and_repaired() {
    assert_all_found_and_repaired(&["pinned_posts_are_own"]).await;
}

#[tokio::test]
async fn wrong_bytes_of_posts_are_found_and_repaired() {
    assert_each_found_and_repaired(&["post_bytes_match"]).await;
}

#[tokio::test]
async fn missing_and_extra_search_entries_are_found_and_repaired() {
    assert_each_found_and_repaired(&["search_index_is_complete"]).await;
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
    let (_, search) = wrong(&report, "search_index_is_complete");
    assert!(search.contains("is not found by all its words"), "{report}");
    let (_, profiles) = wrong(&report, "profiles_are_complete");
    assert!(profiles.contains("posts"), "{report}");
    let repair = scene.repair().await;
    assert!(repair.is_clean(), "{repair}");
    assert_eq!(scene.user_views().await, before);
    assert!(scene.check().await.is_clean());
}
