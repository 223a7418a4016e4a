//! Delivery of a status to many timelines, and its removal from them.

use std::mem::discriminant;

use futures_util::{StreamExt, TryStreamExt, stream};
use redis::Value;

use super::homes::Left;
use crate::{
    domain::{StatusHeader, StatusId, Timeline},
    store::{
        Call, Result, Store, keys,
        redis::{
            connection::read,
            scripts::{self, With},
        },
    },
};

/// Number of timelines per round trip of a pass. It keeps other readers below 1 ms of waiting.
const TIMELINES_PER_ROUND_TRIP: usize = 100;
/// Number of timelines per script call on a single node. One call for many saves most of the cost per
/// timeline, and no reader waits longer than this call takes.
const DELIVERIES_PER_CALL: usize = 25;
/// The same number for a worker whose process also serves pages.
const DELIVERIES_BESIDE_PAGES: usize = 8;
/// Number of calls in flight. One is prepared and sent while Redis executes the other. With more, Redis
/// would run several in a row and all readers would wait for them.
const CALLS_UNDER_WAY: usize = 2;

impl Store {
    /// Delivers a status to each of these timelines that it belongs on (see `deliver.lua`). On a single
    /// node [`DELIVERIES_PER_CALL`] timelines of one kind share a call, fewer if a worker yields to
    /// pages. On a cluster each timeline has its own slot, so a round trip carries many calls. Returns
    /// the timelines on which the status does not belong.
    pub async fn deliver(
        &self,
        call: &Call,
        (id, status): (StatusId, &StatusHeader),
        timelines: &[Timeline],
    ) -> Result<Vec<Timeline>> {
        let header = status.to_string();
        let deliver = |timelines: &[Timeline]| {
            let keys: Vec<Vec<String>> = timelines
                .iter()
                .map(|to| keys::delivery(*to, status))
                .collect();
            let each = keys.first().map_or(0, Vec::len);
            let keys = keys.concat();
            let deliver = match timelines {
                [_] => scripts::DELIVER.on(keys),
                _ => scripts::DELIVER.over(&keys),
            };
            deliver
                .with(call.deadline())
                .with(&header)
                .with(id.get())
                .with(self.config.limits.home_size)
                .with(each)
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
        let answers: Vec<Vec<Value>> = stream::iter(trips.clone())
            .map(|trip| {
                let calls = trip.chunks(together).map(deliver).collect();
                async {
                    self.give_way(call).await;
                    self.connection.batch(calls).await
                }
            })
            .buffered(under_way)
            .try_collect()
            .await?;
        let calls = trips.iter().flat_map(|trip| trip.chunks(together));
        let mut unwanted = Vec::new();
        for (timelines, answer) in calls.zip(answers.into_iter().flatten()) {
            let places: Vec<usize> = read(answer)?;
            unwanted.extend(places.iter().filter_map(|place| timelines.get(*place)));
        }
        Ok(unwanted)
    }

    /// Removes a dead status from these timelines. Returns the timelines that became too short.
    pub async fn withdraw(&self, id: StatusId, timelines: &[Timeline]) -> Result<Vec<Timeline>> {
        let mut short = Vec::new();
        for timelines in timelines.chunks(TIMELINES_PER_ROUND_TRIP) {
            let withdraw = |timeline: &Timeline| self.withdrawal(*timeline, &[id]);
            let answers = self
                .connection
                .batch(timelines.iter().map(withdraw).collect());
            for (timeline, answer) in timelines.iter().zip(answers.await?) {
                let left: Left = scripts::WITHDRAW.outcome(&read::<String>(answer)?)?;
                if left == Left::Few {
                    short.push(*timeline);
                }
            }
        }
        Ok(short)
    }

    /// Removes a living status from those timelines where it no longer belongs. Returns the timelines
    /// that became too short.
    pub async fn prune_statuses(
        &self,
        (id, status): (StatusId, &StatusHeader),
        timelines: &[Timeline],
    ) -> Result<Vec<Timeline>> {
        let mut short = Vec::new();
        for timelines in timelines.chunks(TIMELINES_PER_ROUND_TRIP) {
            let prune = |timeline: &Timeline| {
                self.pruning(*timeline)
                    .with(status.to_string())
                    .with(id.get())
            };
            let answers = self.connection.batch(timelines.iter().map(prune).collect());
            for (timeline, answer) in timelines.iter().zip(answers.await?) {
                let left: Left = scripts::PRUNE_TIMELINE.outcome(&read::<String>(answer)?)?;
                if left == Left::Few {
                    short.push(*timeline);
                }
            }
        }
        Ok(short)
    }
}
