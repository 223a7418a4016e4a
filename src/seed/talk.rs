//! Replies, quotes, polls and pressed buttons of a plan. They have the skew of real networks, where most
//! posts get nothing and a few very much, and are the same for the same plan.

use std::collections::HashSet;

use super::{
    draws::{chance, how_many, pick, pick_skewed, some_of},
    plan::{About, Button, Plan, PlannedPost, PlannedPress, in_rounds},
    questions::questions,
};
use crate::domain::{Ballot, Message, Poll};

/// Replies, one per line.
const ANSWERS: &str = include_str!("answers.txt");

/// Scale of reactions: the median post gets none, one in twelve a reply, one in four a favourite.
const ANSWERED: f64 = 0.2;
const FAVOURITED: f64 = 0.5;
const BOOKMARKED: f64 = 0.15;
const REPOSTED: f64 = 0.1;
/// Most followers of a poll's author vote.
const VOTED: f64 = 8.0;
/// Maximum number of replies to one post.
const MOST_ANSWERS: usize = 60;
/// Share of replies that go to the previous reply, of quotes, and of posts with a poll.
const GOES_ON: f64 = 0.4;
const QUOTES: f64 = 0.15;
const ASKED: f64 = 0.03;

/// Adds reactions to each post by followers of its author.
pub(super) fn talk(mut plan: Plan) -> Plan {
    let posts = plan.rounds.iter().flatten();
    let mut talk = Talk {
        followers: plan.followers(),
        phrases: ANSWERS.lines().collect(),
        questions: questions(),
        said: posts
            .map(|post| saying(post.author, &post.message))
            .collect(),
        next: plan.posts(),
        presses: Vec::new(),
    };
    let mut rounds = Vec::new();
    for round in plan.rounds {
        let mut threads: Vec<_> = round.iter().map(|post| talk.thread(post)).collect();
        threads.extend(
            round
                .iter()
                .filter_map(|post| talk.poll(post))
                .map(|poll| vec![poll]),
        );
        rounds.push(round);
        rounds.extend(in_rounds(threads));
    }
    plan.rounds = rounds;
    plan.presses = talk.presses;
    plan
}

/// A text and its author. No one says anything twice.
type Saying = (usize, String);

fn saying(author: usize, message: &Message) -> Saying {
    (author, message.as_str().to_owned())
}

/// The conversation so far.
struct Talk {
    followers: Vec<Vec<usize>>,
    phrases: Vec<&'static str>,
    questions: Vec<(Message, Poll)>,
    said: HashSet<Saying>,
    /// Number of the next post.
    next: usize,
    presses: Vec<PlannedPress>,
}

impl Talk {
    /// Returns the replies and quotes of a post, each after the one it refers to, and adds the buttons
    /// pressed.
    fn thread(&mut self, post: &PlannedPost) -> Vec<PlannedPost> {
        self.press(post, "favour", FAVOURITED, Button::Favourite);
        self.press(post, "bookmark", BOOKMARKED, Button::Bookmark);
        self.press(post, "repost", REPOSTED, Button::Repost);
        let text = post.message.as_str();
        let count = how_many(&["answer", text], ANSWERED, MOST_ANSWERS);
        let mut thread: Vec<PlannedPost> = Vec::new();
        for turn in 0..count {
            thread.extend(self.answer(post, thread.last(), turn));
        }
        thread
    }

    /// Adds presses of one button: few for most posts and many for a few.
    fn press(&mut self, post: &PlannedPost, what: &str, scale: f64, button: Button) {
        let text = post.message.as_str();
        let listeners = &self.followers[post.author];
        let count = how_many(&[what, text], scale, listeners.len());
        let people = some_of(&["from", what, text], listeners, count);
        self.presses.extend(people.map(|person| PlannedPress {
            person,
            post: post.number,
            button,
        }));
    }

    /// Returns a reply or quote. `None` if there is no follower, or no text left.
    fn answer(
        &mut self,
        post: &PlannedPost,
        before: Option<&PlannedPost>,
        turn: usize,
    ) -> Option<PlannedPost> {
        let (text, turn) = (post.message.as_str(), turn.to_string());
        let before = before.filter(|_| chance(&["answer", text, &turn]) < GOES_ON);
        let whose = before.map_or(post.author, |before| before.author);
        let about = match before {
            Some(before) => About::Answers(before.number),
            None if chance(&["quote", text, &turn]) < QUOTES => About::Quotes(post.number),
            None => About::Answers(post.number),
        };
        let listeners = &self.followers[whose];
        let author = *listeners.get(pick(&["who", text, &turn], listeners.len()))?;
        let first = pick(&["what", text, &turn], self.phrases.len());
        let mut phrases = self
            .phrases
            .iter()
            .cycle()
            .skip(first)
            .take(self.phrases.len());
        let phrase = phrases.find(|phrase| self.said.insert((author, (**phrase).to_owned())))?;
        let message = Message::parse(phrase).expect("the answers of the seed are messages");
        Some(PlannedPost {
            about: Some(about),
            ..self.post(author, message)
        })
    }

    /// Returns a poll by the author of some posts, with its votes.
    fn poll(&mut self, post: &PlannedPost) -> Option<PlannedPost> {
        let (text, author) = (post.message.as_str(), post.author);
        if chance(&["asked", text]) > ASKED {
            return None;
        }
        let (message, poll) = self.questions[pick(&["asks", text], self.questions.len())].clone();
        if !self.said.insert(saying(author, &message)) {
            return None;
        }
        let asked = self.post(author, message);
        let listeners = &self.followers[author];
        let count = how_many(&["vote", text], VOTED, listeners.len());
        for person in some_of(&["voters", text], listeners, count) {
            let words = ["votes", text, &person.to_string()];
            let option = pick_skewed(&words, poll.options().len());
            let ballot = Ballot::of(&[option]).expect("a poll has no more options than a ballot");
            self.presses.push(PlannedPress {
                person,
                post: asked.number,
                button: Button::Vote(ballot),
            });
        }
        Some(PlannedPost {
            poll: Some(poll),
            ..asked
        })
    }

    /// Creates a plain post with the next number.
    fn post(&mut self, author: usize, message: Message) -> PlannedPost {
        self.next += 1;
        PlannedPost::new(self.next - 1, author, message)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::super::talk::*;
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
    fn talk_is_deterministic_and_post_numbers_are_distinct() {
        let talked = || talk(plan());
        let (one, other) = (talked(), talked());
        assert_eq!(one.presses, other.presses);
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
    fn replies_come_later_from_followers_at_most_once_per_round() {
        let plan = talk(plan());
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
                if let Some(About::Answers(to) | About::Quotes(to)) = post.about {
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
    fn reactions_concentrate_on_few_posts() {
        let plan = talk(plan());
        for (button, least) in [
            (Button::Favourite, 4),
            (Button::Bookmark, 2),
            (Button::Repost, 2),
        ] {
            let mut counts: HashMap<usize, usize> = HashMap::new();
            for press in plan.presses.iter().filter(|press| press.button == button) {
                *counts.entry(press.post).or_default() += 1;
            }
            assert!(counts.len() * 2 < 400, "{button:?} {}", counts.len());
            assert!(
                counts.values().max() > Some(&least),
                "{button:?} {counts:?}"
            );
        }
    }

    #[test]
    fn some_posts_have_polls_and_followers_vote() {
        let plan = talk(plan());
        let polls: HashMap<usize, &Poll> = plan
            .rounds
            .iter()
            .flatten()
            .filter_map(|post| Some((post.number, post.poll.as_ref()?)))
            .collect();
        assert!(polls.len() > 3, "{}", polls.len());
        let votes = plan.presses.iter().filter_map(|press| match press.button {
            Button::Vote(ballot) => Some((press.post, ballot)),
            _ => None,
        });
        let mut chosen = HashSet::new();
        for (post, ballot) in votes {
            assert!(polls[&post].allows(ballot));
            chosen.insert((post, ballot.bits()));
        }
        assert!(chosen.len() > polls.len(), "{chosen:?}");
    }

    #[test]
    fn some_posts_are_quoted() {
        let plan = talk(plan());
        let posts = plan.rounds.iter().flatten();
        let quotes = posts.filter(|post| matches!(post.about, Some(About::Quotes(_))));
        assert!(quotes.count() > 3);
    }
}
