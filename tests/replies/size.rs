//! Conversations of any size: long branches folded behind links, pages of replies, and equally few
//! round trips for many replies as for some.

use redwing::{
    domain::{Readers, ReplyTarget, StatusId, StatusRef, Thread, UserId, Visibility},
    store::Viewer,
};

use crate::support::{
    Page, Person, Site,
    core::Core,
    crowd::{member, post, reply, uid},
    pool::Redis,
    redis::RedisServer,
};

/// Writes replies past the store, in the store's own format.
fn write(redis: &RedisServer, author: UserId, login: &str, answers: &[(StatusId, ReplyTarget)]) {
    let mut lines = String::new();
    for (id, answer) in answers {
        let (to, [(_, origin), (_, thread), (_, root)]) = (answer.to.status, answer.fields());
        lines += &format!(
            "HSET status:{{{id}}} id {id} uid {author} login {login} message m posted 1 idempotency_key n{id} reply_to {origin} thread \"{thread}\" root_author {root}\n\
             ZADD replies:{{{to}}} -{id} {id}\nHINCRBY status:{{{to}}} reply_count 1\n\
             ZADD profile:{{{author}}} -{id} {id}\n"
        );
    }
    redis.pipe(&lines);
}

/// Returns the number of reads by Redis from the site for a page.
async fn trips(site: &Site, who: &Person, path: &str) -> u64 {
    let redis = site.redis.one_node();
    let before = redis.trips();
    who.open(path).await;
    redis.trips() - before - 1
}

fn id(number: u64) -> StatusId {
    StatusId::new(number).expect("in range")
}

#[tokio::test]
async fn ten_thousand_replies_are_read_page_by_page_in_few_round_trips() {
    let site = Site::on(Redis::Node(RedisServer::start()), &["--threads", "1"]).await;
    let alice = Person::sign_up(&site, "alice").await;
    let author = uid(&site.store, "alice").await;
    let small = alice.post("small").await;
    for number in 0..30 {
        alice.reply(small, &format!("answer {number}")).await;
    }
    let root = id(alice.post("large").await);
    let to = StatusRef {
        status: root,
        author,
    };
    let answers = (1..=10_000).map(|number| {
        let thread = Thread::below(root, None);
        (
            id(root.get() + number),
            ReplyTarget {
                to,
                thread,
                root_author: author,
                widest: Visibility::Public,
                followed: None,
                may_reply: true,
                group: None,
                own_readers: Readers::Everyone,
            },
        )
    });
    write(
        site.redis.one_node(),
        author,
        "alice",
        &answers.collect::<Vec<_>>(),
    );

    let path = format!("/@alice/{root}");
    let page = alice.open(&path).await;
    assert_eq!(page.text(".replies-head"), "Replies");
    let shown = |page: &Page| page.status_ids().split_off(1);
    assert_eq!(
        shown(&page),
        (1..=20)
            .map(|number| root.get() + number)
            .collect::<Vec<_>>()
    );
    let second = alice.open(&page.older().expect("more")).await;
    assert_eq!(shown(&second)[0], root.get() + 21);
    assert_eq!(second.text("h1"), "A post by alice of the tests");
    let last = alice
        .open(&format!("{path}?after={}", root.get() + 9_990))
        .await;
    assert_eq!((shown(&last).len(), last.older()), (10, None));
    let beyond = alice
        .open(&format!("{path}?after={}", root.get() + 10_000))
        .await;
    assert_eq!((shown(&beyond).len(), beyond.older()), (0, None));
    assert!(beyond.visible_text().contains("No more replies."));

    let mut least = [u64::MAX; 2];
    for _ in 0..4 {
        let small = trips(&site, &alice, &format!("/@alice/{small}")).await;
        let large = trips(&site, &alice, &path).await;
        least = [least[0].min(small), least[1].min(large)];
    }
    assert_eq!(least[0], least[1]);
    assert!(least[0] <= 6, "{least:?} trips");
}

#[tokio::test]
async fn a_chain_of_a_thousand_is_shown_from_its_ends() {
    let site = Site::on(Redis::Node(RedisServer::start()), &["--threads", "1"]).await;
    let alice = Person::sign_up(&site, "alice").await;
    let author = uid(&site.store, "alice").await;
    let root = id(alice.post("first").await);
    let (mut answers, mut thread, mut last) = (Vec::new(), None, root);
    for number in 1..=1000 {
        let to = StatusRef {
            status: last,
            author,
        };
        let below = Thread::below(last, thread.as_ref());
        last = id(root.get() + number);
        thread = Some(below.clone());
        answers.push((
            last,
            ReplyTarget {
                to,
                thread: below,
                root_author: author,
                widest: Visibility::Public,
                followed: None,
                may_reply: true,
                group: None,
                own_readers: Readers::Everyone,
            },
        ));
    }
    write(site.redis.one_node(), author, "alice", &answers);

    let page = alice.open(&format!("/@alice/{root}")).await;
    let number = |nth: u64| root.get() + nth;
    assert_eq!(page.status_ids(), (0..=12).map(number).collect::<Vec<_>>());
    assert_eq!(
        page.texts(".reply-list .more"),
        ["Continue this conversation"]
    );
    let way = page.attributes(".reply-list .more a", "href");
    let last_shown = number(12);
    assert_eq!(way, [format!("/@alice/{last_shown}#status-{last_shown}")]);

    let deep = alice.open(&format!("/@alice/{last}")).await;
    let above: Vec<u64> = [root.get()]
        .into_iter()
        .chain((980..=1000).map(number))
        .collect();
    assert_eq!(deep.status_ids(), above);
    assert_eq!(deep.text(".skipped-posts"), "979 more posts");
    assert_eq!(
        deep.attributes(".skipped-posts a", "href"),
        [format!("/@alice/{0}#status-{0}", number(980))]
    );
    let trips = trips(&site, &alice, &format!("/@alice/{}", number(500))).await;
    // Redis reads a batch of more than 16 KB in parts, and each counts.
    assert!(trips <= 19, "{trips} reads with an empty cache");

    alice.reply(last.get(), "one more").await;
    let page = alice.open(&format!("/@alice/{last}")).await;
    assert!(page.messages().contains(&"one more".to_owned()));
}

#[tokio::test]
async fn long_branches_are_folded_behind_links_that_go_on() {
    let core = Core::start();
    let author = member(&core.store, "author").await;
    let root = post(&core.store, author, "root").await;
    let mut first = None;
    for number in 0..3 {
        let answer = reply(&core.store, author, root, &format!("{number}")).await;
        first.get_or_insert(answer);
    }
    let first = first.expect("three");
    let mut second = None;
    for number in 0..5 {
        let answer = reply(&core.store, author, first, &format!("0.{number}")).await;
        second.get_or_insert(answer);
    }
    for number in 0..4 {
        reply(
            &core.store,
            author,
            second.expect("five"),
            &format!("0.0.{number}"),
        )
        .await;
    }
    let shown = super::gaps::tree(&core, root).await;
    assert_eq!(
        shown,
        ["0", " 0.0", "  0.0.0", "  0.0.1", " 0.1", " 0.2", "1", "2"]
    );
    let status = core.store.status(Viewer::Anonymous, root).await;
    let status = status.expect("an answer").expect("it lives");
    let read = core
        .store
        .conversation(Viewer::Anonymous, &status, None)
        .await;
    let answers = read.expect("an answer").replies;
    use redwing::store::More;
    assert_eq!(answers[0].more, More::Beside);
    assert_eq!(answers[0].below[0].more, More::Beside);
    assert_eq!(answers[1].more, More::None);
    core.assert_sound().await;
}

#[tokio::test]
async fn a_branch_is_followed_until_it_forks_or_the_page_is_full() {
    let core = Core::start();
    let author = member(&core.store, "author").await;
    let root = post(&core.store, author, "root").await;
    let mut last = root;
    for number in 1..=5 {
        last = reply(&core.store, author, last, &number.to_string()).await;
    }
    for number in 1..=2 {
        reply(&core.store, author, last, &format!("fork {number}")).await;
    }
    assert_eq!(
        super::gaps::tree(&core, root).await,
        ["1", " 2", "  3", "   4", "    5"]
    );
    assert_eq!(super::gaps::tree(&core, last).await, ["fork 1", "fork 2"]);

    let wide = post(&core.store, author, "wide").await;
    for _ in 0..20 {
        let first = reply(&core.store, author, wide, "first").await;
        for _ in 0..3 {
            let second = reply(&core.store, author, first, "second").await;
            for _ in 0..2 {
                let third = reply(&core.store, author, second, "third").await;
                reply(&core.store, author, third, "fourth").await;
            }
        }
    }
    assert_eq!(super::gaps::tree(&core, wide).await.len(), 200);
    let few = post(&core.store, author, "few").await;
    for _ in 0..4 {
        let mut last = few;
        for number in 1..=14 {
            last = reply(&core.store, author, last, &number.to_string()).await;
        }
    }
    assert_eq!(super::gaps::tree(&core, few).await.len(), 4 * 12);
}
