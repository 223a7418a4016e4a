//! Posts that the moderators hide. The decisions in the case of the author are the source of truth.

use crate::{actions::prelude::*, store::Case};

/// Brings posts in line with the decisions about them.
pub(in crate::actions) async fn reconcile(store: &Store, call: &Call, case: &Case) -> Result<()> {
    let posts = case.hidden_posts();
    let ids: Vec<StatusId> = posts.keys().copied().collect();
    let now = store.are_hidden_by_moderators(&ids).await?;
    for ((id, is_hidden), now) in posts.into_iter().zip(now) {
        if now.is_some_and(|now| now != is_hidden) {
            let post = (case.subject, id);
            store
                .set_hidden_by_moderators(call, post, is_hidden)
                .await?;
        }
    }
    Ok(())
}
