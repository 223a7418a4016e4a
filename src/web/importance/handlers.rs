//! The ranked home, and the help page about ranking.

use super::{
    help::ImportanceHelpPage,
    view::{Important, ImportantPage},
};
use crate::{
    actions::importance::important_page,
    domain::Further,
    store::ReadMode,
    web::{
        addresses::Onward,
        homes::handlers::read_side_content,
        prelude::*,
        statuses::{compose::ComposeForm, new_post::with_groups},
    },
};

pub async fn show(
    app: Data<AppState>,
    me: CurrentUser,
    Onward(further): Onward,
) -> Result<HttpResponse> {
    rate::charge(&app.store, RateLimit::Important(me.id)).await?;
    let visit = me.visitor.visit();
    let compose = ComposeForm::of_timeline(&visit, routes::IMPORTANT);
    let compose = compose.filter(|_| further.is_none());
    let from = (further, me.visitor.read_mode());
    let important = read(&app, me.id, from, compose).await?;
    page(&ImportantPage::new(&visit, important))
}

async fn read(
    app: &AppState,
    me: UserId,
    (further, read_mode): (Option<Further>, ReadMode),
    compose: Option<ComposeForm>,
) -> Result<Important> {
    let store = &app.store;
    let (side_content, compose, read, tag_follows) = try_join!(
        read_side_content(store, me),
        with_groups(store, me, compose),
        important_page(store, me, further, read_mode),
        store.tag_follows(me)
    )?;
    let posts = read.posts.iter().map(|post| &post.item);
    let by_tags = store.brought_by_tags(me, &tag_follows, posts).await?;
    Ok(Important {
        side_content,
        compose,
        further,
        read,
        by_tags,
    })
}

/// Shows how ranking works, to everyone.
pub async fn help(visitor: Visitor) -> Result<HttpResponse> {
    page(&ImportanceHelpPage::new(&visitor.visit()))
}
