//! Delivery of a status to many timelines, and its removal from them.

use std::{future::ready, mem::discriminant};

use futures_util::{StreamExt, stream};

use super::{
    calls::{Deliver, DeliveryTarget, HomeWatchers, PruneTimeline, PrunedTimeline, Withdraw},
    homes::Left,
};
use crate::store::{prelude::*, redis::scripts::Script};

/// Number of timelines per round trip of a pass. It keeps other readers below 1 ms of waiting.
const TIMELINES_PER_ROUND_TRIP: usize = 100;
/// Number of timelines per script call on a single node. One call for many saves most of the cost per
/// timeline, and no reader waits longer than this call takes.
const DELIVERIES_PER_CALL: usize = 20;
/// The same number for a worker whose process also serves pages.
const DELIVERIES_BESIDE_PAGES: usize = 8;
/// Number of calls in flight. One is prepared and sent while Redis executes the other. With more, Redis
/// would run several in a row and all readers would wait for them.
const CALLS_UNDER_WAY: usize = 2;

/// The result of delivering a status to timelines.
#[derive(Debug, Default)]
pub struct Delivery {
    /// Number of timelines that were served: the first ones.
    pub served_count: usize,
    /// Those of them on which the status does not belong.
    pub unwanted: Vec<Timeline>,
}

impl Store {
    /// Delivers a status to each of these timelines that it belongs on (see `deliver.lua`). On a single
    /// node [`DELIVERIES_PER_CALL`] timelines of one kind share a call, fewer if a worker yields to
    /// pages. On a cluster each timeline has its own slot, so a round trip carries many calls. When half of
    /// the call's time is over, it stops. The rest of the time is for the steps after it.
    ///
    /// # Errors
    /// [`Error::Late`] if the deadline passed before any timeline was served.
    pub async fn deliver(
        &self,
        call: &Call,
        (id, status): (StatusId, &StatusHeader),
        timelines: &[Timeline],
    ) -> Result<Delivery> {
        let deliver = |timelines: &[Timeline]| {
            let target = |timeline: &Timeline| DeliveryTarget::new(*timeline, status);
            let targets: Vec<DeliveryTarget> = timelines.iter().map(target).collect();
            let deliver = Deliver {
                keys_per_timeline: targets.first().map_or(0, DeliveryTarget::key_count),
                targets,
                deadline_ms: call.deadline(),
                status_header: status.to_string(),
                status_id: id.get(),
                timeline_size: self.config.limits.home_size,
            };
            deliver.command()
        };
        let (a_call, under_way) = if self.is_to_give_way() {
            (DELIVERIES_BESIDE_PAGES, 1)
        } else {
            (DELIVERIES_PER_CALL, CALLS_UNDER_WAY)
        };
        let together = if self.connection.is_cluster() {
            1
        } else {
            a_call
        };
        let trips: Vec<Vec<Timeline>> = timelines
            .chunk_by(|one, next| discriminant(one) == discriminant(next))
            .flat_map(|kind| kind.chunks(a_call).map(<[Timeline]>::to_vec))
            .collect();
        let mut answers = stream::iter(trips)
            .enumerate()
            .take_while(|(index, _)| ready(*index == 0 || !call.is_half_over()))
            .map(|(_, trip)| {
                let calls = trip.chunks(together).map(deliver).collect();
                async {
                    self.give_way(call).await;
                    let answers = self.connection.batch(calls).await;
                    answers.map(|answers| (trip, answers))
                }
            })
            .buffered(under_way);
        let mut delivery = Delivery::default();
        while let Some(answer) = answers.next().await {
            let (trip, answers) = match answer {
                Err(Error::Late) if delivery.served_count > 0 => break,
                answer => answer?,
            };
            for (timelines, answer) in trip.chunks(together).zip(answers) {
                let places: Vec<usize> = read(answer)?;
                let unwanted = places.iter().filter_map(|place| timelines.get(*place));
                delivery.unwanted.extend(unwanted);
            }
            delivery.served_count += trip.len();
            self.activity.count_deliveries(trip.len());
        }
        Ok(delivery)
    }

    /// Removes a dead status from these timelines. Returns the timelines that became too short.
    pub async fn withdraw(&self, id: StatusId, timelines: &[Timeline]) -> Result<Vec<Timeline>> {
        let withdraw = |timeline: Timeline| {
            let withdraw = Withdraw {
                timeline: keys::timeline(timeline),
                active_mark: keys::active_mark(timeline),
                watchers: HomeWatchers::of(timeline),
                few: self.few(),
                status_ids: vec![id.get()],
            };
            withdraw.command()
        };
        self.remove_from(timelines, Withdraw::SCRIPT, withdraw)
            .await
    }

    /// Removes a living status from those timelines where it no longer belongs. Returns the timelines
    /// that became too short.
    pub async fn prune_statuses(
        &self,
        (id, status): (StatusId, &StatusHeader),
        timelines: &[Timeline],
    ) -> Result<Vec<Timeline>> {
        let prune = |timeline: Timeline| {
            let prune = PruneTimeline {
                timeline: PrunedTimeline::of(timeline),
                few: self.few(),
                statuses: vec![(status.to_string(), id.get())],
            };
            prune.command()
        };
        self.remove_from(timelines, PruneTimeline::SCRIPT, prune)
            .await
    }

    /// Sends a removal to each of these timelines. Returns the timelines that became too short.
    async fn remove_from(
        &self,
        timelines: &[Timeline],
        script: &Script,
        removal: impl Fn(Timeline) -> Cmd,
    ) -> Result<Vec<Timeline>> {
        let mut short = Vec::new();
        for timelines in timelines.chunks(TIMELINES_PER_ROUND_TRIP) {
            let removals = timelines.iter().copied().map(&removal).collect();
            let replies = self.connection.batch(removals).await?;
            for (timeline, reply) in timelines.iter().zip(replies) {
                if script.outcome::<Left>(&read::<String>(reply)?)? == Left::Few {
                    short.push(*timeline);
                }
            }
        }
        Ok(short)
    }
}
