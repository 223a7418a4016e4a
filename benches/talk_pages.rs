//! Pages of a talking network beside home: long conversations and direct messages, written through the
//! forms of the site, so other builds of Redwing can be measured as well.

use scraper::{Html, Selector};

use super::{
    http::HttpConnection, load::PageRequest, member::Member, redis::Outcome, talk::TalkingSite,
    world::page_request,
};

/// Conversations of posts, and the replies of each.
const CONVERSATIONS: usize = 10;
const REPLIES: usize = 40;
/// Conversations of two people, and the messages of each.
const CHATS: usize = 50;
const MESSAGES: usize = 30;
/// A word that many of the messages have.
const WORD: &str = "with";

/// The paths of pages that are not the same for every reader.
pub struct TalkingPages {
    profiles: Vec<String>,
    conversations: Vec<String>,
    /// Each with one of its people.
    chats: Vec<(String, Member)>,
}

impl TalkingPages {
    /// Writes the conversations.
    pub fn write(talking: &mut TalkingSite) -> Outcome<Self> {
        let mut connection = HttpConnection::open(talking.site.address)?;
        let mut pages = Self {
            profiles: (0..talking.members.len() as u64)
                .map(|number| format!("/@p{}", number + 1))
                .collect(),
            conversations: Vec::new(),
            chats: Vec::new(),
        };
        for number in 0..CONVERSATIONS {
            let author = talking.members[number].clone();
            let path = newest_post(&mut connection, &author)?;
            let id = path.rsplit('/').next().unwrap_or_default().to_owned();
            for _ in 0..REPLIES {
                let reply = talking.anyone().post_with(&[("reply_to", &id)]);
                connection.expect(303, &reply)?;
            }
            pages.conversations.push(path);
        }
        for number in 0..CHATS {
            let [one, other] = [0, 1].map(|side| talking.members[2 * number + side].clone());
            let path = chat(&mut connection, &one, &other)?;
            pages.chats.push((path, one));
        }
        Ok(pages)
    }

    pub fn profile(&self, number: usize) -> String {
        // Neighbours in this order are different readers' choices, spread over all people.
        self.profiles[number * 7 % self.profiles.len()].clone()
    }

    pub fn conversation(&self, number: usize) -> String {
        self.conversations[number % self.conversations.len()].clone()
    }

    pub fn search(&self, _: usize) -> String {
        format!("/search?q={WORD}")
    }

    /// Returns the n-th request for a conversation of messages, by one of its people.
    pub fn chat(&self, number: usize) -> PageRequest {
        let (path, reader) = &self.chats[number % self.chats.len()];
        page_request(path, reader)
    }
}

/// Posts, and returns the path of the post.
fn newest_post(connection: &mut HttpConnection, author: &Member) -> Outcome<String> {
    connection.expect(303, &author.post())?;
    let profile = page_request(&format!("/@p{}", author.uid), author);
    connection.expect(200, &profile.request())?;
    let permalink = Selector::parse("article a.u-url").expect("a selector");
    let page = Html::parse_document(&connection.text());
    let path = page
        .select(&permalink)
        .find_map(|link| link.attr("href"))
        .ok_or("the profile shows no post")?;
    Ok(path.to_owned())
}

/// Writes messages of two people in turn. Returns the path of their conversation.
fn chat(connection: &mut HttpConnection, one: &Member, other: &Member) -> Outcome<String> {
    let people = format!("p{}", other.uid);
    let first = [("people", people.as_str()), ("message", "Hello there")];
    connection.expect(303, &one.send("/messages/new", &with_key(&first, &key())))?;
    let path = connection
        .headers("location")
        .find_map(|path| path.split('#').next())
        .ok_or("a sent message leads nowhere")?
        .to_owned();
    // Between people who follow each other there is no request, and the answer says so.
    connection.send(&other.send(&format!("{path}/accept"), &[]))?;
    for number in 1..MESSAGES {
        let author = [one, other][number % 2];
        let text = "A message of a bench is neither short nor long.";
        let message = author.send(&path, &with_key(&[("message", text)], &key()));
        connection.expect(303, &message)?;
    }
    Ok(path)
}

fn key() -> String {
    format!("{:032x}", rand::random::<u128>())
}

fn with_key<'a>(fields: &[(&'a str, &'a str)], key: &'a str) -> Vec<(&'a str, &'a str)> {
    [fields, &[("idempotency_key", key)]].concat()
}
