//! The matrix of visibilities: each viewer looks at each surface for each canary, and the oracle, a plain table
//! written from docs/access.md, says whether it is there. `tests/blocks/matrix.rs` has the part about blocks and
//! mutes.

mod oracle;
mod scene;

use std::collections::HashMap;

use redwing::{
    actions::{follows, moderation::end_decision},
    domain::{ActingPerson, Measure},
    store::{DecideOutcome, EndOutcome, Store},
};

use self::{
    oracle::{Account, Canary, LOOKERS, SURFACES, oracle},
    scene::{Shown, post_canaries, send_away, sign_up},
};
use crate::{
    blocks::set_block,
    moderation::decisions::decide_by,
    support::{Page, Site, crowd},
};

#[tokio::test]
async fn every_viewer_sees_on_every_surface_what_the_visibility_says() {
    check_matrix(Account::Public).await;
}

#[tokio::test]
async fn a_private_account_narrows_every_surface_to_followers() {
    check_matrix(Account::Private).await;
}

#[tokio::test]
async fn an_account_that_is_public_again_shows_what_it_showed_before() {
    check_matrix(Account::PublicAgain).await;
}

#[tokio::test]
async fn a_limited_account_narrows_every_surface_to_followers() {
    check_matrix(Account::Limited).await;
}

#[tokio::test]
async fn an_account_whose_limit_ended_shows_what_it_showed_before() {
    check_matrix(Account::LimitEnded).await;
}

#[tokio::test]
async fn posts_of_a_suspended_account_are_on_no_surface() {
    check_matrix(Account::Suspended).await;
}

#[tokio::test]
async fn posts_of_a_deactivated_account_are_on_no_surface() {
    check_matrix(Account::Deactivated).await;
}

#[tokio::test]
async fn a_frozen_account_shows_what_it_showed_before() {
    check_matrix(Account::Frozen).await;
}

#[tokio::test]
async fn a_restored_account_shows_what_it_showed_before() {
    check_matrix(Account::Restored).await;
}

#[tokio::test]
async fn posts_that_the_moderators_hide_are_on_no_surface_of_others() {
    check_matrix(Account::PostsHidden).await;
}

#[tokio::test]
async fn posts_that_are_shown_again_are_where_they_were() {
    check_matrix(Account::PostsShownAgain).await;
}

#[tokio::test]
async fn posts_that_wait_for_a_moderator_are_on_no_surface_of_others() {
    check_matrix(Account::PostsWait).await;
}

/// Returns the canaries that the author wrote.
fn posts_of(canaries: &[Shown]) -> impl Iterator<Item = &Shown> {
    canaries
        .iter()
        .filter(|shown| matches!(shown.canary, Canary::Post | Canary::Narrowed))
}

/// Hides all posts of the author, and takes these decisions back if the account says so.
async fn hide_posts(store: &Store, account: Account, canaries: &[Shown]) {
    let author = crowd::uid(store, "author").await;
    for shown in posts_of(canaries) {
        let status = shown.id;
        let decided = decide_by(store, author, Measure::HidePost { status }).await;
        assert_eq!(decided, DecideOutcome::Decided);
    }
    if account == Account::PostsShownAgain {
        take_decisions_back(store).await;
    }
}

/// Limits the author, and takes this decision back if the account says so.
async fn limit(store: &Store, account: Account) {
    let author = crowd::uid(store, "author").await;
    let decided = decide_by(store, author, Measure::Limit).await;
    assert_eq!(decided, DecideOutcome::Decided);
    if account == Account::LimitEnded {
        take_decisions_back(store).await;
    }
}

async fn take_decisions_back(store: &Store) {
    let author = crowd::uid(store, "author").await;
    for decision in store.decisions(author).await.expect("decisions") {
        let ended = end_decision(store, ActingPerson::Host, author, &decision).await;
        assert_eq!(ended.expect("the store answers"), EndOutcome::Ended);
    }
}

async fn check_matrix(account: Account) {
    let site = Site::start().await;
    let store = &site.store;
    let mut people = Vec::new();
    for looker in LOOKERS {
        people.push(sign_up(&site, looker).await);
    }
    let author = crowd::uid(store, "author").await;
    let canaries = post_canaries(&site).await;
    let former = crowd::uid(store, "former").await;
    let left = follows::unfollow(store, former, author).await;
    left.expect("the store answers");
    set_block(store, author, crowd::uid(store, "blocked").await).await;
    if matches!(account, Account::Private | Account::PublicAgain) {
        crowd::set_private(store, author, true).await;
    }
    if account == Account::PublicAgain {
        crowd::set_private(store, author, false).await;
    }
    let muting = crowd::uid(store, "muting").await;
    for shown in canaries.iter().filter(|shown| !shown.is_deleted()) {
        crowd::mute_conversation(store, muting, shown.id).await;
    }
    if matches!(account, Account::PostsHidden | Account::PostsShownAgain) {
        hide_posts(store, account, &canaries).await;
    }
    if account == Account::PostsWait {
        for shown in posts_of(&canaries) {
            let key = format!("status:{{{}}}", shown.id);
            site.redis.command(&["HSET", &key, "waiting", "0"]);
        }
    }
    if matches!(account, Account::Limited | Account::LimitEnded) {
        limit(store, account).await;
    }
    if account == Account::Frozen {
        let until_ms = 9_007_199_254_740;
        let decided = decide_by(store, author, Measure::Freeze { until_ms }).await;
        assert_eq!(decided, DecideOutcome::Decided);
    }
    send_away(&site, account, &mut people).await;
    site.drain().await;
    let (mut wrong, mut cells) = (Vec::new(), 0);
    for (looker, person) in LOOKERS.into_iter().zip(&people) {
        let mut pages: HashMap<String, Page> = HashMap::new();
        for (surface, shown) in SURFACES
            .iter()
            .flat_map(|one| canaries.iter().map(move |shown| (*one, shown)))
        {
            let (visibility, canary) = (shown.visibility, shown.canary);
            let Some(expected) = oracle(looker, account, (visibility, canary), surface) else {
                continue;
            };
            let path = shown.path(surface);
            if !pages.contains_key(&path) {
                pages.insert(path.clone(), person.get(&path).await);
            }
            cells += 1;
            if shown.is_on(&pages[&path], surface) != expected {
                wrong.push(format!(
                    "{looker:?}, {surface:?}, {canary:?} for {visibility:?}: expected {expected}"
                ));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {cells} cells: {wrong:#?}",
        wrong.len()
    );
    assert!(cells > 1000, "{cells}");
    site.assert_sound().await;
}
