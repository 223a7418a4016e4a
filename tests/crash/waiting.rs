//! Posts that wait for a moderator, interrupted before each command.

use redwing::{
    actions::{
        follows::follow,
        moderation,
        statuses::{self, Post},
    },
    domain::{
        ActingPerson, Decision, IdempotencyKey, Measure, Message, ReportReason, Shields,
        ShownValues, StatusId, UserId,
    },
    store::{NewDecision, Viewer},
};

use super::{cut_off_everywhere, home, notification_count};
use crate::support::{core::Core, crowd::member};

/// A store of a site where links of new accounts wait.
async fn core() -> Core {
    let core = Core::with(&["--new-account-days", "7"]);
    let shields = Shields {
        holds_links: true,
        reports_spam: false,
        ..Shields::default()
    };
    let call = core.store.begin().await.expect("an answer");
    let (change, shown) = (shields.into(), ShownValues::default());
    let changed = core.store.change_site(&call, &change, &shown).await;
    changed.expect("an answer");
    core
}

/// A new author, and a follower whom the post mentions.
async fn people(core: &Core, number: usize) -> (UserId, UserId, Message) {
    let author = member(&core.store, &format!("author_{number}")).await;
    let reader = member(&core.store, &format!("reader_{number}")).await;
    let followed = follow(&core.store, reader, author).await;
    followed.expect("an answer");
    let text = format!("@reader_{number} https://a.example");
    (author, reader, Message::parse(&text).expect("valid"))
}

async fn is_seen(core: &Core, id: StatusId) -> bool {
    let seen = core.store.status(Viewer::Anonymous, id).await;
    seen.expect("an answer").is_some()
}

#[tokio::test]
async fn a_waiting_post_cut_off_anywhere_is_in_the_queue_or_absent() {
    let core = core().await;
    cut_off_everywhere(
        &core,
        async |number| people(&core, number).await,
        async |store, (author, _, text)| {
            statuses::post(store, *author, text, &IdempotencyKey::draw())
                .await
                .map(drop)
        },
        async |(author, reader, _)| {
            let posted = home(&core.store, *author).await;
            let queued = core.store.waiting_post_count(*author).await;
            assert_eq!(queued.expect("an answer"), posted.len());
            for id in posted {
                assert!(!is_seen(&core, id).await);
            }
            assert!(home(&core.store, *reader).await.is_empty());
            assert_eq!(notification_count(&core, *reader).await, 0);
            core.assert_sound().await;
        },
    )
    .await;
}

#[tokio::test]
async fn an_approval_cut_off_anywhere_publishes_the_post_or_does_nothing() {
    let core = core().await;
    cut_off_everywhere(
        &core,
        async |number| {
            let (author, reader, text) = people(&core, number).await;
            let key = IdempotencyKey::draw();
            let posted = statuses::post(&core.store, author, &text, &key).await;
            let Ok(Post::Posted(status)) = posted else {
                panic!("{posted:?}");
            };
            (author, reader, status)
        },
        async |store, (author, _, status): &(UserId, UserId, StatusId)| {
            let decision = Decision {
                by: ActingPerson::Host,
                measure: Measure::ApprovePost { status: *status },
                reason: ReportReason::NewAccountLink,
                explanation: String::new(),
            };
            let new = NewDecision {
                seen_us: 9_007_199_254_740_991,
                ..NewDecision::without_case(decision)
            };
            moderation::decide(store, *author, &new).await.map(drop)
        },
        async |(author, reader, status)| {
            let case = core.store.case(*author).await.expect("an answer");
            let decided = case.decisions.len();
            assert_eq!(case.open().count() + decided, 1);
            assert_eq!(is_seen(&core, *status).await, decided == 1);
            assert_eq!(home(&core.store, *reader).await.len(), decided);
            assert_eq!(notification_count(&core, *reader).await, decided as u64);
            core.assert_sound().await;
        },
    )
    .await;
}
