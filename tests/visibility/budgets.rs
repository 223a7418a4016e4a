//! The cost of pages whose entries are nearly all hidden: each has a budget of entries, ends early, and continues by
//! its link. Commands of Redis are counted, not time.

use redwing::{
    domain::{Cursor, ProfileView, StatusId, UserId},
    store::{Conversation, Store, Viewer, VisibleStatus},
};

use crate::support::{
    Page, Person, Site, core::Core, crowd, pool::Redis, redis::RedisServer,
    redis_counters::Counters,
};

/// Number of hidden entries above the visible one.
const HIDDEN: u64 = 2500;
/// Maximum number of entries of a page, and the number of commands for each of them: its read and the request to
/// report changes.
const ENTRIES: u64 = 200;
const COMMANDS_OF_ENTRY: u64 = 2;
/// Maximum number of replies of a page, at all levels, and the number of commands for each: also the replies and the
/// gaps below it.
const REPLIES: u64 = 600;
const COMMANDS_OF_REPLY: u64 = 4;
/// Commands of a page beside its entries.
const BESIDE: u64 = 60;
/// Distance of two ids.
const STEP: u64 = 4096;

fn core() -> Core {
    Core::on(Redis::Node(RedisServer::start()), &[])
}

/// Returns the command that stores a status for members, with further fields.
fn hidden(id: u64, author: UserId, fields: &str) -> String {
    format!("HSET status:{{{id}}} uid {author} message hidden posted 1 readers members {fields}\n")
}

/// Runs the read of a page and returns the number of its commands.
async fn commands<T>(core: &Core, read: impl Future<Output = T>) -> (u64, T) {
    let before = Counters::of(core.redis.one_node());
    let page = read.await;
    (before.spent_on(core.redis.one_node()).commands, page)
}

#[tokio::test]
async fn a_page_of_hidden_posts_costs_its_budget_and_its_link_leads_on_to_the_visible_ones() {
    let core = core();
    let store = &core.store;
    let author = crowd::member(store, "author").await;
    let shown = crowd::post(store, author, "visible #full").await;
    core.drain().await;
    let mut lines = String::new();
    for number in 1..=HIDDEN {
        let id = shown.get() + number * STEP;
        lines += &hidden(id, author, "");
        for key in ["tag_index:{full}".to_owned(), format!("posts:{{{author}}}")] {
            lines += &format!("ZADD {key} -{id} {id}\n");
        }
    }
    core.redis.one_node().pipe(&lines);
    let (tag, user) = (crowd::tag_named("full"), store.user(author).await);
    let user = user.expect("an answer").expect("a user");
    let view = ProfileView::Posts;
    let on_tag = async |before| store.tag_page(Viewer::Anonymous, &tag, before).await;
    let on_profile = async |before| {
        store
            .account_page(Viewer::Anonymous, &user, view, before)
            .await
    };
    let (mut cursor, mut found, mut pages) = (None, Vec::new(), 0);
    loop {
        let (count, page) = commands(&core, on_tag(cursor)).await;
        let page = page.expect("an answer");
        let most = ENTRIES * COMMANDS_OF_ENTRY + BESIDE;
        assert!(count <= most, "{count} commands");
        found.extend(page.items.iter().map(VisibleStatus::id));
        (cursor, pages) = (page.next, pages + 1);
        if cursor.is_none() {
            break;
        }
    }
    assert_eq!((found, pages), (vec![shown], HIDDEN / ENTRIES + 1));
    let page = on_profile(None).await.expect("an answer");
    let last = shown.get() + (HIDDEN + 1 - ENTRIES) * STEP;
    assert_eq!(
        page.statuses.next,
        Some(Cursor::before(last)),
        "as far as a page of a tag"
    );
}

/// A conversation with a visible reply behind hidden ones, of which each has a hidden reply.
async fn hidden_replies(core: &Core, count: u64) -> (StatusId, StatusId) {
    let store = &core.store;
    let author = crowd::member(store, "author").await;
    let first = crowd::post(store, author, "first").await;
    let (mut lines, mut place) = (String::new(), first.get());
    let mut add = |to: u64, thread: String| {
        place += STEP;
        let fields = format!("reply_to {to}:{author} thread '{first} {thread}'");
        lines += &hidden(place, author, &fields);
        lines += &format!("ZADD replies:{{{to}}} -{place} {place}\n");
        place
    };
    for _ in 0..count {
        let direct = add(first.get(), format!("1 {first}"));
        add(direct, format!("2 {direct},{first}"));
    }
    let last = StatusId::new(add(first.get(), format!("1 {first}"))).expect("in range");
    lines += &format!("HDEL status:{{{last}}} readers\n");
    lines += &format!("HSET status:{{{first}}} reply_count {}\n", count + 1);
    core.redis.one_node().pipe(&lines);
    (first, last)
}

async fn conversation(store: &Store, first: StatusId, after: Option<StatusId>) -> Conversation {
    let viewer = Viewer::Anonymous;
    let status = store.status(viewer, first).await.expect("an answer");
    let status = status.expect("it is visible");
    let read = store.conversation(viewer, &status, after).await;
    read.expect("an answer")
}

#[tokio::test]
async fn a_page_of_hidden_replies_costs_its_budget_and_its_link_leads_on_to_the_visible_ones() {
    let core = core();
    let (first, last) = hidden_replies(&core, REPLIES).await;
    let (mut after, mut found, mut pages) = (None, Vec::new(), 0);
    loop {
        let (count, page) = commands(&core, conversation(&core.store, first, after)).await;
        let most = REPLIES * COMMANDS_OF_REPLY + BESIDE;
        assert!(count <= most, "{count} commands");
        found.extend(page.replies.iter().map(|branch| branch.turn.id));
        (after, pages) = (page.next, pages + 1);
        if after.is_none() {
            break;
        }
    }
    assert_eq!(found, [last]);
    assert!((2..=4).contains(&pages), "{pages} pages");
}

#[tokio::test]
async fn a_page_of_hidden_replies_says_so_above_the_link_to_further_ones() {
    let site = Site::on(Redis::Node(RedisServer::start()), &[]).await;
    let (first, last) = hidden_replies(&site, REPLIES).await;
    let visitor = Person::visitor(&site);
    let mut pages = visitor.pages(&format!("/@author/{first}")).await;
    let last_page = pages.pop().expect("a page");
    assert!(last_page.has(&format!("#status-{last}")));
    assert!(!pages.is_empty());
    let notes = |page: &Page| {
        let texts = page.texts("p.more").into_iter();
        texts
            .filter(|text| text.starts_with("No "))
            .collect::<Vec<_>>()
    };
    for page in pages {
        assert_eq!(page.count(".reply-list > li"), 0);
        assert_eq!(notes(&page), ["No replies to show on this page."]);
    }
    assert_eq!(notes(&last_page), Vec::<String>::new());
}

#[tokio::test]
async fn a_page_of_some_hundred_hidden_replies_has_no_link() {
    let core = core();
    let (first, last) = hidden_replies(&core, 200).await;
    let page = conversation(&core.store, first, None).await;
    let shown: Vec<StatusId> = page.replies.iter().map(|branch| branch.turn.id).collect();
    assert_eq!((shown, page.next), (vec![last], None));
}
