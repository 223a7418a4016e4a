//! The parts that a press under a status changes: the buttons with their counts, and the poll. A script reads it
//! instead of a page.

use askama::Template as _;
use serde::Serialize;

use crate::web::{
    parts::{count_unless_zero, visit::Visit},
    polls::view::PollPart,
    prelude::*,
};

#[derive(Debug, Serialize)]
struct State {
    buttons: Buttons,
    /// The HTML of the poll.
    poll: Option<String>,
}

/// Each button: whether it is pressed, and its count as the page shows it.
#[derive(Debug, Serialize)]
struct Buttons {
    favourite: (bool, String),
    bookmark: (bool, String),
    repost: (bool, String),
}

impl State {
    fn new(visit: &Visit, status: &VisibleStatus) -> Result<Self> {
        let poll = PollPart::new(visit, status).map(|poll| poll.render());
        let poll = poll
            .transpose()
            .map_err(|error| Error::Internal(error.to_string()))?;
        let (favourites, reposts) = (status.favourite_count(), status.repost_count());
        let buttons = Buttons {
            favourite: (status.favourited_by_viewer(), count_unless_zero(favourites)),
            bookmark: (status.bookmarked_by_viewer(), String::new()),
            repost: (status.reposted_by_viewer(), count_unless_zero(reposts)),
        };
        Ok(Self { buttons, poll })
    }
}

pub async fn show(
    app: Data<AppState>,
    me: CurrentUser,
    Numbered(id): Numbered,
) -> Result<HttpResponse> {
    let status = app.store.status(Viewer::Member(me.id), id).await?;
    let status = status.ok_or(Error::NotFound)?;
    let state = State::new(&me.visitor.visit(), status.shown())?;
    Ok(HttpResponse::Ok().json(state))
}
