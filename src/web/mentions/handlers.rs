//! The page of posts that mention the member.

use serde::Serialize;

use super::view::MentionsPage;
use crate::web::{addresses::Sought, prelude::*};

pub async fn index(
    app: Data<AppState>,
    me: CurrentUser,
    Before(before): Before,
) -> Result<HttpResponse> {
    let statuses = app.store.mentions_page(me.id, before).await?;
    page(&MentionsPage::new(&me.visitor.visit(), before, &statuses))
}

/// A person in the list that completes a name.
#[derive(Serialize)]
struct Candidate {
    login: String,
    name: String,
}

/// Returns the people whose names start with the typed text, for the script of the form to post.
pub async fn people(
    app: Data<AppState>,
    me: CurrentUser,
    Sought(query): Sought,
) -> Result<HttpResponse> {
    rate::charge(&app.store, RateLimit::Complete(me.id)).await?;
    let beginnings = query.beginnings();
    let people = app.store.people_to_mention(me.id, &beginnings).await?;
    let people = people.into_iter().map(|user| Candidate {
        login: user.login.to_string(),
        name: user.name.clone(),
    });
    Ok(HttpResponse::Ok().json(people.collect::<Vec<_>>()))
}
