//! An open page that listens to its stream, as in a browser.

use std::time::Duration;

use redwing::domain::{Login, UserId};
use reqwest::{Response, StatusCode};
use tokio::time::timeout;

use crate::support::{Person, Site};

/// Time limit for an event. It is shorter than the interval at which streams poll, so that polling
/// cannot replace a missed event.
const PATIENCE: Duration = Duration::from_secs(15);

/// Event of a stream.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StreamEvent {
    pub name: String,
    pub id: Option<String>,
    pub data: String,
}

pub struct OpenPage {
    answer: Response,
    /// Received text that is not parsed yet.
    text: String,
}

/// Returns the position from which the stream of this person's home continues.
pub async fn since(person: &Person) -> String {
    let home = person.open("/").await;
    let since = home.attributes("[data-since]", "data-since");
    since.into_iter().next().expect("home says how far it is")
}

/// Returns the id of the person with that login.
pub async fn uid(site: &Site, login: &str) -> UserId {
    let login = Login::parse(login).expect("a login");
    let user = site.store.user_by_login(&login).await;
    user.expect("it answers").expect("they are shown").id
}

/// Requests a stream and returns the response, whatever its status.
pub async fn request_stream(person: &Person, since: Option<&str>, heard: Option<&str>) -> Response {
    let since = since.map_or_else(String::new, |since| format!("&since={since}"));
    let path = format!("/live?login={}{since}", person.login);
    let mut request = person
        .client()
        .get(person.address(&path))
        .header("accept", "text/event-stream")
        .header("cookie", person.cookies.header().unwrap_or_default());
    if let Some(heard) = heard {
        request = request.header("last-event-id", heard);
    }
    request.send().await.expect("the site answers")
}

impl OpenPage {
    /// Opens home and its stream.
    pub async fn home(person: &Person) -> Self {
        Self::since(person, &since(person).await).await
    }

    /// Opens the stream of a home that was loaded earlier.
    pub async fn since(person: &Person, since: &str) -> Self {
        Self::of(request_stream(person, Some(since), None).await)
    }

    pub fn of(answer: Response) -> Self {
        assert_eq!(answer.status(), StatusCode::OK);
        Self {
            answer,
            text: String::new(),
        }
    }

    /// Returns the next event, or `None` at the end.
    pub async fn next_event(&mut self) -> Option<StreamEvent> {
        loop {
            if let Some((block, rest)) = self.text.split_once("\n\n") {
                let event = parse_event(block);
                self.text = rest.to_owned();
                if event.is_some() {
                    return event;
                }
                continue;
            }
            let chunk = timeout(PATIENCE, self.answer.chunk()).await;
            match chunk.expect("an event arrives in time") {
                Ok(Some(chunk)) => self.text += std::str::from_utf8(&chunk).expect("text"),
                // A stopped server ends the stream without a final event.
                Ok(None) | Err(_) => return None,
            }
        }
    }

    /// Returns the next event with that name.
    pub async fn next_event_named(&mut self, name: &str) -> StreamEvent {
        loop {
            let event = self.next_event().await;
            let event = event.unwrap_or_else(|| panic!("the stream ended without {name}"));
            if event.name == name {
                return event;
            }
        }
    }

    /// Waits until this number of arrivals is announced. Lower numbers may come first; higher ones
    /// fail.
    pub async fn wait_for_arrivals(&mut self, wanted: u64) -> StreamEvent {
        loop {
            let event = self.next_event_named("arrived").await;
            let number: u64 = event.data.parse().expect("a number");
            if number == wanted {
                return event;
            }
        }
    }

    /// Waits until a count has these words.
    pub async fn wait_for_count(&mut self, name: &str, words: [&str; 2]) {
        loop {
            let event = self.next_event_named("counts").await;
            let counts: serde_json::Value = serde_json::from_str(&event.data).expect("JSON");
            if counts[name] == serde_json::json!(words) {
                return;
            }
        }
    }

    /// Checks that the next number of unread notifications is this one.
    pub async fn expect_unread(&mut self, wanted: &str) {
        assert_eq!(self.next_event_named("unread").await.data, wanted);
    }

    /// Returns all events until the end.
    pub async fn ended(mut self) -> Vec<String> {
        let mut names = Vec::new();
        while let Some(event) = self.next_event().await {
            names.push(event.name);
        }
        names
    }
}

/// Parses a block of a stream. Returns `None` for a comment or a retry interval.
fn parse_event(block: &str) -> Option<StreamEvent> {
    let mut event = StreamEvent::default();
    for line in block.lines() {
        match line.split_once(": ") {
            Some(("event", name)) => name.clone_into(&mut event.name),
            Some(("id", id)) => event.id = Some(id.to_owned()),
            Some(("data", data)) => data.clone_into(&mut event.data),
            _ => {}
        }
    }
    (!event.name.is_empty()).then_some(event)
}
