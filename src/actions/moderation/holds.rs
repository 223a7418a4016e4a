//! Posts that wait for a moderator, because their author is new and they have a link. `waiting` in the slot of the post
//! hides it. A report by the site puts it into the queue, and a decision that closes the report shows it.

use futures_util::{FutureExt, future::BoxFuture};

use super::with_case;
use crate::{
    actions::prelude::*,
    domain::{Report, ReportName, ReportReason, ReportSubject, Reporter},
};

/// Puts a waiting post into the queue, with its text. A report about an earlier revision is replaced, also a closed
/// one. Boxed, because the publication of a post and the decision about it lead to each other.
pub(in crate::actions) fn queue_waiting_post<'a>(
    store: &'a Store,
    id: StatusId,
    status: &'a StatusHeader,
) -> BoxFuture<'a, Result<()>> {
    async move {
        let (author, name) = (
            status.author,
            ReportName {
                reporter: Reporter::Hold,
                subject: ReportSubject::Post(id),
            },
        );
        let Some(revision) = status.waiting_since else {
            return Ok(());
        };
        let former = store.report(author, name).await?;
        if former.as_ref().is_some_and(|one| one.revision >= revision) {
            return Ok(());
        }
        let Some(post) = store.status(Viewer::Member(author), id).await? else {
            return Ok(());
        };
        let text = store.text_to_report(&post).await?;
        let report = Report {
            reason: ReportReason::NewAccountLink,
            note: String::new(),
            revision: post.revision().max(revision),
        };
        let call = &store.begin().await?;
        let write = async {
            if former.is_some() {
                store.drop_reports(call, author, 0, Some(name)).await?;
            }
            store
                .add_report(call, (author, name), &report, Some(text))
                .await
        };
        with_case(store, call, author, write).await.map(drop)
    }
    .boxed()
}
