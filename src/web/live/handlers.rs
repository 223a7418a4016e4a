//! The event stream of an open page: new posts, counts, unread notifications. Takes no place among
//! the concurrent requests, and does not prolong the session. Also the notice of a press in place.

use std::{
    pin::Pin,
    task::{Context, Poll, ready},
};

use actix_web::{
    body::{BodySize, MessageBody},
    http::Method,
    web::{Bytes, Query},
};
use futures_util::{
    Stream as _,
    stream::{Abortable, abortable},
};
use serde::Serialize;

use crate::{
    domain::Arrival,
    live::{Event, HEARTBEAT_INTERVAL, Refusal, Stream},
    store::{LiveQuery, MAX_WATCHED, Watched},
    web::{
        http::{
            activity::{Activity, Streaming},
            client,
            session::visitor::Member,
        },
        people::counts::live_json,
        prelude::*,
    },
};

/// Range of the delay after which browsers reconnect. Each stream draws its own, so that they do
/// not all reconnect at once after a restart.
const RECONNECT_AFTER_MS: std::ops::Range<u32> = 1000..6000;

/// The page's member and position.
#[derive(Deserialize)]
pub struct StreamParams {
    /// The folded login of the page's member. Another member may be logged in by now.
    #[serde(default)]
    login: String,
    /// The newest arrival on the page; `None` if the page is not home.
    since: Option<String>,
    /// The conversation of messages on the page.
    chat: Option<String>,
    /// The newest post on the page of everybody; 0 if it has none.
    newest: Option<String>,
    /// The posts of the conversation on the page, and the newest of them.
    replies: Option<String>,
    after: Option<String>,
}

impl StreamParams {
    /// Returns the posts that the page watches. Unreadable ids count as none.
    fn watched(&self) -> Option<Watched> {
        if let Some(newest) = &self.newest {
            return Some(Watched::Everybody(newest.parse().ok()));
        }
        let ids = self.replies.as_deref()?.split('.').take(MAX_WATCHED);
        Some(Watched::Replies {
            to: ids.filter_map(|id| id.parse().ok()).collect(),
            after: self.after.as_deref()?.parse().ok()?,
        })
    }
}

/// Opens a stream for the page's member. Others get plain text, because only scripts read it.
pub async fn open(
    app: Data<AppState>,
    visitor: Visitor,
    params: Query<StreamParams>,
) -> Result<HttpResponse> {
    let last_event: Option<Arrival> = visitor
        .header("last-event-id")
        .and_then(|id| id.parse().ok());
    let member = visitor.member()?;
    let query = member.and_then(|member| live_query(&visitor, &member, &params, last_event));
    let Some(query) = query else {
        return Ok(HttpResponse::Forbidden()
            .content_type("text/plain; charset=utf-8")
            .body("log in first\n"));
    };
    let mut answer = HttpResponse::Ok();
    answer
        .content_type("text/event-stream")
        .insert_header(("x-accel-buffering", "no"));
    if visitor.request().method() == Method::HEAD {
        return Ok(answer.finish());
    }
    let from = client::address(visitor.request(), &app.site.config.trusted_proxies);
    let stream = app.streams.open(query, from).map_err(refused)?;
    let activity = visitor.request().conn_data::<Activity>();
    Ok(answer.force_close().body(Body::new(stream, activity)))
}

fn refused(refusal: Refusal) -> Error {
    match refusal {
        Refusal::Full => Error::Overloaded,
        Refusal::AddressFull => Error::TooMany {
            retry_after_s: HEARTBEAT_INTERVAL.as_secs(),
        },
    }
}

/// Returns the notice of the last press to the script of the page, which has not left the page.
pub async fn notice(me: CurrentUser) -> HttpResponse {
    let notice = me.visitor.visit().notice;
    let notice = notice.map_or_else(String::new, |notice| notice.sentence());
    HttpResponse::Ok().json(LastNotice { notice })
}

#[derive(Serialize)]
struct LastNotice {
    notice: String,
}

/// Returns the query of the stream, if the session belongs to the page's member. Clients that do
/// not send `since` continue after the last event they received. An unreadable value counts as
/// none.
fn live_query(
    visitor: &Visitor,
    member: &Member,
    params: &StreamParams,
    last_event: Option<Arrival>,
) -> Option<LiveQuery> {
    if member.login.folded() != params.login {
        return None;
    }
    let since = params.since.as_deref();
    let since = since.map(|since| since.parse().unwrap_or(Arrival::NONE));
    Some(LiveQuery {
        person: member.id,
        session: visitor.session_digest()?,
        epoch: visitor.epoch()?,
        since: since.or(last_event),
        chat: params.chat.as_deref().and_then(|chat| chat.parse().ok()),
        watched: params.watched(),
    })
}

/// The events as the body of a response.
struct Body {
    begun: bool,
    stream: Abortable<Stream>,
    /// Keeps the connection marked as streaming.
    _open: Option<Streaming>,
}

impl Body {
    fn new(stream: Stream, activity: Option<&Activity>) -> Self {
        let (stream, open) = match activity {
            Some(activity) => {
                let (stream, open) = activity.stream(stream);
                (stream, Some(open))
            }
            None => (abortable(stream).0, None),
        };
        Self {
            begun: false,
            stream,
            _open: open,
        }
    }
}

impl MessageBody for Body {
    type Error = std::convert::Infallible;

    fn size(&self) -> BodySize {
        BodySize::Stream
    }

    fn poll_next(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<std::result::Result<Bytes, Self::Error>>> {
        if !self.begun {
            self.begun = true;
            let after_ms = rand::random_range(RECONNECT_AFTER_MS);
            return Poll::Ready(Some(Ok(Bytes::from(format!("retry: {after_ms}\n\n")))));
        }
        let event = ready!(Pin::new(&mut self.stream).poll_next(context));
        Poll::Ready(event.map(|event| Ok(Bytes::from(format_event(event)))))
    }
}

/// Formats an event for browsers, which ignore events without data.
fn format_event(event: Event) -> String {
    match event {
        Event::Arrived { at, new } => format!("id: {at}\nevent: arrived\ndata: {new}\n\n"),
        Event::Reset { at, new } => format!("id: {at}\nevent: reset\ndata: {new}\n\n"),
        Event::Counts(counts) => format!("event: counts\ndata: {}\n\n", live_json(counts)),
        Event::Unread(number) => format!("event: unread\ndata: {number}\n\n"),
        Event::UnreadChats(number) => format!("event: messages\ndata: {number}\n\n"),
        Event::Chat(version) => format!("event: chat\ndata: {version}\n\n"),
        Event::Newer(count) => format!("event: newer\ndata: {count}\n\n"),
        Event::Ended => "event: ended\ndata: log in again\n\n".to_owned(),
        Event::Crowded => "event: crowded\ndata: others are open\n\n".to_owned(),
        Event::Heartbeat => ":\n\n".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::handlers::*;
    use crate::store::Counts;

    #[test]
    fn events_use_the_event_stream_format() {
        let at: Arrival = "12-3".parse().unwrap();
        assert_eq!(
            format_event(Event::Arrived { at, new: 3 }),
            "id: 12-3\nevent: arrived\ndata: 3\n\n"
        );
        let counts = Counts {
            posts: 1,
            followers: 1234,
            following: 0,
        };
        assert_eq!(
            format_event(Event::Counts(counts)),
            "event: counts\ndata: {\"posts\":[\"1\",\"post\"],\"followers\":[\"1,234\",\"followers\"],\
             \"following\":[\"0\",\"following\"]}\n\n"
        );
        assert_eq!(format_event(Event::Unread(2)), "event: unread\ndata: 2\n\n");
        assert_eq!(format_event(Event::Heartbeat), ":\n\n");
    }
}
