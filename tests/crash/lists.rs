//! Lists, interrupted before each command of a change.

use redwing::{
    actions::{
        homes,
        lists::{self, Create},
    },
    domain::{IdempotencyKey, ListId, ListName, StatusId, UserId},
    store::{Store, VisibleStatus},
};

use super::{cut_off_everywhere, home};
use crate::support::{
    core::Core,
    crowd::{follow, member, post},
};

struct Scene {
    owner: UserId,
    author: UserId,
    list: ListId,
    id: StatusId,
    idempotency_key: IdempotencyKey,
}

fn name(text: &str) -> ListName {
    ListName::parse(text).expect("valid")
}

/// Creates an owner with an open list, who follows an author with a post.
async fn scene(core: &Core, number: usize) -> Scene {
    let store = &core.store;
    let owner = member(store, &format!("owner_{number}")).await;
    let author = member(store, &format!("author_{number}")).await;
    let id = post(store, author, "something to find").await;
    follow(store, owner, author).await;
    let made = lists::create(store, owner, &name("A list"), &IdempotencyKey::draw()).await;
    let Ok(Create::Created(list)) = made else {
        panic!("{made:?}");
    };
    let scene = Scene {
        owner,
        author,
        list,
        id,
        idempotency_key: IdempotencyKey::draw(),
    };
    assert!(shown(store, list).await.is_empty());
    scene
}

async fn exclusive_scene(core: &Core, number: usize) -> Scene {
    let scene = scene(core, number).await;
    lists::edit(
        &core.store,
        scene.list.owner,
        scene.list.number,
        &name("Apart"),
        true,
    )
    .await
    .expect("an answer");
    scene
}

async fn full_scene(core: &Core, number: usize) -> Scene {
    let scene = exclusive_scene(core, number).await;
    lists::add(
        &core.store,
        scene.list.owner,
        scene.list.number,
        scene.author,
    )
    .await
    .expect("an answer");
    scene
}

async fn shown(store: &Store, list: ListId) -> Vec<StatusId> {
    let page = homes::list_page(store, list, None).await;
    let items = page.expect("an answer").items;
    items.iter().map(VisibleStatus::id).collect()
}

/// Checks that the list shows the author's status exactly if the author is a member, and that home
/// shows it otherwise.
async fn is_on_either_side(core: &Core, scene: &Scene) {
    let store = &core.store;
    let listed = store.is_listed(scene.list, scene.author).await;
    let listed = listed.expect("an answer");
    let ids = |there: bool| if there { vec![scene.id] } else { vec![] };
    assert_eq!(shown(store, scene.list).await, ids(listed));
    assert_eq!(home(store, scene.owner).await, ids(!listed));
    core.assert_sound().await;
}

#[tokio::test]
async fn a_person_added_is_on_the_list_and_off_home_or_neither() {
    let core = Core::start();
    cut_off_everywhere(
        &core,
        async |number| exclusive_scene(&core, number).await,
        async |store, scene| {
            lists::add(store, scene.list.owner, scene.list.number, scene.author)
                .await
                .map(drop)
        },
        async |scene| is_on_either_side(&core, scene).await,
    )
    .await;
}

#[tokio::test]
async fn a_person_removed_is_off_the_list_and_on_home_or_neither() {
    let core = Core::start();
    cut_off_everywhere(
        &core,
        async |number| full_scene(&core, number).await,
        async |store, scene| {
            lists::remove(store, scene.list.owner, scene.list.number, scene.author)
                .await
                .map(drop)
        },
        async |scene| is_on_either_side(&core, scene).await,
    )
    .await;
}

#[tokio::test]
async fn a_deleted_list_cut_off_anywhere_is_gone_with_its_data_or_complete() {
    let core = Core::start();
    cut_off_everywhere(
        &core,
        async |number| full_scene(&core, number).await,
        async |store, scene| {
            lists::delete(store, scene.list.owner, scene.list.number)
                .await
                .map(drop)
        },
        async |scene| {
            let there = core.store.list(scene.list).await.expect("an answer");
            let members = core.store.members(scene.list).await.expect("an answer");
            assert_eq!(members.is_empty(), there.is_none());
            let on_home = home(&core.store, scene.owner).await;
            assert_eq!(on_home.is_empty(), there.is_some());
            core.assert_sound().await;
        },
    )
    .await;
}

#[tokio::test]
async fn a_list_made_exclusive_has_a_home_that_agrees() {
    let core = Core::start();
    cut_off_everywhere(
        &core,
        async |number| {
            let scene = full_scene(&core, number).await;
            lists::edit(
                &core.store,
                scene.list.owner,
                scene.list.number,
                &name("Shared"),
                false,
            )
            .await
            .expect("an answer");
            scene
        },
        async |store, scene| {
            lists::edit(
                store,
                scene.list.owner,
                scene.list.number,
                &name("Apart"),
                true,
            )
            .await
            .map(drop)
        },
        async |scene| {
            let list = core.store.list(scene.list).await.expect("an answer");
            let list = list.expect("the list is there");
            assert_eq!(list.name == "Apart", list.exclusive);
            let on_home = home(&core.store, scene.owner).await;
            assert_eq!(on_home.is_empty(), list.exclusive);
        },
    )
    .await;
}

#[tokio::test]
async fn the_form_for_a_list_sent_again_after_a_crash_makes_exactly_one() {
    let core = Core::start();
    for commands in 0..3 {
        let scene = scene(&core, commands).await;
        let fuse = redwing::store::Fuse::of(commands);
        let cut_off = core.store.with_fuse(fuse);
        for store in [&cut_off, &core.store] {
            let made =
                lists::create(store, scene.owner, &name("Once"), &scene.idempotency_key).await;
            assert!(!matches!(made, Ok(Create::KeyReused)), "{made:?}");
        }
        let lists = core.store.lists(scene.owner).await.expect("an answer");
        assert_eq!(lists.len(), 2, "including the list of the scene");
    }
    core.assert_sound().await;
}
