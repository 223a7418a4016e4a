//! The page with only the form to post. "Compose" leads to it from every page.

use actix_web::web::Query;

use super::compose::{ComposeForm, DraftTyped};
use crate::{
    store::{self, Store},
    web::{
        edits::deleted::limit_readers,
        http::fair_share::is_for_log_in,
        parts::prelude::{Layout, Section, Template},
        prelude::*,
    },
};

#[derive(Debug, Template)]
#[template(path = "statuses/new_post.html")]
struct NewPostPage {
    layout: Layout,
    compose: ComposeForm,
}

/// Shows an empty form. After the post, it leads back to the page that the person came from. The address names that
/// page if the person logs in first.
pub async fn show(
    app: Data<AppState>,
    me: Result<CurrentUser>,
    visitor: Visitor,
    Query(asked): Query<ReturnTo>,
) -> Result<HttpResponse> {
    let next = asked
        .next
        .or_else(|| visitor.came_from())
        .filter(is_way_back);
    let me = me.map_err(|error| with_way_back(error, next.as_ref()))?;
    let typed = match me.visitor.pending_form() {
        Some(PendingForm::Post(post)) => DraftTyped::text(&post),
        _ => DraftTyped::default(),
    };
    let visit = me.visitor.visit();
    let compose = ComposeForm::with_draft(&visit, IdempotencyKey::draw(), typed).returning_to(next);
    with_compose(&app, me.id, &visit, compose, StatusCode::OK).await
}

/// Returns whether a post can lead back to a page: one that is neither this page nor one of the log-in.
fn is_way_back(page: &LocalPath) -> bool {
    let path = page.without_query();
    path != routes::COMPOSE && !is_for_log_in(path)
}

/// Returns the page with a form whose post leads to this page.
pub(super) fn page_then(next: &LocalPath) -> Option<LocalPath> {
    LocalPath::parse(&routes::compose_then(next))
}

/// Leads through the log-in to the form with its way back.
fn with_way_back(error: Error, next: Option<&LocalPath>) -> Error {
    match (error, next.and_then(page_then)) {
        (Error::LogInFirst { .. }, Some(next)) => Error::LogInFirst { next },
        (error, _) => error,
    }
}

/// Returns the form with the audiences of its author: their groups, and the audience of their last post.
async fn with_audiences(
    store: &Store,
    me: UserId,
    compose: ComposeForm,
) -> store::Result<ComposeForm> {
    let (user, groups) = try_join!(store.known_user(me), store.post_groups(me))?;
    let compose = compose.with_groups(groups).by(user.as_deref());
    limit_readers(store, Viewer::Member(me), compose).await
}

/// Returns the form of a timeline with the groups of its author. A page without a form does not read them.
pub async fn with_groups(
    store: &Store,
    me: UserId,
    compose: Option<ComposeForm>,
) -> store::Result<Option<ComposeForm>> {
    let Some(compose) = compose else {
        return Ok(None);
    };
    let groups = store.post_groups(me).await?;
    Ok(Some(compose.with_groups(groups)))
}

/// Shows this form.
pub async fn with_compose(
    app: &AppState,
    me: UserId,
    visit: &Visit,
    compose: ComposeForm,
    status: StatusCode,
) -> Result<HttpResponse> {
    let compose = with_audiences(&app.store, me, compose).await?;
    let layout = Layout::new(visit, Section::Elsewhere, "New post");
    let layout = layout.wrong_if(compose.has_error());
    page_with(status, &NewPostPage { layout, compose })
}
