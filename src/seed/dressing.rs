//! Additions to the posts of a plan: mentions of existing people, tags, warnings, and typos that are
//! edited later.

use std::collections::{HashMap, HashSet};

use super::{
    draws::{chance, pick, pick_skewed},
    plan::{Plan, PlannedPost},
};
use crate::domain::{Message, TokenKind, Warning, tokens};

/// Share of posts with each.
const TAGGED: f64 = 0.3;
const ADDRESSED: f64 = 0.12;
const WARNED: f64 = 0.04;
const SLIPPED: f64 = 0.04;

/// Content warnings.
const WARNINGS: [&str; 6] = [
    "Long",
    "A grumble",
    "Food",
    "Spoilers",
    "About the weather, again",
    "Not for the squeamish",
];

/// Adds to all posts of a plan. `tag_follows` are the tags, most common first.
pub(super) fn dress(plan: &mut Plan, tag_follows: &[&str]) {
    let followed = plan.followed();
    let people = &plan.people;
    let logins: Vec<&str> = people.iter().map(|person| person.login.as_str()).collect();
    let folded = people.iter().map(|person| person.login.folded());
    let network = Network {
        there: folded.collect(),
        followed: &followed,
        logins,
    };
    for post in plan.rounds.iter_mut().flatten() {
        network.put_in_who_is_there(post);
        network.address(post);
        tag(post, tag_follows);
        warn(post);
        slip(post);
    }
}

/// The people who can be mentioned.
struct Network<'a> {
    logins: Vec<&'a str>,
    /// Folded logins.
    there: HashSet<String>,
    followed: &'a [Vec<usize>],
}

impl Network<'_> {
    /// Returns a person that the author of a post follows.
    fn friend(&self, post: &PlannedPost, words: &[&str]) -> Option<&str> {
        let followed = &self.followed[post.author];
        let place = followed.get(pick_skewed(words, followed.len()))?;
        Some(self.logins[*place])
    }

    /// Replaces mentions of missing people by people that the author follows.
    fn put_in_who_is_there(&self, post: &mut PlannedPost) {
        let mut renamed: HashMap<String, &str> = HashMap::new();
        let mut text = String::new();
        for token in tokens(post.message.as_str()) {
            let stranger = match &token.kind {
                TokenKind::Mention(login) => Some(login.folded()),
                _ => None,
            };
            let stranger = stranger.filter(|login| !self.there.contains(login));
            let friend = stranger.and_then(|login| {
                let friend = self.friend(post, &["who for", &login])?;
                Some(*renamed.entry(login).or_insert(friend))
            });
            match friend {
                Some(friend) => text.extend(["@", friend]),
                None => text.push_str(token.text),
            }
        }
        say_instead(post, &text);
    }

    /// Adds a mention at the end of a message without one.
    fn address(&self, post: &mut PlannedPost) {
        let text = post.message.as_str().to_owned();
        let mentions = |kind: &TokenKind| matches!(kind, TokenKind::Mention(_));
        if tokens(&text).any(|token| mentions(&token.kind))
            || chance(&["addressed", &text]) > ADDRESSED
        {
            return;
        }
        if let Some(friend) = self.friend(post, &["whom", &text]) {
            say_instead(post, &format!("{text} @{friend}"));
        }
    }
}

/// Adds a tag if there is none and room for it. Common interests are used most.
fn tag(post: &mut PlannedPost, tag_follows: &[&str]) {
    let text = post.message.as_str();
    let has_tag = tokens(text).any(|token| matches!(token.kind, TokenKind::Tag(_)));
    if has_tag || chance(&["tagged", text]) > TAGGED {
        return;
    }
    if let Some(tag) = some_interest(&["which tag", text], tag_follows) {
        say_instead(post, &format!("{text} #{tag}"));
    }
}

/// Returns an interest as a tag, the most common ones most often.
pub(super) fn some_interest(words: &[&str], tag_follows: &[&str]) -> Option<String> {
    let interest = tag_follows.get(pick_skewed(words, tag_follows.len()))?;
    Some(interest.split([' ', '-']).collect())
}

fn warn(post: &mut PlannedPost) {
    let text = post.message.as_str();
    if chance(&["warned", text]) <= WARNED {
        let warning = WARNINGS[pick(&["of what", text], WARNINGS.len())];
        post.warning = Warning::parse(warning).expect("the warnings of the seed are valid");
    }
}

/// Swaps two letters of the first long word, as a typo that is edited later.
fn slip(post: &mut PlannedPost) {
    let text = post.message.as_str();
    if chance(&["slipped", text]) > SLIPPED {
        return;
    }
    let long = |word: &&str| word.len() > 4 && word.bytes().all(|byte| byte.is_ascii_lowercase());
    if let Some(word) = text.split(' ').find(long) {
        let slipped = format!("{}{}{}", &word[1..2], &word[..1], &word[2..]);
        post.slip = Message::parse(&text.replacen(word, &slipped, 1))
            .ok()
            .filter(|slip| *slip != post.message);
    }
}

/// Replaces the text of a post if the new one is valid.
fn say_instead(post: &mut PlannedPost, text: &str) {
    if let Ok(message) = Message::parse(text) {
        post.message = message;
    }
}

#[cfg(test)]
mod tests {
    use super::super::dressing::*;
    use crate::{
        domain::Draft,
        seed::{graph::Graph, invented},
    };

    fn dressed(texts: impl Iterator<Item = String>) -> Plan {
        let edges: Vec<String> = (1..40_u32).map(|a| format!("{a} {}", a / 2)).collect();
        let graph = Graph::parse(&edges.join("\n")).expect("a graph");
        let messages = texts.map(|text| Message::parse(&text).expect("valid"));
        let mut plan = invented::plan(&graph, messages.collect());
        dress(&mut plan, &["trains", "good coffee"]);
        plan
    }

    fn posts(plan: &Plan) -> impl Iterator<Item = &PlannedPost> {
        plan.rounds.iter().flatten()
    }

    #[test]
    fn every_mentioned_user_exists_and_is_followed_by_the_author() {
        let plan = dressed((0..400).map(|n| format!("post {n} for @nobody_{n}, and @Nobody_{n}!")));
        let followed = plan.followed();
        let logins: Vec<String> = plan.people.iter().map(|p| p.login.folded()).collect();
        for post in posts(&plan) {
            let mentioned = Draft::from(&post.message).logins();
            assert_eq!(mentioned.len(), 1, "{}", post.message.as_str());
            let place = logins.iter().position(|l| *l == mentioned[0].folded());
            assert!(followed[post.author].contains(&place.expect("somebody here")));
        }
    }

    #[test]
    fn some_posts_have_mentions_warnings_edits_and_popular_tags() {
        let plan = dressed((0..400).map(|n| format!("another thing happened {n}")));
        let count = |is: fn(&PlannedPost) -> bool| posts(&plan).filter(|post| is(post)).count();
        let mentioning = count(|post| !Draft::from(&post.message).logins().is_empty());
        assert!((25..80).contains(&mentioning), "{mentioning}");
        let warned = count(|post| post.warning.is_some());
        assert!((5..35).contains(&warned), "{warned}");
        let slipped = count(|post| post.slip.is_some());
        assert!((5..35).contains(&slipped), "{slipped}");
        let trains = count(|post| post.message.as_str().ends_with("#trains"));
        let coffee = count(|post| post.message.as_str().ends_with("#goodcoffee"));
        assert!(trains > coffee && coffee > 0, "{trains} {coffee}");
    }

    #[test]
    fn a_slip_has_the_same_letters_in_another_order() {
        let plan = dressed((0..400).map(|n| format!("another thing happened {n}")));
        for post in posts(&plan) {
            let Some(slip) = &post.slip else { continue };
            let sorted = |message: &Message| {
                let mut letters: Vec<char> = message.as_str().chars().collect();
                letters.sort_unstable();
                letters
            };
            assert_ne!(*slip, post.message);
            assert_eq!(sorted(slip), sorted(&post.message));
        }
    }
}
