//! A limit of the processor time that pages of one person take, or of one address without a log-in. Pages differ in
//! their cost by a factor of hundreds, so a limit of their number cannot protect the others: it would refuse many cheap
//! pages, or admit too many costly ones. A request is charged the processor time of its handler. Redis takes about as much again.

use std::{
    collections::HashMap,
    future::poll_fn,
    net::IpAddr,
    pin::pin,
    sync::Arc,
    time::{Duration, Instant},
};

use actix_web::{
    body::{BoxBody, MessageBody},
    dev::{ServiceRequest, ServiceResponse},
    middleware::Next,
};
use parking_lot::Mutex;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::{client, errors::Error, session::visitor::Visitor};
use crate::{
    domain::UserId,
    store::network_of,
    web::{AppState, routes},
};

/// Requests of one person or address that are answered at the same time. Further ones wait.
const AT_ONCE: usize = 4;
/// Requests of one person or address that wait. Further ones are answered 429.
const MOST_WAITING: usize = 32;
/// Number of shares from which on unused ones are removed.
const MANY_SHARES: usize = 10_000;
const MINUTE: Duration = Duration::from_secs(60);
/// The longest time for which used processor time counts. So the pages of an address are refused for at most a minute
/// after its last form.
const LONGEST: Duration = Duration::from_secs(120);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Page,
    /// It is not refused when the share is used up, because its text would be lost.
    Form,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Who {
    Member(UserId),
    /// An IPv4 address, or an IPv6 /48.
    Network(String),
}

impl Who {
    fn sent(visitor: &Visitor, address: impl FnOnce() -> IpAddr) -> Self {
        match visitor.loaded() {
            Some(loaded) => Self::Member(loaded.state.uid),
            None => Self::Network(network_of(address())),
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
    places: Arc<Semaphore>,
    waiting: usize,
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
    async fn enter(&self, who: &Who, kind: Kind) -> Result<OwnedSemaphorePermit, Error> {
        let places = self.queue(who, kind, Instant::now())?;
        let _waiting = Waiting { shares: self, who };
        let place = places.acquire_owned().await;
        place.map_err(|closed| Error::Internal(closed.to_string()))
    }

    fn queue(&self, who: &Who, kind: Kind, now: Instant) -> Result<Arc<Semaphore>, Error> {
        let mut shares = self.shares.lock();
        if shares.len() >= MANY_SHARES {
            shares.retain(|_, share| share.paid_at > now || share.is_in_use());
        }
        let share = shares.entry(who.clone()).or_default();
        let ahead = share.paid_at.saturating_duration_since(now);
        if kind == Kind::Page
            && let Some(wait) = ahead.checked_sub(MINUTE)
        {
            let retry_after_s = wait.as_secs() + 1;
            return Err(Error::TooMany { retry_after_s });
        }
        if share.waiting >= MOST_WAITING {
            return Err(Error::TooMany { retry_after_s: 1 });
        }
        share.waiting += 1;
        Ok(Arc::clone(&share.places))
    }

    fn charge(&self, who: &Who, used: Duration) {
        let now = Instant::now();
        let seconds = used.as_secs_f64() * MINUTE.as_secs_f64() / self.per_minute.as_secs_f64();
        let mut shares = self.shares.lock();
        let share = shares.entry(who.clone()).or_default();
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

/// Returns the processor time of this thread. On a busy machine, less passes than on a clock.
#[cfg(unix)]
fn processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::try_from(time).unwrap_or_default()
}

/// Returns a time that passes while this thread runs.
#[cfg(not(unix))]
fn processor_time() -> Duration {
    static BEGUN: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);
    BEGUN.elapsed()
}

impl Default for Share {
    fn default() -> Self {
        Self {
            paid_at: Instant::now(),
            places: Arc::new(Semaphore::new(AT_ONCE)),
            waiting: 0,
        }
    }
}

impl Share {
    fn is_in_use(&self) -> bool {
        self.waiting > 0 || self.places.available_permits() < AT_ONCE
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
    let trusted = &app.site.config.trusted_proxies;
    // The visitor is dropped here, because the router needs the only reference to the request.
    let who = Who::sent(&Visitor::of(request.request()), || {
        client::address(request.request(), trusted)
    });
    let kind = match request.method().is_safe() {
        true => Kind::Page,
        false => Kind::Form,
    };
    let place = match is_for_log_in(request.path()) {
        true => Ok(None),
        false => shares.enter(&who, kind).await.map(Some),
    };
    let _place = match place {
        Ok(place) => place,
        Err(error) => return Ok(request.error_response(error)),
    };
    let used = Used {
        shares,
        who: &who,
        time: Duration::ZERO,
    };
    let response = used.by(next.call(request)).await;
    Ok(response?.map_into_boxed_body())
}

fn is_for_log_in(path: &str) -> bool {
    let rest = path.strip_prefix(routes::LOG_IN);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::super::fair_share::*;

    fn network(number: u8) -> Who {
        Who::Network(format!("192.0.2.{number}"))
    }

    #[tokio::test]
    async fn who_has_used_the_time_of_a_minute_waits_and_others_do_not() {
        let shares = FairShares::new(Duration::from_secs(3));
        for _ in 0..4 {
            drop(shares.enter(&network(1), Kind::Page).await.unwrap());
            shares.charge(&network(1), Duration::from_secs(1));
        }
        let refused = shares.enter(&network(1), Kind::Page).await;
        // One second too many of 3 in a minute: 20 s.
        assert!(matches!(
            refused,
            Err(Error::TooMany {
                retry_after_s: 19..=20
            })
        ));
        assert!(shares.enter(&network(2), Kind::Page).await.is_ok());
    }

    #[tokio::test]
    async fn pages_are_refused_for_at_most_a_minute_after_many_forms() {
        let shares = FairShares::new(Duration::from_secs(3));
        for _ in 0..100 {
            shares.charge(&network(1), Duration::from_secs(1));
        }
        let refused = shares.enter(&network(1), Kind::Page).await;
        assert!(matches!(
            refused,
            Err(Error::TooMany {
                retry_after_s: 59..=60
            })
        ));
        let form = shares.enter(&network(1), Kind::Form).await;
        assert!(form.is_ok(), "its text is not lost");
    }

    #[test]
    fn the_pages_for_logging_in_are_told_apart() {
        for (path, expected) in [
            ("/login", true),
            ("/login/recover", true),
            ("/logins", false),
            ("/@login", false),
            ("/", false),
        ] {
            assert_eq!(is_for_log_in(path), expected, "{path}");
        }
    }

    #[tokio::test]
    async fn further_requests_wait_for_a_place_and_too_many_are_refused() {
        let shares = Arc::new(FairShares::new(Duration::from_secs(3)));
        let who = network(1);
        let mut places = Vec::new();
        for _ in 0..AT_ONCE {
            places.push(shares.enter(&who, Kind::Page).await.unwrap());
        }
        let mut waiting: Vec<_> = (0..MOST_WAITING)
            .map(|_| Box::pin(shares.enter(&who, Kind::Form)))
            .collect();
        for one in &mut waiting {
            assert!(futures_util::poll!(one).is_pending());
        }
        assert!(shares.enter(&who, Kind::Page).await.is_err());
        places.pop();
        assert!(waiting.swap_remove(0).await.is_ok());
    }

    #[tokio::test]
    async fn only_the_time_in_which_work_runs_is_charged_also_if_it_is_given_up() {
        let shares = FairShares::new(Duration::from_secs(3));
        let who = network(1);
        drop(shares.enter(&who, Kind::Page).await.unwrap());
        let used = |shares| Used {
            shares,
            who: &who,
            time: Duration::ZERO,
        };
        let ahead = || {
            shares.shares.lock()[&who]
                .paid_at
                .saturating_duration_since(Instant::now())
        };
        used(&shares)
            .by(tokio::time::sleep(Duration::from_millis(300)))
            .await;
        assert!(ahead() < Duration::from_secs(3), "it only waited");
        let busy = async {
            let begun = processor_time();
            while processor_time() - begun < Duration::from_millis(300) {}
            std::future::pending::<()>().await;
        };
        let mut given_up = Box::pin(used(&shares).by(busy));
        assert!(futures_util::poll!(&mut given_up).is_pending());
        drop(given_up);
        assert!(
            ahead() > Duration::from_secs(5),
            "300 ms are the share of 6 s"
        );
    }
}
