//! The memory that the index of one post takes in the worst case: characters and words that no other post
//! has. Also posts that share terms, and posts with more words than the index has.

use redwing::store::Store;

use crate::support::{Person, Site, core::Core, crowd, pool::Redis, redis::RedisServer};

/// Number of measured posts.
const POSTS: u32 = 10;
/// Bytes of the index of a post of 500 characters without spaces, after other posts filled the shared
/// terms, and of one of 125 words. A key for each pair took 52,000 and more.
const MAX_BYTES_OF_CHARACTERS: u64 = 20_000;
const MAX_BYTES_OF_WORDS: u64 = 20_000;
/// Bytes of all terms that pairs and characters share, however many posts there are.
const MAX_SHARED_BYTES: u64 = 6_000_000;
const CHARACTERS: u32 = 20_000;

fn character(number: u32) -> char {
    let code = 0x4e00 + number % CHARACTERS;
    char::from_u32(code).expect("a character")
}

/// Returns a text of 500 characters. No other number has the same pairs.
fn characters(number: u32) -> String {
    let step = 7 + 2 * number;
    (0..500)
        .map(|at| character(number * 631 + at * step))
        .collect()
}

/// Returns a text of 125 words of three letters. No other number has the same words.
fn words(number: u32) -> String {
    let letter = |rest: u32| char::from_u32(0x430 + rest % 32).expect("a letter");
    let word = |at: u32| {
        let code = 5000 + number * 125 + at;
        [letter(code), letter(code / 32), letter(code / 1024)]
            .iter()
            .collect::<String>()
    };
    (0..125).map(word).collect::<Vec<_>>().join(" ")
}

/// Writes an entry for each character and each term of pairs, as many other posts would.
fn fill_shared_terms(core: &Core) {
    let mut lines = String::new();
    for term in 0..16_384 {
        lines += &format!("SADD postings:{{~{term:x}}}:0 4096\n");
    }
    for number in 0..CHARACTERS {
        lines += &format!("SADD postings:{{{}}}:0 4096\n", character(number));
    }
    core.redis.one_node().pipe(&lines);
}

/// Returns the memory of all keys, with 16 bytes for the place of each in the table of keys. The total that
/// Redis states also has buffers of clients, which come and go.
fn used_memory(core: &Core) -> u64 {
    const SUM: &str = "local sum = 0 \
        for _, key in ipairs(redis.call('KEYS', '*')) do \
          sum = sum + 16 + redis.call('MEMORY', 'USAGE', key, 'SAMPLES', 0) \
        end \
        return sum";
    let answer = core
        .redis
        .one_node()
        .ask(&["EVAL", &format!("\"{SUM}\""), "0"]);
    let sum = answer
        .lines()
        .next()
        .and_then(|line| line.strip_prefix(':'));
    let sum = sum.and_then(|sum| sum.parse().ok());
    sum.unwrap_or_else(|| panic!("Redis answers {answer}"))
}

fn commands(core: &Core) -> u64 {
    let info = core.redis.one_node().ask(&["INFO", "stats"]);
    let mut lines = info.lines();
    let number = lines.find_map(|line| line.strip_prefix("total_commands_processed:"));
    let number = number.and_then(|number| number.trim().parse().ok());
    number.expect("Redis counts them")
}

/// Returns the bytes that a post takes by its terms, on average.
async fn index_bytes(core: &Core, text: TextOf) -> u64 {
    let author = crowd::member(&core.store, "author").await;
    let mut ids = Vec::new();
    for number in 0..POSTS {
        ids.push(crowd::post(&core.store, author, &text(number)).await);
    }
    let before = used_memory(core);
    for id in ids {
        index(&core.store, id).await;
    }
    (used_memory(core) - before) / u64::from(POSTS)
}

/// Returns a text of 60 tags that no other number has.
fn tags(number: u32) -> String {
    words(number)
        .split(' ')
        .take(90)
        .map(|word| format!("#{word}"))
        .collect::<Vec<_>>()
        .join(" ")
}

/// Returns a text that mentions 20 people.
fn mentions(number: u32) -> String {
    let logins: Vec<String> = (1..=20).map(|login| format!("@friend{login}")).collect();
    format!("{number} {}", logins.join(" "))
}

/// Returns the text of a numbered post.
type TextOf = fn(u32) -> String;

fn greeting(number: u32) -> String {
    format!("Good morning, lake! {number}")
}

/// The first post on a site creates terms that all later posts share. They exist before.
#[tokio::test]
async fn posts_take_no_more_memory_than_they_count_as() {
    let core = Core::on(Redis::Node(RedisServer::start()), &[]);
    fill_shared_terms(&core);
    let store = &core.store;
    let author = crowd::member(store, "author").await;
    for number in 1..=20 {
        crowd::member(store, &format!("friend{number}")).await;
    }
    let kinds: [(&str, TextOf); 5] = [
        ("greetings", greeting),
        ("words", words),
        ("characters", characters),
        ("tags", tags),
        ("mentions", mentions),
    ];
    let counted = async || store.post_bytes(author).await.expect("an answer");
    for (kind, text) in kinds {
        crowd::post(store, author, &text(100)).await;
        core.drain().await;
        let (memory_before, counted_before) = (used_memory(&core), counted().await);
        for number in 0..50 {
            let id = crowd::post(store, author, &text(number)).await;
            if kind == "characters" && number % 5 == 0 {
                crowd::edit(store, author, id, &text(number + 50)).await;
            }
        }
        core.drain().await;
        let memory = used_memory(&core) - memory_before;
        let counted = counted().await - counted_before;
        println!("{kind}: {memory} bytes of memory, {counted} counted");
        assert!(
            memory <= counted,
            "{kind}: {memory} bytes, {counted} counted"
        );
    }
}

async fn index(store: &Store, id: redwing::domain::StatusId) {
    let indexed = redwing::actions::search::index(store, id).await;
    assert_eq!(indexed.expect("an answer"), None);
}

#[tokio::test]
async fn the_index_of_a_post_without_spaces_takes_few_bytes_and_no_key_for_a_pair() {
    let core = Core::on(Redis::Node(RedisServer::start()), &[]);
    let empty = used_memory(&core);
    fill_shared_terms(&core);
    let shared = used_memory(&core) - empty;
    assert!(shared <= MAX_SHARED_BYTES, "{shared} bytes");
    let keys = core.keys("postings:").await.len();
    let bytes = index_bytes(&core, characters).await;
    assert!(bytes <= MAX_BYTES_OF_CHARACTERS, "{bytes} bytes");
    assert_eq!(core.keys("postings:").await.len(), keys, "no new key");
}

#[tokio::test]
async fn the_index_of_a_post_of_rare_words_takes_few_bytes() {
    let core = Core::on(Redis::Node(RedisServer::start()), &[]);
    let bytes = index_bytes(&core, words).await;
    assert!(bytes <= MAX_BYTES_OF_WORDS, "{bytes} bytes");
}

#[tokio::test]
async fn a_post_of_very_many_words_is_found_by_the_first_and_its_deletion_leaves_nothing() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let letter = |number: u32| char::from_u32('a' as u32 + number).expect("a letter");
    let words = (0..166).map(|number| format!("{}{}", letter(number / 26), letter(number % 26)));
    let text = words.collect::<Vec<_>>().join(" ");
    let id = alice.post(&text).await;
    for (word, is_found) in [("aa", true), ("ex", true), ("ey", false), ("gj", false)] {
        let found = super::found(&site, &alice, word).await;
        assert_eq!(!found.status_ids().is_empty(), is_found, "{word}");
    }
    assert_eq!(site.keys("postings:").await.len(), 128);
    site.assert_sound().await;
    alice.delete(id).await;
    site.drain().await;
    assert_eq!(site.keys("postings:").await, [""; 0]);
    site.assert_sound().await;
}

/// The pairs of both texts share their terms.
#[tokio::test]
async fn a_post_with_other_pairs_of_the_same_terms_is_not_shown() {
    let site = Site::start().await;
    let alice = Person::sign_up(&site, "alice").await;
    let other = alice.post("産技 業変").await;
    let id = alice.post("東京都").await;
    for (text, found) in [
        ("東京都", id),
        ("京都", id),
        ("東京", id),
        ("産技", other),
        ("変", other),
    ] {
        let page = super::found(&site, &alice, text).await;
        assert_eq!(page.status_ids(), [found], "{text}");
    }
    site.assert_sound().await;
}

#[tokio::test]
async fn twenty_edits_cost_the_index_at_most_three_times_as_many_commands_as_twenty_posts() {
    const EDITS: u32 = 20;
    let core = Core::on(Redis::Node(RedisServer::start()), &[]);
    let author = crowd::member(&core.store, "author").await;
    let before = commands(&core);
    let id = crowd::post(&core.store, author, &characters(0)).await;
    core.drain().await;
    let of_post = commands(&core) - before;
    for number in 1..=EDITS {
        crowd::edit(&core.store, author, id, &characters(number)).await;
    }
    core.drain().await;
    let of_edits = commands(&core) - before - of_post;
    assert!(
        of_edits <= 3 * u64::from(EDITS) * of_post,
        "{of_edits} {of_post}"
    );
    core.assert_sound().await;
}
