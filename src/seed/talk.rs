//! What the people of a plan say to each other: answers, favourites, reposts and tags. Drawn with the
//! skew of real networks, where most posts get nothing and a few get very much, and the same each
//! time for the same plan.

use std::collections::HashSet;

use super::plan::{Plan, PlannedPost, PlannedPress, digest};
use crate::domain::{Message, TokenKind, tokens};

/// What people answer, one a line.
const ANSWERS: &str = include_str!("answers.txt");

/// How much of what is drawn for a post there is: the median post gets none, one in twelve an answer,
/// one in four a favourite.
const ANSWERED: f64 = 0.2;
const FAVOURED: f64 = 0.5;
const REPOSTED: f64 = 0.1;
/// How the numbers fall off: that of the posts which get `n` or more falls like n^(-1/0.8).
const SKEW: f64 = 0.8;
/// Most answers to one post.
const MOST_ANSWERS: usize = 60;
/// The part of answers that go to the answer before them, and of posts that get a tag.
const GOES_ON: f64 = 0.4;
const TAGGED: f64 = 0.3;

/// Lets the people of a plan talk: about each post those who follow its author.
pub(super) fn talk(mut plan: Plan, interests: &[&str]) -> Plan {
    let mut followers = vec![Vec::new(); plan.people.len()];
    for edge in &plan.follows {
        followers[edge.followed].push(edge.follower);
    }
    let phrases: Vec<&str> = ANSWERS.lines().collect();
    let mut said = HashSet::new();
    for round in &mut plan.rounds {
        for post in round.iter_mut() {
            tag(post, interests);
            said.insert((post.author, post.message.as_str().to_owned()));
        }
    }
    let mut number = plan.posts();
    let (mut rounds, mut favourites, mut reposts) = (Vec::new(), Vec::new(), Vec::new());
    for round in plan.rounds {
        let mut answers = Vec::new();
        for post in &round {
            let listeners = &followers[post.author];
            favourites.extend(presses(post, "favour", FAVOURED, listeners));
            reposts.extend(presses(post, "repost", REPOSTED, listeners));
            let thread = answers_to(post, &followers, &phrases, &mut said, &mut number);
            answers.push(thread);
        }
        rounds.push(round);
        rounds.extend(in_rounds(answers));
    }
    Plan {
        rounds,
        favourites,
        reposts,
        ..plan
    }
}

/// One tag more where there is none and room for it: interests that many share are used most.
fn tag(post: &mut PlannedPost, interests: &[&str]) {
    let text = post.message.as_str();
    let has_tag = tokens(text).any(|token| matches!(token.kind, TokenKind::Tag(_)));
    if has_tag || interests.is_empty() || chance(&["tagged", text]) > TAGGED {
        return;
    }
    let drawn = chance(&["which tag", text]);
    let place = drawn.powf(-SKEW).mul_add(0.8, -0.8) as usize % interests.len();
    let tag: String = interests[place].split([' ', '-']).collect();
    if let Ok(tagged) = Message::parse(&format!("{text} #{tag}")) {
        post.message = tagged;
    }
}

/// Who presses a button of a post.
fn presses<'a>(
    post: &PlannedPost,
    what: &'a str,
    scale: f64,
    listeners: &'a [usize],
) -> impl Iterator<Item = PlannedPress> + use<'a> {
    let number = post.number;
    let text = post.message.as_str().to_owned();
    let count = how_many(&[what, &text], scale, listeners.len());
    let start = pick(&["from", what, &text], listeners.len());
    let around = listeners.iter().cycle().skip(start).take(count);
    around.map(move |person| PlannedPress {
        person: *person,
        post: number,
    })
}

/// The answers to a post, in an order in which each comes after what it answers.
fn answers_to(
    post: &PlannedPost,
    followers: &[Vec<usize>],
    phrases: &[&str],
    said: &mut HashSet<(usize, String)>,
    number: &mut usize,
) -> Vec<PlannedPost> {
    let text = post.message.as_str();
    let count = how_many(&["answer", text], ANSWERED, MOST_ANSWERS);
    let mut thread: Vec<PlannedPost> = Vec::new();
    for turn in 0..count {
        let words = ["answer", text, &turn.to_string()];
        let before = thread.last().filter(|_| chance(&words) < GOES_ON);
        let (to, whose) = before.map_or((post.number, post.author), |before| {
            (before.number, before.author)
        });
        let listeners = &followers[whose];
        if listeners.is_empty() {
            continue;
        }
        let author = listeners[pick(&["who", text, &turn.to_string()], listeners.len())];
        let first = pick(&["what", text, &turn.to_string()], phrases.len());
        let mut phrases = phrases.iter().cycle().skip(first).take(phrases.len());
        let Some(phrase) = phrases.find(|phrase| said.insert((author, (**phrase).to_owned())))
        else {
            continue;
        };
        let Ok(message) = Message::parse(phrase) else {
            continue;
        };
        thread.push(PlannedPost {
            number: *number,
            author,
            message,
            answers: Some(to),
        });
        *number += 1;
    }
    thread
}

/// Answers in rounds: of each thread one, and nobody twice in one round.
fn in_rounds(threads: Vec<Vec<PlannedPost>>) -> Vec<Vec<PlannedPost>> {
    let mut threads: Vec<_> = threads
        .into_iter()
        .map(|thread| thread.into_iter().peekable())
        .collect();
    let mut rounds = Vec::new();
    loop {
        let mut speak = HashSet::new();
        let next = threads
            .iter_mut()
            .filter_map(|thread| thread.next_if(|answer| speak.insert(answer.author)));
        let round: Vec<PlannedPost> = next.collect();
        if round.is_empty() {
            return rounds;
        }
        rounds.push(round);
    }
}

/// A number above 0 and up to 1 that these words always give.
fn chance(words: &[&str]) -> f64 {
    let drawn = digest(words) >> 75;
    (drawn as f64 + 1.0) / (1_u64 << 53) as f64
}

/// Few for most, many for a few.
fn how_many(words: &[&str], scale: f64, most: usize) -> usize {
    let drawn = scale * (chance(words).powf(-SKEW) - 1.0);
    (drawn as usize).min(most)
}

fn pick(words: &[&str], of: usize) -> usize {
    (chance(words) * of as f64) as usize % of.max(1)
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::seed::{graph::Graph, invented};

    fn plan() -> Plan {
        let edges: Vec<String> = (1..=40_u32)
            .flat_map(|a| (1..=6).map(move |step| format!("{a} {}", (a * step) % 41)))
            .collect();
        let graph = Graph::parse(&edges.join("\n")).expect("a graph");
        let messages = (0..400).map(|n| Message::parse(&format!("post {n}")).expect("valid"));
        invented::plan(&graph, messages.collect())
    }

    #[test]
    fn the_same_plan_talks_the_same_and_each_post_has_a_number_of_its_own() {
        let talked = || talk(plan(), &["trains", "good coffee"]);
        let (one, other) = (talked(), talked());
        assert_eq!(one.favourites, other.favourites);
        assert_eq!(one.reposts, other.reposts);
        let texts = |plan: &Plan| -> Vec<_> {
            let posts = plan.rounds.iter().flatten();
            posts
                .map(|post| (post.number, post.message.as_str().to_owned()))
                .collect()
        };
        assert_eq!(texts(&one), texts(&other));
        let numbers: HashSet<usize> = one
            .rounds
            .iter()
            .flatten()
            .map(|post| post.number)
            .collect();
        assert_eq!(numbers.len(), one.posts());
    }

    #[test]
    fn who_answers_comes_later_follows_and_never_speaks_twice_in_a_round() {
        let plan = talk(plan(), &[]);
        let follows: HashSet<(usize, usize)> = plan
            .follows
            .iter()
            .map(|edge| (edge.follower, edge.followed))
            .collect();
        let mut before: HashMap<usize, usize> = HashMap::new();
        let (mut answers, mut said) = (0, HashSet::new());
        for round in &plan.rounds {
            let authors: HashSet<usize> = round.iter().map(|post| post.author).collect();
            assert_eq!(authors.len(), round.len());
            for post in round {
                assert!(said.insert((post.author, post.message.as_str())));
                if let Some(to) = post.answers {
                    let whose = before.get(&to).expect("it was said in a round before");
                    assert!(follows.contains(&(post.author, *whose)));
                    answers += 1;
                }
            }
            before.extend(round.iter().map(|post| (post.number, post.author)));
        }
        assert!(answers > 20, "{answers}");
    }

    #[test]
    fn most_posts_get_nothing_and_a_few_get_much() {
        let plan = talk(plan(), &["trains"]);
        let mut counts: HashMap<usize, usize> = HashMap::new();
        for press in &plan.favourites {
            *counts.entry(press.post).or_default() += 1;
        }
        assert!(counts.len() * 2 < 400, "{}", counts.len());
        assert!(counts.values().max() > Some(&4), "{counts:?}");
        let tagged = plan.rounds.iter().flatten();
        let tagged = tagged.filter(|post| post.message.as_str().ends_with("#trains"));
        assert!((60..180).contains(&tagged.count()));
    }
}
