//! Replies, quotes, polls and pressed buttons of a graph. They have the skew of real networks, where most
//! posts get nothing and a few very much, and are the same for the same plan.

use std::collections::HashSet;

use super::{
    plan::{Plan, PlannedPost, Reference, arrange_in_rounds},
    presses::PressPlanner,
    questions::questions,
    random::{pick_index, random_fraction, skewed_count},
};
use crate::domain::{Message, Poll};

/// Replies that fit most posts, one per line.
const REPLIES: &str = include_str!("texts/replies.txt");

/// Scale of the counts of replies. The median post gets none, and one in twelve a reply.
const REPLY_SCALE: f64 = 0.2;
const MAX_REPLIES: usize = 60;
/// Share of replies that go to the previous reply, of quotes, and of posts with a poll.
const CONTINUATION_SHARE: f64 = 0.4;
const QUOTE_SHARE: f64 = 0.15;
const POLL_SHARE: f64 = 0.03;

/// Adds reactions by followers of the author to each post that is not a reply already.
pub(super) fn add_conversations(mut plan: Plan) -> Plan {
    let posts = plan.rounds.iter().flatten();
    let used_texts = posts.map(|post| author_and_text(post.author, &post.message));
    let mut conversations = ConversationPlanner {
        presses: PressPlanner::new(plan.followers()),
        phrases: REPLIES.lines().collect(),
        questions: questions(),
        used_texts: used_texts.collect(),
        next: plan.posts(),
    };
    let mut rounds = Vec::new();
    for round in plan.rounds {
        let mut threads: Vec<_> = round
            .iter()
            .filter(|post| post.reference.is_none())
            .map(|post| conversations.thread(post))
            .collect();
        let polls = round.iter().filter_map(|post| conversations.poll(post));
        threads.extend(polls.map(|poll| vec![poll]));
        rounds.push(round);
        rounds.extend(arrange_in_rounds(threads));
    }
    plan.rounds = rounds;
    plan.presses = conversations.presses.into_presses();
    plan
}

/// A text and its author. Each author posts a text once.
type AuthorAndText = (usize, String);

fn author_and_text(author: usize, message: &Message) -> AuthorAndText {
    (author, message.as_str().to_owned())
}

/// The conversation so far.
struct ConversationPlanner {
    presses: PressPlanner,
    phrases: Vec<&'static str>,
    questions: Vec<(Message, Poll)>,
    used_texts: HashSet<AuthorAndText>,
    next: usize,
}

impl ConversationPlanner {
    /// Returns the replies and quotes of a post in their order, and adds the buttons pressed.
    fn thread(&mut self, post: &PlannedPost) -> Vec<PlannedPost> {
        self.presses.add_all(post);
        let text = post.message.as_str();
        let count = skewed_count(&["answer", text], REPLY_SCALE, MAX_REPLIES);
        let mut thread: Vec<PlannedPost> = Vec::new();
        for turn in 0..count {
            thread.extend(self.reply(post, thread.last(), turn));
        }
        thread
    }

    /// Returns a reply or quote. `None` if there is no follower, or no text left.
    fn reply(
        &mut self,
        post: &PlannedPost,
        before: Option<&PlannedPost>,
        turn: usize,
    ) -> Option<PlannedPost> {
        let (text, turn) = (post.message.as_str(), turn.to_string());
        let before =
            before.filter(|_| random_fraction(&["answer", text, &turn]) < CONTINUATION_SHARE);
        let previous_author = before.map_or(post.author, |before| before.author);
        let reference = match before {
            Some(before) => Reference::ReplyTo(before.number),
            None if random_fraction(&["quote", text, &turn]) < QUOTE_SHARE => {
                Reference::QuoteOf(post.number)
            }
            None => Reference::ReplyTo(post.number),
        };
        let followers = self.presses.followers_of(previous_author);
        let author = *followers.get(pick_index(&["who", text, &turn], followers.len()))?;
        let (before, from) = self
            .phrases
            .split_at(pick_index(&["what", text, &turn], self.phrases.len()));
        let mut phrases = from.iter().chain(before);
        let phrase = phrases.find(|phrase| self.used_texts.insert((author, phrase.to_string())))?;
        let message = Message::parse(phrase).expect("the replies of the seed are messages");
        Some(PlannedPost {
            reference: Some(reference),
            ..self.post(author, message)
        })
    }

    /// Returns a poll by the author of some posts, with its votes.
    fn poll(&mut self, post: &PlannedPost) -> Option<PlannedPost> {
        let (text, author) = (post.message.as_str(), post.author);
        if random_fraction(&["asked", text]) > POLL_SHARE {
            return None;
        }
        let question = pick_index(&["asks", text], self.questions.len());
        let (message, poll) = self.questions[question].clone();
        if !self.used_texts.insert(author_and_text(author, &message)) {
            return None;
        }
        let asked = self.post(author, message);
        self.presses.add_votes(&asked, &poll, text);
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

    use super::super::{conversations::*, plan::Button};
    use crate::seed::{generated, graph::Graph};

    fn plan() -> Plan {
        let edges: Vec<String> = (1..=40_u32)
            .flat_map(|a| (1..=6).map(move |step| format!("{a} {}", (a * step) % 41)))
            .collect();
        let graph = Graph::parse(&edges.join("\n")).expect("a graph");
        let messages = (0..400).map(|n| Message::parse(&format!("post {n}")).expect("valid"));
        add_conversations(generated::plan(&graph, messages.collect()))
    }

    fn posts(plan: &Plan) -> impl Iterator<Item = &PlannedPost> {
        plan.rounds.iter().flatten()
    }

    #[test]
    fn talk_is_deterministic_and_post_numbers_are_distinct() {
        let (one, other) = (plan(), plan());
        assert_eq!(one.presses, other.presses);
        let text = |post: &PlannedPost| (post.number, post.message.as_str().to_owned());
        assert!(posts(&one).map(text).eq(posts(&other).map(text)));
        let numbers: HashSet<usize> = posts(&one).map(|post| post.number).collect();
        assert_eq!(numbers.len(), one.posts());
    }

    #[test]
    fn replies_and_quotes_come_later_from_followers_at_most_once_per_round() {
        let plan = plan();
        let followers = plan.followers();
        let mut before: HashMap<usize, usize> = HashMap::new();
        let (mut replies, mut quotes, mut texts) = (0, 0, HashSet::new());
        for round in &plan.rounds {
            let authors: HashSet<usize> = round.iter().map(|post| post.author).collect();
            assert_eq!(authors.len(), round.len());
            for post in round {
                assert!(texts.insert((post.author, post.message.as_str())));
                let Some(reference) = post.reference else {
                    continue;
                };
                let target = reference.number();
                let author = before
                    .get(&target)
                    .expect("the post is in an earlier round");
                assert!(followers[*author].contains(&post.author));
                match reference {
                    Reference::ReplyTo(_) => replies += 1,
                    Reference::QuoteOf(_) => quotes += 1,
                }
            }
            before.extend(round.iter().map(|post| (post.number, post.author)));
        }
        assert!(replies + quotes > 20 && quotes > 3, "{replies} {quotes}");
    }

    #[test]
    fn reactions_concentrate_on_few_posts() {
        let plan = plan();
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
        let plan = plan();
        let polls = posts(&plan).filter_map(|post| Some((post.number, post.poll.as_ref()?)));
        let polls: HashMap<usize, &Poll> = polls.collect();
        assert!(polls.len() > 3, "{}", polls.len());
        let mut chosen = HashSet::new();
        for press in &plan.presses {
            if let Button::Vote(ballot) = press.button {
                assert!(polls[&press.post].allows(ballot));
                chosen.insert((press.post, ballot.bits()));
            }
        }
        assert!(chosen.len() > polls.len(), "{chosen:?}");
    }
}
