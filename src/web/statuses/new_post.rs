//! The page with only the form to post. "Compose" leads to it from every page.

use super::compose::{ComposeForm, DraftTyped};
use crate::web::{
    http::fair_share::is_for_log_in,
    parts::prelude::{Layout, Section, Template},
    prelude::*,
};

#[derive(Debug, Template)]
#[template(path = "statuses/new_post.html")]
struct NewPostPage {
    layout: Layout,
    compose: ComposeForm,
}

/// Shows an empty form. After the post, it leads back to the page that the person came from.
pub async fn show(app: Data<AppState>, me: CurrentUser) -> Result<HttpResponse> {
    let typed = match me.visitor.pending_form() {
        Some(PendingForm::Post(post)) => DraftTyped::text(&post),
        _ => DraftTyped::default(),
    };
    let visit = me.visitor.visit();
    let compose = ComposeForm::with_draft(&visit, IdempotencyKey::draw(), typed)
        .returning_to(way_back(&me.visitor));
    with_compose(&app, me.id, &visit, compose, StatusCode::OK).await
}

/// Returns the page that the person came from, unless it is this page or one of the log-in.
fn way_back(visitor: &Visitor) -> Option<LocalPath> {
    visitor.came_from().filter(|page| {
        let path = page.without_query();
        path != routes::COMPOSE && !is_for_log_in(path)
    })
}

/// Shows this form.
pub async fn with_compose(
    app: &AppState,
    me: UserId,
    visit: &Visit,
    compose: ComposeForm,
    status: StatusCode,
) -> Result<HttpResponse> {
    let (user, groups) = try_join!(app.store.known_user(me), app.store.post_groups(me))?;
    let compose = compose.with_groups(groups).by(user.as_deref());
    let layout = Layout::new(visit, Section::Elsewhere, "New post");
    let layout = layout.wrong_if(compose.has_error());
    page_with(status, &NewPostPage { layout, compose })
}
