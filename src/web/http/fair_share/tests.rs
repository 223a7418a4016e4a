use actix_web::test::TestRequest;
use futures_util::FutureExt;

use super::{
    super::admission::{Admission, Purpose},
    *,
};

fn network(number: u8) -> Who {
    Who::VisitorsOf(Network::of([192, 0, 2, number].into()))
}

#[tokio::test]
async fn who_has_used_the_time_of_a_minute_waits_and_others_do_not() {
    let shares = FairShares::new(Duration::from_secs(3));
    for _ in 0..4 {
        drop(shares.enter(&network(1), Kind::Page, None).await.unwrap());
        shares.charge(&network(1), Duration::from_secs(1));
    }
    let refused = shares.enter(&network(1), Kind::Page, None).await;
    // One second too many of 3 in a minute: 20 s.
    assert!(matches!(
        refused,
        Err(Error::TooMany {
            retry_after_s: 19..=20
        })
    ));
    assert!(shares.enter(&network(2), Kind::Page, None).await.is_ok());
}

#[tokio::test]
async fn pages_are_refused_for_at_most_a_minute_after_many_forms() {
    let shares = FairShares::new(Duration::from_secs(3));
    for _ in 0..100 {
        shares.charge(&network(1), Duration::from_secs(1));
    }
    let refused = shares.enter(&network(1), Kind::Page, None).await;
    assert!(matches!(
        refused,
        Err(Error::TooMany {
            retry_after_s: 59..=60
        })
    ));
    let form = shares.enter(&network(1), Kind::Form, None).await;
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
        places.push(shares.enter(&who, Kind::Page, None).await.unwrap());
    }
    let mut waiting: Vec<_> = (0..MOST_WAITING)
        .map(|_| Box::pin(shares.enter(&who, Kind::Form, None)))
        .collect();
    for one in &mut waiting {
        assert!(futures_util::poll!(one).is_pending());
    }
    assert!(shares.enter(&who, Kind::Page, None).await.is_err());
    places.pop();
    assert!(waiting.swap_remove(0).await.is_ok());
}

#[tokio::test]
async fn the_members_of_a_network_share_places_and_one_that_waits_holds_none() {
    let shares = FairShares::new(Duration::from_secs(3));
    let admission = Admission::new(1000, 64);
    let arrive = |network: u8| {
        let network = Network::of([192, 0, 2, network].into());
        admission.take(network, Purpose::Other).unwrap()
    };
    let held: Vec<_> = (0..MEMBERS_AT_ONCE).map(|_| arrive(1)).collect();
    let mut places = Vec::new();
    for (number, held) in held.iter().enumerate() {
        let who = Who::Member(UserId::new(number as u64 + 1).unwrap());
        let place = shares.enter_all(&who, Kind::Page, Some(held)).await;
        places.push(place.unwrap());
    }
    let (next, other) = (arrive(1), arrive(2));
    let who = Who::Member(UserId::new(100).unwrap());
    let mut waits = Box::pin(shares.enter_all(&who, Kind::Page, Some(&next)));
    assert!(futures_util::poll!(&mut waits).is_pending());
    assert!(!next.is_taken());
    let who = Who::Member(UserId::new(101).unwrap());
    let of_other = shares.enter_all(&who, Kind::Page, Some(&other)).await;
    assert!(of_other.is_ok());
    places.pop();
    assert!(waits.await.is_ok());
    assert!(next.is_taken());
}

#[tokio::test]
async fn only_the_time_in_which_work_runs_is_charged_also_if_it_is_given_up() {
    let shares = FairShares::new(Duration::from_secs(3));
    let who = network(1);
    drop(shares.enter(&who, Kind::Page, None).await.unwrap());
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

#[tokio::test]
async fn a_search_in_messages_waits_for_those_of_its_own_network_only() {
    let shares = FairShares::new(Duration::from_secs(3));
    let searches = |number: u8| Who::SearchesOf(Network::of([192, 0, 2, number].into()));
    let (first, second) = (searches(1), searches(2));
    let running = shares.enter(&first, Kind::Form, None).await;
    assert!(running.is_ok());
    let next = shares.enter(&first, Kind::Form, None).now_or_never();
    assert!(next.is_none(), "it waits");
    assert!(shares.enter(&second, Kind::Form, None).await.is_ok());
}

#[tokio::test]
async fn searches_in_messages_that_wait_leave_the_places_of_their_network_to_other_requests() {
    let shares = FairShares::new(Duration::from_secs(3));
    let admission = Admission::new(1000, 64);
    let network = Network::of([192, 0, 2, 1].into());
    let (mut requests, mut all_places) = (Vec::new(), Vec::new());
    for number in 0..MEMBERS_AT_ONCE {
        let held = admission.take(network, Purpose::Other).unwrap();
        let member = UserId::new((1 + number / AT_ONCE) as u64).unwrap();
        let who = Who::Member(member);
        let places = shares.enter_all(&who, Kind::Page, Some(&held)).await;
        let places = places.unwrap();
        let request = TestRequest::default().to_http_request();
        let of_network = places.of_network.clone().unwrap();
        request.extensions_mut().insert(of_network);
        request.extensions_mut().insert(held);
        requests.push(request);
        all_places.push(places);
    }
    let free = || {
        shares.shares.lock()[&Who::MembersOf(network)]
            .places
            .available_permits()
    };
    assert_eq!(free(), 0);
    let turn = shares.enter_search(&requests[0]).await.unwrap();
    assert_eq!(free(), 1);
    let mut waiting: Vec<_> = requests[1..]
        .iter()
        .map(|request| Box::pin(shares.enter_search(request)))
        .collect();
    for one in &mut waiting {
        assert!(futures_util::poll!(one).is_pending());
    }
    assert_eq!(free(), MEMBERS_AT_ONCE);
    drop(turn);
    let next = waiting.remove(0).await.unwrap();
    drop((next, waiting, all_places));
    assert_eq!(free(), MEMBERS_AT_ONCE);
}

#[tokio::test]
async fn a_form_is_refused_for_some_seconds_after_far_too_much_processor_time() {
    let shares = FairShares::new(Duration::from_secs(3));
    let [who, other] = [1, 2].map(|id| UserId::new(id).expect("an id"));
    // Two minutes' time, of which 110 s are allowed.
    shares.charge(&Who::Member(who), Duration::from_secs(5));
    assert!(shares.check_form(who).is_ok());
    shares.charge(&Who::Member(who), Duration::from_secs(100));
    let refused = shares.check_form(who);
    assert!(matches!(
        refused,
        Err(Error::TooMany {
            retry_after_s: 9..=10
        })
    ));
    assert!(shares.check_form(other).is_ok());
}

fn reader(person: u64, network: u8) -> Reader {
    Reader {
        person: UserId::new(person).expect("an id"),
        networks: vec![Network::of([192, 0, 2, network].into()); 2],
    }
}

#[tokio::test]
async fn live_streams_use_the_share_of_their_member_and_leave_half_of_it_to_pages() {
    let shares = FairShares::new(Duration::from_secs(3));
    let (one, other) = (reader(1, 1), reader(2, 2));
    let who = Who::Member(one.person);
    shares.charge_streams(&one, Duration::from_secs(2));
    // The share of 40 s. Streams wait from 30 s on.
    let wait = shares.stream_wait(&one).as_secs();
    assert!((9..=10).contains(&wait), "{wait}");
    assert!(shares.enter(&who, Kind::Page, None).await.is_ok());
    assert_eq!(shares.stream_wait(&other), Duration::ZERO);
    shares.charge_streams(&one, Duration::from_secs(2));
    assert!(shares.enter(&who, Kind::Page, None).await.is_err());
}

#[tokio::test]
async fn the_live_streams_of_many_accounts_of_a_network_wait_together() {
    let shares = FairShares::new(Duration::from_secs(3));
    for account in 1..=12 {
        let reader = reader(account, 1);
        shares.charge_streams(&reader, Duration::from_millis(600));
    }
    // 1.8 s for each of its four shares: 36 s. Streams wait from 30 s on.
    let next = reader(13, 1);
    let wait = shares.stream_wait(&next).as_secs();
    assert!((5..=6).contains(&wait), "{wait}");
    let page = Who::Member(next.person);
    assert!(shares.enter(&page, Kind::Page, None).await.is_ok());
    assert_eq!(shares.stream_wait(&reader(13, 2)), Duration::ZERO);
}

#[test]
fn live_streams_have_no_limit_if_pages_have_none() {
    let shares = FairShares::new(Duration::ZERO);
    shares.charge_streams(&reader(1, 1), Duration::from_secs(100));
    assert_eq!(shares.stream_wait(&reader(1, 1)), Duration::ZERO);
}
