//! The demo of the seed: its replies and tags belong to the texts that they are written for.

use std::collections::{HashMap, HashSet};

use redwing::{
    domain::{StatusId, tags_of},
    seed::{self, SeedArgs},
    store::{Original, ReplyTo, VisibleStatus},
};

use crate::{
    seed::statuses,
    support::{PASSWORD, Person, Site, crowd},
};

const PEOPLE: &str = include_str!("../src/seed/texts/people.txt");
const POSTS: &str = include_str!("../src/seed/texts/posts.txt");
const THREADS: &str = include_str!("../src/seed/texts/threads.txt");
const TOPICS: &str = include_str!("../src/seed/texts/topics.txt");

pub async fn seed_demo(site: &Site) {
    seed_posts(site, None).await;
}

/// Seeds the demo with at most this number of posts of people.
async fn seed_posts(site: &Site, posts: Option<usize>) {
    let args = SeedArgs {
        graph: None,
        messages: None,
        password: PASSWORD.to_owned(),
        posts,
        at_once: 16,
    };
    let done = seed::run(args, &site.store).await;
    done.expect("the seed succeeds");
    site.drain().await;
}

fn logins() -> impl Iterator<Item = &'static str> {
    let lines = PEOPLE.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.split_once(" | ").expect("a person has a login").0)
}

/// Returns the statuses of all people of the demo, without reposts.
async fn all_statuses(site: &Site) -> HashMap<StatusId, VisibleStatus> {
    let mut all = HashMap::new();
    for login in logins() {
        let own = statuses(&site.store, login).await.into_iter();
        let own = own.filter(|status| !status.is_repost());
        all.extend(own.map(|status| (status.id(), status)));
    }
    all
}

/// A text, and the text that it replies to or quotes.
type Pair<'a> = (&'a str, &'a str);

/// Returns the pairs of posts.txt, where a mention at the start names the author of the post above.
fn pairs_of_posts<'a>() -> HashSet<Pair<'a>> {
    let mut last_of: HashMap<&str, &str> = HashMap::new();
    let mut pairs = HashSet::new();
    for post in POSTS.trim_end().split("\n%\n") {
        let (author, text) = post.split_once('\n').expect("an author and a text");
        let reply = text.strip_prefix('@').and_then(|text| text.split_once(' '));
        let text = reply.map_or(text, |(_, text)| text);
        let parent = reply.and_then(|(parent, _)| last_of.get(parent));
        pairs.extend(parent.map(|parent| (text, *parent)));
        last_of.insert(&author[1..], text);
    }
    pairs
}

/// Returns the pairs of threads.txt, where the parent is the last line above with one mark less.
fn pairs_of_threads<'a>() -> HashSet<Pair<'a>> {
    let mut pairs = HashSet::new();
    for thread in THREADS.trim_end().split("\n\n") {
        let lines: Vec<(usize, &str)> = thread.lines().map(depth_and_text).collect();
        for (place, (depth, text)) in lines.iter().enumerate() {
            let mut above = lines[..place].iter().rev();
            let parent = above.find(|(above, _)| above + 1 == *depth);
            pairs.extend(parent.map(|(_, parent)| (*text, *parent)));
        }
    }
    pairs
}

fn depth_and_text(line: &str) -> (usize, &str) {
    let (marks, post) = line.split_once('@').expect("an author");
    let (_, text) = post.split_once(' ').expect("a text");
    let text = text.split_once("] ").map_or(text, |(_, text)| text);
    let is_text = |part: &&str| !["one", "several"].contains(part);
    let text = text.split(" | ").find(is_text);
    (marks.trim_end().len(), text.expect("a text"))
}

/// Returns the text of a status without its tag.
fn written(status: &VisibleStatus) -> &str {
    let text = status.message();
    text.split_once(" #").map_or(text, |(text, _)| text)
}

/// Asserts that each reply and quote is written for its status. Returns the numbers of both.
fn assert_written_for_their_statuses(
    all: &HashMap<StatusId, VisibleStatus>,
    pairs: &HashSet<Pair>,
) -> (usize, usize) {
    let (mut replies, mut quotes) = (0, 0);
    for status in all.values() {
        let target = match (status.reply_to(), status.quoted()) {
            (Some(ReplyTo::Status(id, _)), _) => {
                replies += 1;
                &all[id]
            }
            (_, Some(Original::Status(quoted))) => {
                quotes += 1;
                quoted.as_ref()
            }
            _ => continue,
        };
        let pair = (written(status), written(target));
        assert!(pairs.contains(&pair), "{pair:?}");
    }
    (replies, quotes)
}

fn all_pairs() -> HashSet<Pair<'static>> {
    let mut pairs = pairs_of_posts();
    pairs.extend(pairs_of_threads());
    pairs
}

/// To seed the demo takes longer than all that is read of it.
#[tokio::test]
async fn the_demo_is_written_and_dated_as_by_people() {
    let site = Site::start().await;
    let begun = site.store.now().await.expect("an answer").0;
    seed_demo(&site).await;
    assert_replies_and_quotes_are_written_for_their_statuses(&site).await;
    assert_tags_are_called_for_by_their_texts(&site).await;
    assert_notifications_are_spread_over_weeks(&site).await;
    assert_groups_and_messages_are_dated_back(&site).await;
    assert_edits_and_memberships_are_dated_back(&site, begun).await;
    site.assert_sound().await;
}

async fn assert_replies_and_quotes_are_written_for_their_statuses(site: &Site) {
    let (all, pairs) = (all_statuses(site).await, all_pairs());
    let (replies, quotes) = assert_written_for_their_statuses(&all, &pairs);
    assert_eq!(replies + quotes, pairs.len());
    assert!(replies > 300 && quotes > 1, "{replies} {quotes}");
    let conversations = all.values().filter(|status| status.reply_to().is_none());
    let largest = conversations.max_by_key(|status| status.reply_count());
    let path = largest.map(|status| format!("/@{}/{}", status.author().login, status.id()));
    let page = Person::visitor(site)
        .open(&path.expect("a conversation"))
        .await;
    assert!(
        page.texts(".reply-list .e-content, .nested-replies .e-content")
            .len()
            > 1,
        "{}",
        page.html
    );
}

/// A limit leaves out posts of conversations, and the posts in groups have numbers after those that are left.
#[tokio::test]
async fn a_smaller_demo_has_no_reply_to_another_post() {
    let site = Site::start().await;
    seed_posts(&site, Some(300)).await;
    let all = all_statuses(&site).await;
    let (replies, _) = assert_written_for_their_statuses(&all, &all_pairs());
    assert!(all.len() >= 300 && replies > 100, "{} {replies}", all.len());
    site.assert_sound().await;
}

async fn assert_tags_are_called_for_by_their_texts(site: &Site) {
    let topics = TOPICS.lines().filter_map(|line| line.split_once(" | "));
    let topics: HashMap<&str, Vec<&str>> = topics
        .map(|(tag, words)| (tag, words.split(' ').collect()))
        .collect();
    let mut users: HashMap<String, HashSet<String>> = HashMap::new();
    for status in all_statuses(site).await.values() {
        let text = written(status).to_lowercase();
        for tag in tags_of(status.message()) {
            let words = &topics[tag.as_str()];
            let names = |word: &&str| text.contains(&word.to_lowercase());
            assert!(words.iter().any(names), "{}", status.message());
            let used = users.entry(tag.to_string()).or_default();
            used.insert(status.author().login.to_string());
        }
    }
    let shared = users.values().filter(|users| users.len() > 1).count();
    assert!(users.len() > 10 && shared > 4, "{users:?}");
    let trends = Person::visitor(site).open("/").await.texts(".trending a");
    assert!(trends.len() > 1, "{trends:?}");
}

/// Follows and favourites have times of their own, as replies have.
async fn assert_notifications_are_spread_over_weeks(site: &Site) {
    let robin = Person::log_in(site, "robin").await;
    for filter in ["", "?show=follows"] {
        let pages = robin.pages(&format!("/notifications{filter}")).await;
        let times = pages
            .iter()
            .flat_map(|page| page.attributes(".notifications time", "datetime"));
        let days: HashSet<String> = times.map(|time| time[..10].to_owned()).collect();
        assert!(days.len() > 5, "{filter}: {days:?}");
    }
}

async fn assert_groups_and_messages_are_dated_back(site: &Site) {
    let robin = Person::log_in(site, "robin").await;
    let group = robin.open("/groups/mill-pond-birds").await;
    let messages = robin.open("/messages").await;
    let founded = group.texts(".group-head time");
    let written = messages.texts(".chat-row time");
    assert!(
        founded.len() == 1 && written.len() > 4,
        "{founded:?} {written:?}"
    );
    for time in founded.iter().chain(&written) {
        assert!(!time.contains("now") && !time.contains("min"), "{time}");
    }
}

/// An edit comes some minutes after its post. People join a group before its first post.
async fn assert_edits_and_memberships_are_dated_back(site: &Site, begun: u64) {
    const MINUTE_MS: u64 = 60_000;
    const HOUR_MS: u64 = 60 * MINUTE_MS;
    let mut edits = 0;
    for status in all_statuses(site).await.values() {
        let Some(edited) = status.edited() else {
            continue;
        };
        edits += 1;
        let posted = status.posted().0;
        let window = posted + MINUTE_MS..posted + 15 * MINUTE_MS;
        assert!(window.contains(&edited.0), "{posted} {edited:?}");
        assert!(edited.0 + HOUR_MS < begun, "{begun} {edited:?}");
    }
    assert_eq!(edits, 2);
    let mut memberships = 0;
    for login in logins() {
        let person = crowd::uid(&site.store, login).await;
        let groups = site.store.own_groups(person).await.expect("an answer");
        for group in groups.memberships {
            let tie = site.store.group_tie(group.id, person).await;
            let joined_ms = tie
                .expect("an answer")
                .membership()
                .map(|own| own.joined_us / 1000);
            memberships += 1;
            assert!(
                joined_ms.is_some_and(|at| at + HOUR_MS < begun),
                "{login} {joined_ms:?}"
            );
        }
    }
    assert!(memberships > 10, "{memberships}");
}
