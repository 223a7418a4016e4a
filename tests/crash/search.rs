//! The search index, interrupted before each command of a change.

use redwing::{
    actions::{accounts, search, statuses},
    domain::{Bio, DisplayName, Query, StatusId, Term, UserId},
    store::{Error, Fuse, Store, Text, Viewer},
};

use super::cut_off_everywhere;
use crate::support::{
    core::Core,
    crowd::{edit, member, post},
    index::held,
};

async fn is_listed(store: &Store, word: &str) -> bool {
    let term = Term::stored(word).expect("a term");
    store.are_words_listed(&[term]).await.expect("an answer")[0]
}

async fn found(store: &Store, query: &str) -> Vec<StatusId> {
    let page = store
        .search(Viewer::Anonymous, &Query::parse(query), None)
        .await;
    let items = page.expect("an answer").items;
    items
        .iter()
        .map(redwing::store::VisibleStatus::id)
        .collect()
}

/// Creates an author and a status with a unique word. None of its tasks has run.
async fn scene(core: &Core, number: usize) -> (UserId, StatusId, String) {
    let author = member(&core.store, &format!("author_{number}")).await;
    let word = format!("word{number}");
    let id = post(&core.store, author, &format!("{word} and another")).await;
    (author, id, word)
}

#[tokio::test]
async fn a_task_cut_off_anywhere_is_done_by_the_next_task() {
    let core = Core::start();
    cut_off_everywhere(
        &core,
        async |number| scene(&core, number).await,
        async |store, (_, id, _)| search::index(store, *id).await.map(drop),
        async |(_, id, word)| {
            assert_eq!(found(&core.store, &format!("\"{word}\"")).await, [*id]);
            assert!(is_listed(&core.store, word).await, "{word}");
        },
    )
    .await;
}

#[tokio::test]
async fn a_task_cut_off_anywhere_leaves_no_entry_of_a_later_deleted_status() {
    let core = Core::start();
    cut_off_everywhere(
        &core,
        async |number| scene(&core, number).await,
        async |store, (author, id, _)| {
            let indexed = search::index(store, *id).await.map(drop);
            let deleted = statuses::delete(&core.store, *author, *id).await;
            deleted.expect("an answer");
            indexed
        },
        async |(_, _, word)| {
            assert_eq!(held(&core.store, word).await, 0, "{word}");
            assert!(!is_listed(&core.store, word).await, "{word}");
        },
    )
    .await;
}

#[tokio::test]
async fn an_index_removal_cut_off_anywhere_is_done_by_the_next_task() {
    let core = Core::start();
    cut_off_everywhere(
        &core,
        async |number| {
            let scene = scene(&core, number).await;
            core.drain().await;
            let deleted = statuses::delete(&core.store, scene.0, scene.1).await;
            deleted.expect("an answer");
            scene
        },
        async |store, (_, id, _)| search::index(store, *id).await.map(drop),
        async |(_, id, word)| {
            assert_eq!(held(&core.store, word).await, 0, "{word}");
            assert!(!is_listed(&core.store, word).await, "{word}");
            let texts = core.store.texts(&[*id]).await.expect("an answer");
            assert_eq!(texts, [Text::default()]);
        },
    )
    .await;
}

#[tokio::test]
async fn a_rename_cut_off_anywhere_leaves_the_old_or_the_new_name_searchable() {
    let core = Core::start();
    cut_off_everywhere(
        &core,
        async |number| {
            (
                number,
                member(&core.store, &format!("person_{number}")).await,
            )
        },
        async |store, (number, id)| {
            let name = DisplayName::parse(&format!("name{number}")).expect("valid");
            accounts::edit_profile(store, *id, &name, &Bio::default()).await
        },
        async |(number, id)| {
            let user = core
                .store
                .user(*id)
                .await
                .expect("an answer")
                .expect("there");
            let word = format!("name{number}");
            let people = core
                .store
                .people_named(Viewer::Anonymous, std::slice::from_ref(&word))
                .await;
            let people = people.expect("an answer");
            let ids: Vec<UserId> = people.iter().map(|person| person.user.id).collect();
            let expected = if user.name == word {
                vec![*id]
            } else {
                Vec::new()
            };
            assert_eq!(ids, expected);
            core.assert_sound().await;
        },
    )
    .await;
}

/// Returns those of the two names under which a person is found after all tasks.
async fn listed(core: &Core, id: UserId) -> Vec<String> {
    core.drain().await;
    let mut listed = Vec::new();
    for name in ["one", "two"] {
        let pairs = [(id, name.to_owned())];
        let entered = core.store.are_entered(&pairs).await.expect("an answer");
        listed.extend(entered[0].then(|| name.to_owned()));
    }
    listed
}

async fn rename(store: &Store, id: UserId, name: &str) -> Result<(), Error> {
    let name = DisplayName::parse(name).expect("valid");
    accounts::edit_profile(store, id, &name, &Bio::default()).await
}

/// Two concurrent changes of a name. The first is interrupted before each of its commands, at each
/// moment of the second. In the end the person is found by their current name.
#[tokio::test]
async fn two_renames_at_once_with_the_first_cut_off_anywhere_leave_only_the_second_name() {
    let core = Core::start();
    for commands in 4..24 {
        for trips in [0, 3, 6, 9, 12] {
            let login = format!("person_{commands}_{trips}");
            let id = member(&core.store, &login).await;
            core.drain().await;
            let cut_off = core.store.with_fuse(Fuse::of(commands));
            let later = async {
                for _ in 0..trips {
                    core.store.key_count().await.expect("an answer");
                }
                rename(&core.store, id, "two").await.expect("an answer");
            };
            let (first, ()) = tokio::join!(rename(&cut_off, id, "one"), later);
            let user = core
                .store
                .user(id)
                .await
                .expect("an answer")
                .expect("there");
            assert_eq!(listed(&core, id).await, [user.name], "{login}");
            assert!(matches!(first, Ok(()) | Err(Error::Failpoint)), "{first:?}");
        }
    }
    core.assert_sound().await;
}

/// A text is edited while its index task is interrupted. The former text leaves no index entry.
#[tokio::test]
async fn an_edit_while_the_index_task_is_cut_off_anywhere_leaves_no_former_word() {
    let core = Core::start();
    for commands in 1..14 {
        for trips in [0, 4, 8, 12] {
            let author = member(&core.store, &format!("author_{commands}_{trips}")).await;
            let word = format!("word{commands}x{trips}");
            let id = post(&core.store, author, &word).await;
            let cut_off = core.store.with_fuse(Fuse::of(commands));
            let later = async {
                edit(&core.store, author, id, "another").await;
                search::index(&core.store, id).await.expect("an answer");
            };
            let first = async {
                for _ in 0..trips {
                    core.store.key_count().await.expect("an answer");
                }
                search::index(&cut_off, id).await
            };
            let (first, ()) = tokio::join!(first, later);
            assert!(matches!(first, Ok(_) | Err(Error::Failpoint)), "{first:?}");
            core.drain().await;
            assert_eq!(held(&core.store, &word).await, 0, "{word}");
        }
    }
    core.assert_sound().await;
}
