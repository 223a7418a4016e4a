//! Posts that the moderators hide or put behind a warning. The decisions in the case of the author are the source of
//! truth.

use crate::{actions::prelude::*, store::Case};

/// Brings posts in line with the decisions about them.
pub(in crate::actions) async fn reconcile(store: &Store, call: &Call, case: &Case) -> Result<()> {
    let posts = case.post_marks();
    let ids: Vec<StatusId> = posts.keys().copied().collect();
    let now = store.post_marks(&ids).await?;
    for ((id, marks), now) in posts.into_iter().zip(now) {
        if now.is_some_and(|now| now != marks) {
            let post = (case.subject, id);
            store.set_post_marks(call, post, &marks).await?;
        }
    }
    Ok(())
}
