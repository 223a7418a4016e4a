//! The queue of reports and of appeals, for those who may decide about them.

use super::queue_view::QueuePage;
use crate::{
    domain::Power,
    store::{QueueEntry, QueueOf},
    web::{administration::handlers::require, prelude::*},
};

pub async fn show(
    app: Data<AppState>,
    me: CurrentUser,
    OfRoute(of): OfRoute<QueueOf>,
    Before(before): Before,
) -> Result<HttpResponse> {
    let role = require(&app, &me, Power::Moderate).await?;
    let entries = app.store.queue_page(of, before).await?;
    let claimants = entries.items.iter().filter_map(claimant);
    let mut claimants: Vec<UserId> = claimants.collect();
    claimants.sort_unstable();
    claimants.dedup();
    let claimants = app.store.account_records(&claimants).await?;
    let visit = me.visitor.visit();
    page(&QueuePage::new(
        &visit,
        (of, role),
        (before, &entries),
        &claimants,
    ))
}

fn claimant(entry: &QueueEntry) -> Option<UserId> {
    entry.claim.map(|(by, _)| by)
}
