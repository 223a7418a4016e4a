//! The stream of an open page: what came since it was made, and its counts as they change. Takes no
//! place among the requests under way, and does not prolong the session.

use std::{
    pin::Pin,
    task::{Context, Poll, ready},
};

use actix_web::{
    HttpResponse,
    body::{BodySize, MessageBody},
    http::Method,
    web::{Bytes, Data, Query},
};
use futures_util::{
    Stream as _,
    stream::{Abortable, abortable},
};
use serde::Deserialize;

use crate::{
    domain::Arrival,
    live::{Event, Stream},
    store::LiveQuery,
    web::{
        AppState,
        http::{
            activity::{Activity, Streaming},
            errors::{Error, Result},
            session::visitor::{Member, Visitor},
        },
        people::counts::LiveCounts,
    },
};

/// Between which times browsers come back after a stream broke, drawn for each: so that they do not
/// come all at once when a server was restarted.
const BACK_AFTER_MS: std::ops::Range<u32> = 1000..6000;

/// What the page says of itself.
#[derive(Deserialize)]
pub(in crate::web) struct Asked {
    /// Its member's folded login: another one may be logged in in this browser by now.
    #[serde(default)]
    login: String,
    /// The arrival that it is up to; none where it shows no home.
    since: Option<String>,
}

/// A stream for the member whose page asks. Others are refused in plain words: no person reads them.
pub(in crate::web) async fn open(
    app: Data<AppState>,
    visitor: Visitor,
    asked: Query<Asked>,
) -> Result<HttpResponse> {
    let heard: Option<Arrival> = visitor
        .header("last-event-id")
        .and_then(|id| id.parse().ok());
    let member = visitor.member()?;
    let glance = member.and_then(|member| glance(&visitor, &member, &asked, heard));
    let Some(glance) = glance else {
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
    let stream = app
        .streams
        .open(glance)
        .map_err(|_full| Error::Overloaded)?;
    let activity = visitor.request().conn_data::<Activity>();
    Ok(answer.force_close().body(Body::new(stream, activity)))
}

/// What to look for, where the session that asks is the page's member's. A page says where it was made;
/// whoever does not, as clients other than our script may, goes on from what they heard last. What
/// cannot be read is nowhere.
fn glance(
    visitor: &Visitor,
    member: &Member,
    asked: &Asked,
    heard: Option<Arrival>,
) -> Option<LiveQuery> {
    if member.login.folded() != asked.login {
        return None;
    }
    let since = asked.since.as_deref();
    let since = since.map(|since| since.parse().unwrap_or(Arrival::NONE));
    Some(LiveQuery {
        person: member.id,
        session: visitor.session_digest()?,
        epoch: visitor.entry("epoch")?,
        since: since.or(heard),
    })
}

/// Events as they are written to the page.
struct Body {
    begun: bool,
    stream: Abortable<Stream>,
    /// Says of the connection that this goes on.
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
            let after_ms = rand::random_range(BACK_AFTER_MS);
            return Poll::Ready(Some(Ok(Bytes::from(format!("retry: {after_ms}\n\n")))));
        }
        let event = ready!(Pin::new(&mut self.stream).poll_next(context));
        Poll::Ready(event.map(|event| Ok(Bytes::from(written(event)))))
    }
}

/// An event as browsers read it. One without data they would not pass on.
fn written(event: Event) -> String {
    match event {
        Event::Arrived { at, new } => format!("id: {at}\nevent: arrived\ndata: {new}\n\n"),
        Event::Reset { at, new } => format!("id: {at}\nevent: reset\ndata: {new}\n\n"),
        Event::Counts(counts) => {
            let counts = LiveCounts::new(counts).json();
            format!("event: counts\ndata: {counts}\n\n")
        }
        Event::Unread(number) => format!("event: unread\ndata: {number}\n\n"),
        Event::Ended => "event: ended\ndata: log in again\n\n".to_owned(),
        Event::Crowded => "event: crowded\ndata: others are open\n\n".to_owned(),
        Event::Beat => ":\n\n".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::handlers::*;
    use crate::store::Counts;

    #[test]
    fn events_are_written_as_browsers_read_them() {
        let at: Arrival = "12-3".parse().unwrap();
        assert_eq!(
            written(Event::Arrived { at, new: 3 }),
            "id: 12-3\nevent: arrived\ndata: 3\n\n"
        );
        let counts = Counts {
            posts: 1,
            followers: 1234,
            following: 0,
        };
        assert_eq!(
            written(Event::Counts(counts)),
            "event: counts\ndata: {\"posts\":[\"1\",\"post\"],\"followers\":[\"1,234\",\"followers\"],\
             \"following\":[\"0\",\"following\"]}\n\n"
        );
        assert_eq!(written(Event::Unread(2)), "event: unread\ndata: 2\n\n");
        assert_eq!(written(Event::Beat), ":\n\n");
    }
}
