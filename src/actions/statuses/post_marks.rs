//! Posts that the moderators hide, put behind a warning, or let wait. The decisions and reports in the case of the author
//! are the source of truth.

use std::collections::HashMap;

use super::publish;
use crate::{
    actions::prelude::*,
    store::{Case, Filing, PostMarks},
};

/// Brings posts in line with the decisions about them.
pub(in crate::actions) async fn reconcile(store: &Store, call: &Call, case: &Case) -> Result<()> {
    let posts = case.post_marks();
    let ids: Vec<StatusId> = posts.keys().copied().collect();
    let now = store.post_marks(&ids).await?;
    let wrong = posts.into_iter().zip(now);
    let wrong: Vec<(StatusId, PostMarks, PostMarks)> = wrong
        .filter_map(|((id, marks), now)| Some((id, marks, now?)))
        .filter(|(_, marks, now)| !now.follows(marks))
        .collect();
    let approved = approved_revisions(store, case, &wrong).await?;
    for (id, marks, now) in wrong {
        let post = (case.subject, id);
        let revision = approved.get(&id).copied();
        if revision.is_none() || !now.is_waiting {
            store.set_post_marks(call, post, &marks, None).await?;
            continue;
        }
        let outbox_entry = store.add_outbox_entry(&Thing::Status(id)).await?;
        store.set_post_marks(call, post, &marks, revision).await?;
        if let Life::Living(status) = store.life(id).await? {
            publish(store, call, id, Filing::from(&status)).await?;
        }
        store.remove_outbox_entry(outbox_entry).await?;
    }
    Ok(())
}

/// Returns the revisions up to which these posts no longer wait.
async fn approved_revisions(
    store: &Store,
    case: &Case,
    wrong: &[(StatusId, PostMarks, PostMarks)],
) -> Result<HashMap<StatusId, u64>> {
    let is_approved = |post: StatusId| {
        wrong
            .iter()
            .any(|(id, marks, _)| *id == post && !marks.is_waiting)
    };
    let holds = case.reports.iter().copied();
    let holds: Vec<_> = holds
        .filter(|one| one.name.held_post().is_some_and(is_approved))
        .collect();
    let filed = store.filed_reports(case.subject, &holds).await?;
    let revision =
        |one: &crate::store::FiledReport| Some((one.name.held_post()?, one.report.revision));
    Ok(filed.iter().filter_map(revision).collect())
}
