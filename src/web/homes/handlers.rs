//! The front page: home for members, the landing page for visitors.

use super::{
    landing::{LandingPage, SHOWN_POSTS},
    side::SideContent,
    view::{Home, HomePage},
};
use tokio::join;

use crate::{
    actions::homes::home_page_in_session,
    domain::{Cursor, Timeline},
    store::{self, ReadMode, Store},
    web::{
        edits::deleted::limit_readers,
        prelude::*,
        statuses::compose::{ComposeForm, DraftTyped},
    },
};

pub async fn show(app: Data<AppState>, visitor: Visitor, before: Before) -> Result<HttpResponse> {
    let Some(member) = visitor.member()? else {
        return page(&landing(&app, &visitor).await);
    };
    let me = CurrentUser::seen(member, visitor);
    let typed = match me.visitor.pending_form() {
        Some(PendingForm::Post(post)) => DraftTyped::text(&post),
        _ => DraftTyped::default(),
    };
    let visit = me.visitor.visit();
    let key = IdempotencyKey::draw();
    me.visitor.allow_caching(&visit, &key);
    let compose = ComposeForm::with_draft(&visit, key, typed);
    let compose = compose.with_extras_on_demand();
    let from = (before.0, me.visitor.read_mode());
    let home = read(&app, me.id, from, compose).await?;
    if let Some(user) = &home.side_content.user {
        me.visitor.rename(&user.name);
    }
    page(&HomePage::new(&visit, home))
}

/// Returns the landing page, without posts and trends if Redis is unavailable.
async fn landing(app: &AppState, visitor: &Visitor) -> LandingPage {
    let (posts, trends) = join!(landing_posts(&app.store), app.store.trends_of_now());
    let (posts, trends) = (posts.unwrap_or_default(), trends.unwrap_or_default());
    let authors = app.store.recent_authors();
    LandingPage::new(&visitor.visit(), posts, authors, &trends)
}

/// Returns the newest posts, unless the owner shows them to members only.
async fn landing_posts(store: &Store) -> store::Result<Vec<VisibleStatus>> {
    match store.site().await?.shows_everybody_to_visitors {
        true => store.newest_posts(SHOWN_POSTS).await,
        false => Ok(Vec::new()),
    }
}

/// Shows home again, with a form that was sent. That is no visit, because a script can have asked for the form alone.
pub async fn with_compose(
    app: &AppState,
    me: UserId,
    visit: &Visit,
    compose: ComposeForm,
    status: StatusCode,
) -> Result<HttpResponse> {
    let home = read(app, me, (None, ReadMode::Prefetch), compose).await?;
    page_with(status, &HomePage::new(visit, home))
}

async fn read(
    app: &AppState,
    me: UserId,
    (before, read_mode): (Option<Cursor>, ReadMode),
    compose: ComposeForm,
) -> Result<Home> {
    let store = &app.store;
    let (groups, read, side_content, tag_follows) = try_join!(
        store.post_groups(me),
        home_page_in_session(store, me, before, read_mode),
        read_side_content(store, me),
        store.tag_follows(me)
    )?;
    let items = &read.page.items;
    let by_tags = store.brought_by_tags(me, &tag_follows, items).await?;
    let empty = before.is_none() && read.page.is_empty();
    let all_on_lists = empty && all_on_lists(store, side_content.user.as_deref()).await?;
    Ok(Home {
        side_content,
        compose: limit_readers(store, Viewer::Member(me), compose.with_groups(groups)).await?,
        before,
        read,
        by_tags,
        all_on_lists,
    })
}

/// Reads the content of the column beside a timeline. Mostly from the cache, like the parts of home.
pub async fn read_side_content(store: &Store, me: UserId) -> store::Result<SideContent> {
    let (user, suggestions, trends) =
        try_join!(store.known_user(me), store.suggestions(me), store.trends())?;
    Ok(SideContent {
        user,
        suggestions,
        trends,
    })
}

/// Returns whether the user follows people who are all on exclusive lists.
async fn all_on_lists(store: &Store, user: Option<&User>) -> Result<bool> {
    let Some(user) = user.filter(|user| user.following > 0) else {
        return Ok(false);
    };
    let sources = store.sources(Timeline::Home(user.id)).await?;
    let has_others = !sources.tags.is_empty() || !sources.groups.is_empty();
    Ok(sources.people.is_subset(&sources.excluded) && !has_others)
}
