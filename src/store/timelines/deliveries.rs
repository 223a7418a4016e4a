//! What passes do to many timelines, homes and those of lists: delivery of a status, and its removal.

use std::mem::discriminant;

use futures_util::{StreamExt, TryStreamExt, stream};
use redis::Value;

use super::homes::{Left, left};
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

/// How many timelines one trip of a pass touches, so that other readers wait less than 1 ms.
const TIMELINES_PER_ROUND_TRIP: usize = 100;
/// To how many timelines one call of a script delivers, where all lie on one node: most of what a call
/// of its own takes for each is saved, and nobody else waits for longer than this call.
const DELIVERIES_PER_CALL: usize = 25;
/// The same while pages are made by a process whose worker delivers.
const DELIVERIES_BESIDE_PAGES: usize = 8;
/// How many calls are under way at once: the next is put together and sent while Redis carries one out.
/// With more, Redis would find several of them at a time and let everybody else wait for all.
const CALLS_UNDER_WAY: usize = 2;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Delivery {
    Delivered,
    Dormant,
    /// It does not belong there (any more).
    NotWanted,
    BelowFloor,
}

impl Store {
    /// Delivers a status to each of these timelines that it belongs on (see `deliver.lua`). On one node
    /// [`DELIVERIES_PER_CALL`] of a kind are one call, fewer where a worker gives way to pages; on a cluster,
    /// where each has its slot, as many calls are one trip.
    pub async fn deliver(
        &self,
        call: &Call,
        (id, status): (StatusId, &StatusHeader),
        timelines: &[Timeline],
    ) -> Result<Vec<Delivery>> {
        let header = status.to_string();
        let deliver = |timelines: &[Timeline]| {
            let keys: Vec<Vec<String>> = timelines.iter().copied().map(keys::delivery).collect();
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
        let answers: Vec<Vec<Value>> = stream::iter(trips)
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
        let mut deliveries = Vec::with_capacity(timelines.len());
        for answer in answers.into_iter().flatten() {
            for code in read::<Vec<i64>>(answer)? {
                deliveries.push(match code {
                    1 => Delivery::Delivered,
                    0 => Delivery::Dormant,
                    -1 => Delivery::NotWanted,
                    2 => Delivery::BelowFloor,
                    code => return Err(scripts::DELIVER.undocumented(code)),
                });
            }
        }
        Ok(deliveries)
    }

    /// Takes a dead status out of each of these timelines. Gives those that became too short.
    pub async fn withdraw(&self, id: StatusId, timelines: &[Timeline]) -> Result<Vec<Timeline>> {
        let mut short = Vec::new();
        for timelines in timelines.chunks(TIMELINES_PER_ROUND_TRIP) {
            let withdraw = |timeline: &Timeline| self.withdrawal(*timeline, &[id]);
            let answers = self
                .connection
                .batch(timelines.iter().map(withdraw).collect());
            for (timeline, answer) in timelines.iter().zip(answers.await?) {
                match read::<i64>(answer)? {
                    0 => {}
                    1 => short.push(*timeline),
                    code => return Err(scripts::WITHDRAW.undocumented(code)),
                }
            }
        }
        Ok(short)
    }

    /// Takes a living status out of those of these timelines where it does not belong. Gives those that
    /// became too short.
    pub async fn prune_statuses(
        &self,
        (id, status): (StatusId, &StatusHeader),
        timelines: &[Timeline],
    ) -> Result<Vec<Timeline>> {
        let mut short = Vec::new();
        for timelines in timelines.chunks(TIMELINES_PER_ROUND_TRIP) {
            let sift = |timeline: &Timeline| {
                self.pruning(*timeline)
                    .with(status.to_string())
                    .with(id.get())
            };
            let answers = self.connection.batch(timelines.iter().map(sift).collect());
            for (timeline, answer) in timelines.iter().zip(answers.await?) {
                if left(read(answer)?)? == Left::Few {
                    short.push(*timeline);
                }
            }
        }
        Ok(short)
    }
}
