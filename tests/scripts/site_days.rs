//! The numbers of the site, a day at a time.

use redwing::store::calls::NoteDay;

use super::Bench;

fn note(day: u64, posts: u64, queue: u64) -> NoteDay {
    NoteDay {
        site_days: "site:days".into(),
        process: "p".into(),
        number: 100 * day + posts,
        day,
        first_day: day.saturating_sub(30),
        posts,
        deliveries: 2 * posts,
        people: 7,
        active: 3,
        queue,
        memory: 20,
        disk: 50,
    }
}

#[test]
fn counts_are_added_and_of_the_others_the_largest_counts() {
    let mut redis = Bench::start();
    for (posts, queue) in [(2, 9), (3, 4)] {
        assert_eq!(redis.call(&note(100, posts, queue)), "noted");
    }
    let numbers =
        redis.run("HMGET site:days 100:posts 100:deliveries 100:queue 100:people 100:disk");
    assert_eq!(numbers, "[5, 10, 9, 7, 50]");
}

#[test]
fn a_note_that_is_sent_again_adds_nothing() {
    let mut redis = Bench::start();
    for _ in 0..2 {
        assert_eq!(redis.call(&note(100, 2, 9)), "noted");
    }
    let of_other = NoteDay {
        process: "q".into(),
        ..note(100, 2, 9)
    };
    redis.call(&of_other);
    let numbers = redis.run("HMGET site:days 100:posts 100:deliveries");
    assert_eq!(numbers, "[4, 8]");
}

#[test]
fn days_that_are_too_old_go_so_the_numbers_have_a_bound() {
    let mut redis = Bench::start();
    for day in 1..=100 {
        redis.call(&note(day, 1, 1));
    }
    assert_eq!(redis.run("HLEN site:days"), (31 * 8).to_string());
    assert_eq!(
        redis.run("HMGET site:days 69:posts 70:posts 100:posts"),
        "[nil, 1, 1]"
    );
}
