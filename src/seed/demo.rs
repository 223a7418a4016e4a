//! The demo community: a few dozen neighbours along a river, from text files beside this one.

use std::collections::HashMap;

use super::{
    chats, groups,
    plan::{Plan, PlannedFollow, PlannedPerson, PlannedPost, Reference},
    threads::threads,
};
use crate::domain::{Bio, DisplayName, Login, Message};

/// One person per line: login | name | followed people | bio.
const PEOPLE: &str = include_str!("texts/people.txt");
/// `@login`, a line end, the message; `%` on a line of its own between two posts; oldest first. A message that begins
/// with a login replies to the last post of that person before it.
const POSTS: &str = include_str!("texts/posts.txt");

/// Returns people, follows and posts of the demo. One post per round, because they reply to each other. The conversations
/// of threads.txt begin between the posts of posts.txt.
pub(super) fn plan() -> Plan {
    let rows: Vec<[&str; 4]> = rows().collect();
    let places: HashMap<&str, usize> = rows.iter().map(|row| row[0]).zip(0..).collect();
    let place = |login: &str| {
        let place = places.get(login);
        *place.expect("the demo names its own people only")
    };
    let follows = rows.iter().enumerate().flat_map(|(follower, row)| {
        let followed = row[2].split_whitespace().map(place);
        followed.map(move |followed| PlannedFollow::new(follower, followed))
    });
    let mut last_of: HashMap<&str, usize> = HashMap::new();
    let mut story = Vec::new();
    for (
        number,
        DemoPost {
            login,
            reply_to,
            message,
        },
    ) in posts().enumerate()
    {
        let reply_to = reply_to.and_then(|person| last_of.get(person).copied());
        story.push(vec![PlannedPost {
            reference: reply_to.map(Reference::ReplyTo),
            ..PlannedPost::new(number, place(login), message)
        }]);
        last_of.insert(login, number);
    }
    let threads = threads(&places, story.len());
    let posts = interleave(story, threads).into_iter().flatten();
    let rounds = posts.map(|post| vec![post]).collect();
    let follows = follows.collect();
    let people: Vec<PlannedPerson> = rows.into_iter().map(person).collect();
    let (chats, groups) = (chats::plan(&people), groups::plan(&people));
    Plan {
        chats,
        groups,
        ..Plan::new(people, follows, rounds)
    }
}

/// Merges two series so that each is spread evenly.
fn interleave<T>(one: Vec<T>, other: Vec<T>) -> Vec<T> {
    let shares = |series: Vec<T>| {
        let of = series.len() as f64;
        let items = series.into_iter().enumerate();
        items.map(move |(place, item)| ((place as f64 + 0.5) / of, item))
    };
    let mut items: Vec<(f64, T)> = shares(one).chain(shares(other)).collect();
    items.sort_by(|(one, _), (other, _)| one.total_cmp(other));
    items.into_iter().map(|(_, item)| item).collect()
}

/// Returns the messages of the demo, for people without messages of their own.
pub(super) fn messages() -> Vec<Message> {
    posts().map(|post| post.with_mention()).collect()
}

fn rows() -> impl Iterator<Item = [&'static str; 4]> {
    let lines = PEOPLE.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| {
        let mut parts = line.splitn(4, " | ");
        std::array::from_fn(|_| parts.next().expect("a line of people.txt has four parts"))
    })
}

fn person([login, name, _, bio]: [&str; 4]) -> PlannedPerson {
    PlannedPerson {
        login: Login::parse(login).expect("logins of the demo are valid"),
        name: DisplayName::parse(name).expect("names of the demo are valid"),
        bio: Bio::parse(bio).expect("self-descriptions of the demo are valid"),
    }
}

/// A post of the file.
struct DemoPost {
    login: &'static str,
    /// The login of the person that it replies to.
    reply_to: Option<&'static str>,
    message: Message,
}

impl DemoPost {
    /// Returns the text of the file, for a site where it is not a reply.
    fn with_mention(self) -> Message {
        let text = |person| format!("@{person} {}", self.message.as_str());
        let with_mention = self.reply_to.map(text);
        let message = with_mention.and_then(|text| Message::parse(&text).ok());
        message.unwrap_or(self.message)
    }
}

fn posts() -> impl Iterator<Item = DemoPost> {
    POSTS.split("\n%\n").map(|post| {
        let parts = post
            .strip_prefix('@')
            .and_then(|post| post.split_once('\n'));
        let (login, text) = parts.expect("a post of the demo has an @, an author and a text");
        let reply = text.strip_prefix('@');
        let (reply_to, text) = match reply.and_then(|reply| reply.split_once(' ')) {
            Some((person, text)) => (Some(person), text),
            None => (None, text),
        };
        DemoPost {
            login,
            reply_to,
            message: Message::parse(text).expect("messages of the demo are valid"),
        }
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::super::demo::*;
    use crate::domain::Draft;

    #[test]
    fn every_demo_user_posts_and_nothing_repeats() {
        let plan = plan();
        let people = &plan.people;
        let posts: Vec<_> = plan.rounds.iter().flatten().collect();
        let logins: HashSet<_> = people.iter().map(|person| person.login.folded()).collect();
        let names: HashSet<_> = people.iter().map(|person| person.name.as_str()).collect();
        let authors: HashSet<_> = posts.iter().map(|post| post.author).collect();
        let counts = [logins.len(), names.len(), authors.len()];
        assert_eq!(counts, [people.len(); 3]);
        let texts: HashSet<_> = posts.iter().map(|post| post.message.as_str()).collect();
        assert_eq!(texts.len(), posts.len());
        let edges = plan.follows.iter();
        let follows = edges.map(|edge| (edge.follower, edge.followed));
        let distinct: HashSet<_> = follows.filter(|(one, other)| one != other).collect();
        assert_eq!(distinct.len(), plan.follows.len());
    }

    #[test]
    fn the_demo_texts_match_the_file_exactly() {
        for (raw, post) in POSTS.trim_end().split("\n%\n").zip(posts()) {
            let (_, text) = raw.split_once('\n').expect("an author and a text");
            assert_eq!(post.with_mention().as_str(), text);
        }
    }

    #[test]
    fn every_mentioned_login_exists() {
        let logins: HashSet<_> = rows().map(|row| row[0]).collect();
        for post in posts() {
            for login in Draft::from(&post.message).logins() {
                assert!(logins.contains(login.as_str()), "{login}");
            }
        }
        let plan = plan();
        let replies = plan
            .rounds
            .iter()
            .flatten()
            .filter(|post| post.reference.is_some());
        let written = posts().filter(|post| post.reply_to.is_some()).count();
        let lines = include_str!("texts/threads.txt").lines();
        let in_threads = lines.filter(|line| line.starts_with(['>', '~'])).count();
        assert!(written > 50 && in_threads > 100);
        assert_eq!(replies.count(), written + in_threads);
    }

    #[test]
    fn the_readme_login_has_a_full_home() {
        let plan = plan();
        assert_eq!(plan.people[plan.most_followed()].login.as_str(), "robin");
        let followed = &plan.followed()[0];
        let posts = plan.rounds.iter().flatten();
        let on_home = posts.filter(|post| followed.contains(&post.author)).count();
        assert!(on_home > crate::domain::PAGE_SIZE, "{on_home}");
    }
}
