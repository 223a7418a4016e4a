//! A limit of the processor time that pages of one person take, or of one address without a log-in. Pages differ in
//! their cost by a factor of hundreds, so a limit of their number cannot protect the others: it would refuse many cheap
//! pages, or admit too many costly ones. A request is charged the processor time of its handler. Redis takes about as much again.
//! The reads for live streams are charged to their member too.

use std::{
    collections::HashMap,
    future::poll_fn,
    pin::pin,
    sync::Arc,
    time::{Duration, Instant},
};

use actix_web::{
    HttpMessage, HttpRequest,
    body::{BoxBody, MessageBody},
    dev::{ServiceRequest, ServiceResponse},
    middleware::Next,
};
use parking_lot::Mutex;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::{admission::HeldPlace, client, errors::Error, session::visitor::Visitor};
use crate::{
    domain::UserId,
    live::Reader,
    processor_time::processor_time,
    store::Network,
    web::{AppState, routes},
};

/// Requests of one person or address that are answered at the same time. Further ones wait.
const AT_ONCE: usize = 4;
/// Requests of one person or address that wait. Further ones are answered 429.
const MOST_WAITING: usize = 32;
/// The same for all members of one network together, because one person can have many accounts.
const MEMBERS_AT_ONCE: usize = 16;
const MOST_MEMBERS_WAITING: usize = 256;
/// Searches in messages of one network that wait. One search of a network runs at a time.
const MOST_SEARCHES_WAITING: usize = 16;
/// Number of shares of one person that the live streams of a network have together.
const SHARES_OF_STREAMS: u32 = 4;
/// Reads of live streams wait when this much time is used ahead. The other half of the minute is left for pages.
const STREAMS_WAIT_FROM: Duration = Duration::from_secs(30);
/// Number of shares from which on unused ones are removed.
const MANY_SHARES: usize = 10_000;
const MINUTE: Duration = Duration::from_secs(60);
/// The longest time for which used processor time counts. So the pages of an address are refused for at most a minute
/// after its last form.
const LONGEST: Duration = Duration::from_secs(120);
/// With as much time used ahead, the forms of a member are refused too, for at most ten seconds, and are given back.
const FORMS_REFUSED_FROM: Duration = Duration::from_secs(110);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Page,
    /// It is not refused here when the share is used up, because its text would be lost. See [`FairShares::check_form`].
    Form,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Who {
    Member(UserId),
    /// The visitors of an IPv4 address, or of an IPv6 /48.
    VisitorsOf(Network),
    /// The members of a network. Their time is not counted, only how many requests are answered at the same time.
    MembersOf(Network),
    /// The searches in messages from a network. Their time is counted for the member.
    SearchesOf(Network),
    /// The live streams of a network. Only their time is counted.
    StreamsOf(Network),
}

impl Who {
    fn sent(visitor: &Visitor, network: Network) -> Self {
        match visitor.loaded() {
            Some(loaded) => Self::Member(loaded.state.uid),
            None => Self::VisitorsOf(network),
        }
    }

    /// Returns how many requests are answered at the same time, and how many wait.
    fn places(&self) -> (usize, usize) {
        match self {
            Self::Member(_) | Self::VisitorsOf(_) | Self::StreamsOf(_) => (AT_ONCE, MOST_WAITING),
            Self::MembersOf(_) => (MEMBERS_AT_ONCE, MOST_MEMBERS_WAITING),
            Self::SearchesOf(_) => (1, MOST_SEARCHES_WAITING),
        }
    }
}

/// The shares of everybody who sent requests recently.
pub struct FairShares {
    /// Processor time per minute. The whole minute's time can be used at once.
    per_minute: Duration,
    shares: Mutex<HashMap<Who, Share>>,
}

struct Share {
    /// The time at which all used processor time is paid for.
    paid_at: Instant,
    at_once: usize,
    places: Arc<Semaphore>,
    waiting: usize,
}

/// The places of a request: among those of its sender, and for a member among those of the network.
struct Places {
    _of_sender: OwnedSemaphorePermit,
    of_network: Option<PlaceOfNetwork>,
}

impl Drop for Places {
    fn drop(&mut self) {
        if let Some(place) = &self.of_network {
            place.release();
        }
    }
}

/// The place of a member among those of the network. The request has it too, because a search in messages gives it back.
#[derive(Clone)]
struct PlaceOfNetwork(Arc<Mutex<Option<OwnedSemaphorePermit>>>);

impl PlaceOfNetwork {
    fn release(&self) {
        self.0.lock().take();
    }
}

impl FairShares {
    /// Without any time there is no limit.
    pub fn new(per_minute: Duration) -> Self {
        Self {
            per_minute,
            shares: Mutex::default(),
        }
    }

    /// Waits for a place. Fails with the time to wait if the share is used up and the request is a page, or if too many
    /// others wait.
    async fn enter(
        &self,
        who: &Who,
        kind: Kind,
        held: Option<&HeldPlace>,
    ) -> Result<OwnedSemaphorePermit, Error> {
        let places = self.queue(who, kind, Instant::now())?;
        let _waiting = Waiting { shares: self, who };
        if let Ok(place) = Arc::clone(&places).try_acquire_owned() {
            return Ok(place);
        }
        // Requests that only wait would take the places of others.
        if let Some(held) = held {
            held.release();
        }
        let place = places.acquire_owned().await;
        let place = place.map_err(|closed| Error::Internal(closed.to_string()))?;
        match held.is_none_or(HeldPlace::take_again) {
            true => Ok(place),
            false => Err(Error::Overloaded),
        }
    }

    /// Waits for the places of a request, like [`Self::enter`].
    async fn enter_all(
        &self,
        who: &Who,
        kind: Kind,
        held: Option<&HeldPlace>,
    ) -> Result<Places, Error> {
        let of_sender = self.enter(who, kind, held).await?;
        let of_network = match (who, held) {
            (Who::Member(_), Some(held)) => {
                let members = Who::MembersOf(held.network());
                let place = self.enter(&members, kind, Some(held)).await?;
                Some(PlaceOfNetwork(Arc::new(Mutex::new(Some(place)))))
            }
            _ => None,
        };
        Ok(Places {
            _of_sender: of_sender,
            of_network,
        })
    }

    /// Waits until no other search in messages from the network of a request runs. So a member waits behind one search
    /// of each other network at most, however many accounts that network has. Other requests of the network have its
    /// place from then on, because only one search runs.
    pub async fn enter_search(&self, request: &HttpRequest) -> Result<OwnedSemaphorePermit, Error> {
        let (held, network) = place_and_network(request);
        if let Some(place) = request.extensions().get::<PlaceOfNetwork>() {
            place.release();
        }
        let searches = Who::SearchesOf(network);
        self.enter(&searches, Kind::Form, held.as_ref()).await
    }

    /// Refuses a form of a member who has used far more than the share. Previews and forms with errors show a page and
    /// have no other limit. Pages are refused much earlier.
    pub fn check_form(&self, member: UserId) -> Result<(), Error> {
        let shares = self.shares.lock();
        let paid_at = shares.get(&Who::Member(member)).map(|share| share.paid_at);
        let ahead = paid_at.map(|paid_at| paid_at.saturating_duration_since(Instant::now()));
        match ahead.and_then(|ahead| ahead.checked_sub(FORMS_REFUSED_FROM)) {
            Some(wait) => Err(Error::TooMany {
                retry_after_s: wait.as_secs() + 1,
            }),
            None => Ok(()),
        }
    }

    /// Returns how long the next read for live streams waits. It counts for the member, like pages, and for the networks
    /// of the streams, because one person can have many accounts.
    pub fn stream_wait(&self, reader: &Reader) -> Duration {
        let now = Instant::now();
        let networks = reader.networks.iter().copied().map(Who::StreamsOf);
        let shares = self.shares.lock();
        let paid_at = networks
            .chain([Who::Member(reader.person)])
            .filter_map(|who| shares.get(&who))
            .map(|share| share.paid_at)
            .max();
        let ahead = paid_at.map(|paid_at| paid_at.saturating_duration_since(now));
        ahead.unwrap_or_default().saturating_sub(STREAMS_WAIT_FROM)
    }

    /// Charges the processor time of a read for live streams to the member and, in equal parts for each stream, to the
    /// networks.
    pub fn charge_streams(&self, reader: &Reader, used: Duration) {
        if self.per_minute.is_zero() {
            return;
        }
        self.charge(&Who::Member(reader.person), used);
        let streams = u32::try_from(reader.networks.len()).unwrap_or(u32::MAX);
        let part = used / streams.max(1) / SHARES_OF_STREAMS;
        for network in &reader.networks {
            self.charge(&Who::StreamsOf(*network), part);
        }
    }

    fn queue(&self, who: &Who, kind: Kind, now: Instant) -> Result<Arc<Semaphore>, Error> {
        let mut shares = self.shares.lock();
        if shares.len() >= MANY_SHARES {
            shares.retain(|_, share| share.paid_at > now || share.is_in_use());
        }
        let (at_once, most_waiting) = who.places();
        let share = shares.entry(*who).or_insert_with(|| Share::new(at_once));
        let ahead = share.paid_at.saturating_duration_since(now);
        if kind == Kind::Page
            && let Some(wait) = ahead.checked_sub(MINUTE)
        {
            let retry_after_s = wait.as_secs() + 1;
            return Err(Error::TooMany { retry_after_s });
        }
        if share.waiting >= most_waiting {
            return Err(Error::TooMany { retry_after_s: 1 });
        }
        share.waiting += 1;
        Ok(Arc::clone(&share.places))
    }

    fn charge(&self, who: &Who, used: Duration) {
        let now = Instant::now();
        let seconds = used.as_secs_f64() * MINUTE.as_secs_f64() / self.per_minute.as_secs_f64();
        let mut shares = self.shares.lock();
        let (at_once, _) = who.places();
        let share = shares.entry(*who).or_insert_with(|| Share::new(at_once));
        let paid_at = share.paid_at.max(now) + Duration::from_secs_f64(seconds);
        share.paid_at = paid_at.min(now + LONGEST);
    }
}

/// A request that waits. One whose browser has left waits no longer.
struct Waiting<'a> {
    shares: &'a FairShares,
    who: &'a Who,
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        if let Some(share) = self.shares.shares.lock().get_mut(self.who) {
            share.waiting = share.waiting.saturating_sub(1);
        }
    }
}

/// The time that a request has used. It is charged at the end, also if the browser has left.
struct Used<'a> {
    shares: &'a FairShares,
    who: &'a Who,
    time: Duration,
}

impl Drop for Used<'_> {
    fn drop(&mut self) {
        self.shares.charge(self.who, self.time);
    }
}

impl Used<'_> {
    async fn by<F: Future>(mut self, work: F) -> F::Output {
        let mut work = pin!(work);
        poll_fn(|context| {
            let begun = processor_time();
            let poll = work.as_mut().poll(context);
            self.time += processor_time().saturating_sub(begun);
            poll
        })
        .await
    }
}

impl Share {
    fn new(at_once: usize) -> Self {
        Self {
            paid_at: Instant::now(),
            at_once,
            places: Arc::new(Semaphore::new(at_once)),
            waiting: 0,
        }
    }

    fn is_in_use(&self) -> bool {
        self.waiting > 0 || self.places.available_permits() < self.at_once
    }
}

/// The middleware inside the session middleware. The time of forms is charged too, and forms have limits of their own.
/// The pages and forms for logging in are never refused and never wait, so others behind the same address lock no one
/// out.
pub async fn middleware<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<BoxBody>, actix_web::Error> {
    let app = AppState::of(request.request()).clone();
    let shares = &app.site.fair_shares;
    if shares.per_minute.is_zero() {
        return Ok(next.call(request).await?.map_into_boxed_body());
    }
    let (held, network) = place_and_network(request.request());
    // The visitor is dropped here, because the router needs the only reference to the request.
    let who = Who::sent(&Visitor::of(request.request()), network);
    let kind = match request.method().is_safe() {
        true => Kind::Page,
        false => Kind::Form,
    };
    let place = match is_for_log_in(request.path()) {
        true => Ok(None),
        false => shares.enter_all(&who, kind, held.as_ref()).await.map(Some),
    };
    let places = match place {
        Ok(places) => places,
        Err(error) => return Ok(request.error_response(error)),
    };
    if let Some(place) = places.as_ref().and_then(|places| places.of_network.clone()) {
        request.extensions_mut().insert(place);
    }
    let used = Used {
        shares,
        who: &who,
        time: Duration::ZERO,
    };
    let response = used.by(next.call(request)).await;
    Ok(response?.map_into_boxed_body())
}

/// Returns the place of a request among those that are answered, if it has one, and its network.
fn place_and_network(request: &HttpRequest) -> (Option<HeldPlace>, Network) {
    let held = request.extensions().get::<HeldPlace>().cloned();
    let network = match &held {
        Some(held) => held.network(),
        None => client::network(request),
    };
    (held, network)
}

/// Returns whether this is a page or form for logging in.
pub fn is_for_log_in(path: &str) -> bool {
    let rest = path.strip_prefix(routes::LOG_IN);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

#[cfg(test)]
mod tests;
