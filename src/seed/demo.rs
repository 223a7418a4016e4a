//! The demo community: a few dozen neighbours along a river, from text files beside this one.

use std::collections::HashMap;

use super::plan::{Plan, PlannedFollow, PlannedPerson, PlannedPost};
use crate::domain::{Bio, DisplayName, Login, Message};

/// One person per line: login | name | followed people | bio.
const PEOPLE: &str = include_str!("people.txt");
/// `@login`, a line end, the message; `%` on a line of its own between two posts; oldest first.
const POSTS: &str = include_str!("posts.txt");

/// Returns people, follows and posts of the demo. One post per round, because they reply to each other.
pub(super) fn plan() -> Plan {
    let rows: Vec<[&str; 4]> = rows().collect();
    let places: HashMap<&str, usize> = rows
        .iter()
        .enumerate()
        .map(|(place, row)| (row[0], place))
        .collect();
    let place = |login: &str| {
        *places
            .get(login)
            .expect("the demo names its own people only")
    };
    let follows = rows.iter().enumerate().flat_map(|(follower, row)| {
        row[2].split_whitespace().map(move |login| PlannedFollow {
            follower,
            followed: place(login),
        })
    });
    let rounds = posts()
        .enumerate()
        .map(|(number, (login, message))| vec![PlannedPost::new(number, place(login), message)]);
    let (follows, rounds) = (follows.collect(), rounds.collect());
    Plan::new(rows.into_iter().map(person).collect(), follows, rounds)
}

/// Returns the messages of the demo, for people without messages of their own.
pub(super) fn messages() -> Vec<Message> {
    posts().map(|(_, message)| message).collect()
}

fn rows() -> impl Iterator<Item = [&'static str; 4]> {
    PEOPLE
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
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

fn posts() -> impl Iterator<Item = (&'static str, Message)> {
    POSTS.split("\n%\n").map(|post| {
        let (author, text) = post
            .split_once('\n')
            .expect("a post of the demo has an author and a text");
        let login = author
            .strip_prefix('@')
            .expect("authors of the demo begin with @");
        (
            login,
            Message::parse(text).expect("messages of the demo are valid"),
        )
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::super::demo::*;

    #[test]
    fn every_demo_user_posts_and_no_text_repeats() {
        let plan = plan();
        let posts: Vec<_> = plan.rounds.iter().flatten().collect();
        let texts: HashSet<_> = posts.iter().map(|post| post.message.as_str()).collect();
        assert_eq!(texts.len(), posts.len());
        let authors: HashSet<_> = posts.iter().map(|post| post.author).collect();
        assert_eq!(authors.len(), plan.people.len());
    }

    #[test]
    fn demo_logins_names_and_follows_are_distinct() {
        let plan = plan();
        let logins: HashSet<_> = plan
            .people
            .iter()
            .map(|person| person.login.folded())
            .collect();
        let names: HashSet<_> = plan
            .people
            .iter()
            .map(|person| person.name.as_str())
            .collect();
        let edges: HashSet<_> = plan
            .follows
            .iter()
            .map(|edge| (edge.follower, edge.followed))
            .collect();
        assert_eq!(logins.len(), plan.people.len());
        assert_eq!(names.len(), plan.people.len());
        assert_eq!(edges.len(), plan.follows.len());
        assert!(
            plan.follows
                .iter()
                .all(|edge| edge.follower != edge.followed)
        );
    }

    #[test]
    fn the_demo_texts_match_the_file_exactly() {
        for (raw, (_, message)) in POSTS.trim_end().split("\n%\n").zip(posts()) {
            let (_, text) = raw.split_once('\n').expect("an author and a text");
            assert_eq!(message.as_str(), text);
        }
    }

    #[test]
    fn every_mentioned_login_exists() {
        let logins: HashSet<_> = rows().map(|row| row[0]).collect();
        for (_, message) in posts() {
            let mentioned = message
                .as_str()
                .split_whitespace()
                .filter_map(|word| word.strip_prefix('@'));
            for name in mentioned {
                let login: String = name
                    .chars()
                    .take_while(|c| c.is_ascii_alphanumeric() || *c == '_')
                    .collect();
                assert!(logins.contains(login.as_str()), "{login}");
            }
        }
    }

    #[test]
    fn the_readme_login_has_a_full_home() {
        let plan = plan();
        assert_eq!(plan.people[plan.most_followed()].login.as_str(), "robin");
        let followed: HashSet<_> = plan
            .follows
            .iter()
            .filter(|edge| edge.follower == 0)
            .map(|edge| edge.followed)
            .collect();
        let on_home = plan
            .rounds
            .iter()
            .flatten()
            .filter(|post| followed.contains(&post.author))
            .count();
        assert!(on_home > crate::domain::PAGE_SIZE, "{on_home}");
    }
}
