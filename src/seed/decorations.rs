//! Additions to the posts of a plan: mentions of existing people, tags, warnings, and typos that are
//! edited later. The demo has only tags and typos, because its texts have the rest.

use std::collections::{HashMap, HashSet};

use super::{
    plan::{Plan, PlannedPost},
    random::{pick_index, pick_skewed_index, random_fraction},
    topics,
};
use crate::domain::{Message, Warning, tokens};

/// Share of posts with each.
const TAG_SHARE: f64 = 0.3;
const MENTION_SHARE: f64 = 0.12;
const WARNING_SHARE: f64 = 0.04;
const TYPO_SHARE: f64 = 0.04;

const WARNINGS: [&str; 6] = [
    "Long",
    "A grumble",
    "Food",
    "Spoilers",
    "About the weather, again",
    "Not for the squeamish",
];

/// Adds a tag to posts of the demo that are about its topic. Each post has a typo, of which the dates keep a few.
pub(super) fn decorate_demo(plan: &mut Plan) {
    let posts = plan.rounds.iter_mut().flatten();
    for post in posts.filter(|post| post.reference.is_none()) {
        let text = post.message.as_str();
        if let Some(tag) = topics::tag_of(text) {
            replace_text(post, &format!("{text} #{tag}"));
        }
        add_typo(post);
    }
}

/// Adds to all posts of a graph. `interests` are the tags, most common first.
pub(super) fn decorate_posts(plan: &mut Plan, interests: &[&str]) {
    let followed = plan.followed();
    let people = &plan.people;
    let logins: Vec<&str> = people.iter().map(|person| person.login.as_str()).collect();
    let folded = people.iter().map(|person| person.login.folded());
    let network = Network {
        known_logins: folded.collect(),
        followed: &followed,
        logins,
    };
    for post in plan.rounds.iter_mut().flatten() {
        network.replace_missing_mentions(post);
        network.add_mention(post);
        add_tag(post, interests);
        add_warning(post);
        if random_fraction(&["slipped", post.message.as_str()]) <= TYPO_SHARE {
            add_typo(post);
        }
    }
}

/// The people who can be mentioned.
struct Network<'a> {
    logins: Vec<&'a str>,
    /// Folded logins.
    known_logins: HashSet<String>,
    followed: &'a [Vec<usize>],
}

impl Network<'_> {
    /// Returns a person that the author of a post follows.
    fn pick_followed(&self, post: &PlannedPost, words: &[&str]) -> Option<&str> {
        let followed = &self.followed[post.author];
        let place = followed.get(pick_skewed_index(words, followed.len()))?;
        Some(self.logins[*place])
    }

    /// Replaces mentions of missing people by people that the author follows.
    fn replace_missing_mentions(&self, post: &mut PlannedPost) {
        let mut renamed: HashMap<String, &str> = HashMap::new();
        let mut text = String::new();
        for token in tokens(post.message.as_str()) {
            let mentioned = token.kind.mention().map(|login| login.folded());
            let unknown = mentioned.filter(|login| !self.known_logins.contains(login));
            let replacement = unknown.and_then(|login| {
                let replacement = self.pick_followed(post, &["who for", &login])?;
                Some(*renamed.entry(login).or_insert(replacement))
            });
            match replacement {
                Some(login) => text.extend(["@", login]),
                None => text.push_str(token.text),
            }
        }
        replace_text(post, &text);
    }

    /// Adds a mention at the end of a message without one.
    fn add_mention(&self, post: &mut PlannedPost) {
        let text = post.message.as_str().to_owned();
        let mentions = tokens(&text).any(|token| token.kind.mention().is_some());
        if mentions || random_fraction(&["addressed", &text]) > MENTION_SHARE {
            return;
        }
        if let Some(login) = self.pick_followed(post, &["whom", &text]) {
            replace_text(post, &format!("{text} @{login}"));
        }
    }
}

/// Adds a tag if there is none and room for it. Common interests are used most.
fn add_tag(post: &mut PlannedPost, interests: &[&str]) {
    let text = post.message.as_str();
    let has_tag = tokens(text).any(|token| token.kind.tag().is_some());
    if has_tag || random_fraction(&["tagged", text]) > TAG_SHARE {
        return;
    }
    if let Some(tag) = pick_interest(&["which tag", text], interests) {
        replace_text(post, &format!("{text} #{tag}"));
    }
}

/// Returns an interest as a tag, the most common ones most often.
pub(super) fn pick_interest(words: &[&str], interests: &[&str]) -> Option<String> {
    let interest = interests.get(pick_skewed_index(words, interests.len()))?;
    Some(interest.split([' ', '-']).collect())
}

fn add_warning(post: &mut PlannedPost) {
    let text = post.message.as_str();
    if random_fraction(&["warned", text]) <= WARNING_SHARE {
        let warning = WARNINGS[pick_index(&["of what", text], WARNINGS.len())];
        post.warning = Warning::parse(warning).expect("the warnings of the seed are valid");
    }
}

/// Swaps two letters of the first long word, as a typo that is edited later.
fn add_typo(post: &mut PlannedPost) {
    let text = post.message.as_str();
    let long = |word: &&str| word.len() > 4 && word.bytes().all(|byte| byte.is_ascii_lowercase());
    if let Some(word) = text.split(' ').find(long) {
        let with_typo = format!("{}{}{}", &word[1..2], &word[..1], &word[2..]);
        let typo = Message::parse(&text.replacen(word, &with_typo, 1)).ok();
        post.typo = typo.filter(|typo| *typo != post.message);
    }
}

/// Replaces the text of a post if the new one is valid.
fn replace_text(post: &mut PlannedPost, text: &str) {
    if let Ok(message) = Message::parse(text) {
        post.message = message;
    }
}

#[cfg(test)]
mod tests {
    use super::super::decorations::*;
    use crate::{
        domain::Draft,
        seed::{generated, graph::Graph},
    };

    fn decorated(texts: impl Iterator<Item = String>) -> Plan {
        let edges: Vec<String> = (1..40_u32).map(|a| format!("{a} {}", a / 2)).collect();
        let graph = Graph::parse(&edges.join("\n")).expect("a graph");
        let messages = texts.map(|text| Message::parse(&text).expect("valid"));
        let mut plan = generated::plan(&graph, messages.collect());
        decorate_posts(&mut plan, &["trains", "good coffee"]);
        plan
    }

    fn posts(plan: &Plan) -> impl Iterator<Item = &PlannedPost> {
        plan.rounds.iter().flatten()
    }

    #[test]
    fn every_mentioned_user_exists_and_is_followed_by_the_author() {
        let plan =
            decorated((0..400).map(|n| format!("post {n} for @nobody_{n}, and @Nobody_{n}!")));
        let followed = plan.followed();
        let logins: Vec<String> = plan.people.iter().map(|p| p.login.folded()).collect();
        for post in posts(&plan) {
            let mentioned = Draft::from(&post.message).logins();
            assert_eq!(mentioned.len(), 1, "{}", post.message.as_str());
            let place = logins.iter().position(|l| *l == mentioned[0].folded());
            assert!(followed[post.author].contains(&place.expect("a person of the plan")));
        }
    }

    #[test]
    fn some_posts_have_mentions_warnings_edits_and_popular_tags() {
        let plan = decorated((0..400).map(|n| format!("another thing happened {n}")));
        let count = |is: fn(&PlannedPost) -> bool| posts(&plan).filter(|post| is(post)).count();
        let mentioning = count(|post| !Draft::from(&post.message).logins().is_empty());
        assert!((25..80).contains(&mentioning), "{mentioning}");
        let warned = count(|post| post.warning.is_some());
        assert!((5..35).contains(&warned), "{warned}");
        let with_typo = count(|post| post.typo.is_some());
        assert!((5..35).contains(&with_typo), "{with_typo}");
        let trains = count(|post| post.message.as_str().ends_with("#trains"));
        let coffee = count(|post| post.message.as_str().ends_with("#goodcoffee"));
        assert!(trains > coffee && coffee > 0, "{trains} {coffee}");
    }

    #[test]
    fn a_slip_has_the_same_letters_in_another_order() {
        let plan = decorated((0..400).map(|n| format!("another thing happened {n}")));
        for post in posts(&plan) {
            let Some(typo) = &post.typo else { continue };
            let sorted = |message: &Message| {
                let mut letters: Vec<char> = message.as_str().chars().collect();
                letters.sort_unstable();
                letters
            };
            assert_ne!(*typo, post.message);
            assert_eq!(sorted(typo), sorted(&post.message));
        }
    }
}
