//! The ranked home, and the help page about ranking.

use super::{
    help::ImportanceHelpPage,
    view::{Important, ImportantPage},
};
use crate::{
    actions::importance::important_page,
    web::{addresses::Onward, prelude::*},
};

pub async fn show(
    app: Data<AppState>,
    me: CurrentUser,
    Onward(further): Onward,
) -> Result<HttpResponse> {
    rate::charge(&app.store, RateLimit::Important(me.id)).await?;
    let read_mode = me.visitor.read_mode();
    let (user, read, tag_follows) = try_join!(
        app.store.known_user(me.id),
        important_page(&app.store, me.id, further, read_mode),
        app.store.tag_follows(me.id)
    )?;
    let posts = read.posts.iter().map(|post| &post.item);
    let by_tags = app
        .store
        .brought_by_tags(me.id, &tag_follows, posts)
        .await?;
    let important = Important {
        user,
        further,
        read,
        by_tags,
    };
    page(&ImportantPage::new(&me.visitor.visit(), important))
}

/// Shows how ranking works, to everyone.
pub async fn help(visitor: Visitor) -> Result<HttpResponse> {
    page(&ImportanceHelpPage::new(&visitor.visit()))
}
