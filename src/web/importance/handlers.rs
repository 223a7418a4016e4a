//! The ranked home, and the help page about ranking.

use super::{
    help::ImportanceHelpPage,
    view::{Important, ImportantPage},
};
use crate::{
    actions::importance::important_page,
    domain::Further,
    store::{self, ReadMode, Store},
    web::{addresses::Onward, prelude::*, statuses::compose::ComposeForm},
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
    let (user, compose, read, tag_follows) = try_join!(
        store.known_user(me),
        with_groups(store, me, compose),
        important_page(store, me, further, read_mode),
        store.tag_follows(me)
    )?;
    let posts = read.posts.iter().map(|post| &post.item);
    let by_tags = store.brought_by_tags(me, &tag_follows, posts).await?;
    Ok(Important {
        user,
        compose,
        further,
        read,
        by_tags,
    })
}

/// Returns the form with the groups of its author. A page without a form does not read them.
async fn with_groups(
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

/// Shows how ranking works, to everyone.
pub async fn help(visitor: Visitor) -> Result<HttpResponse> {
    page(&ImportanceHelpPage::new(&visitor.visit()))
}
