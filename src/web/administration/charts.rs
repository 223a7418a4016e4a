//! The numbers of the site over 30 days, as small charts with their tables.

use askama::Template;

use crate::{
    store::{SiteDay, UnixMs},
    web::parts::{
        count,
        moment::{Stamp, day_and_month},
    },
};

const DAY_MS: u64 = 86_400_000;
/// Height of the tallest bar, and width of a day, in units of the drawing.
const HEIGHT: u64 = 48;
const DAY_WIDTH: usize = 8;

/// A chart of one number, with a table of the same.
#[derive(Debug, Template)]
#[template(path = "administration/_chart.html")]
pub struct Chart {
    title: &'static str,
    /// `12 today, 40 at most`.
    summary: String,
    width: usize,
    bars: Vec<Bar>,
    rows: Vec<Row>,
}

impl askama::filters::HtmlSafe for Chart {}

#[derive(Debug)]
struct Bar {
    x: usize,
    y: u64,
    height: u64,
}

#[derive(Debug)]
struct Row {
    day: Stamp,
    date: String,
    value: String,
}

/// A number of a day, with its title and its unit.
type Series = (&'static str, &'static str, fn(&SiteDay) -> u64);

const SERIES: [Series; 7] = [
    ("People who have signed up", "", |day| day.people),
    ("Active people", "", |day| day.active),
    ("Posts", "", |day| day.posts),
    ("Deliveries", "", |day| day.deliveries),
    ("Waiting tasks", "", |day| day.queue),
    ("Memory of Redis", " %", |day| day.memory),
    ("Disk", " %", |day| day.disk),
];

impl Chart {
    /// Returns all charts of these days.
    pub fn all(days: &[SiteDay]) -> Vec<Self> {
        SERIES
            .iter()
            .map(|series| Self::new(series, days))
            .collect()
    }

    fn new((title, unit, value): &Series, days: &[SiteDay]) -> Self {
        let values: Vec<u64> = days.iter().map(value).collect();
        let largest = values.iter().copied().max().unwrap_or_default();
        // A share is drawn against the whole.
        let top = if unit.is_empty() { largest.max(1) } else { 100 };
        let bar = |(at, value): (usize, &u64)| {
            let height = (value * HEIGHT).div_ceil(top).min(HEIGHT);
            Bar {
                x: at * DAY_WIDTH,
                y: HEIGHT - height,
                height,
            }
        };
        let row = |(day, value): (&SiteDay, &u64)| {
            let time = UnixMs(day.day * DAY_MS);
            Row {
                day: Stamp::of(time),
                date: day_and_month(time),
                value: format!("{}{unit}", count(*value)),
            }
        };
        let today = values.last().copied().unwrap_or_default();
        Self {
            title,
            summary: format!(
                "{}{unit} today, {}{unit} at most",
                count(today),
                count(largest)
            ),
            width: days.len() * DAY_WIDTH,
            bars: values.iter().enumerate().map(bar).collect(),
            rows: days.iter().zip(&values).rev().map(row).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::charts::*;

    #[test]
    fn the_tallest_bar_is_the_largest_number_and_a_share_is_of_the_whole() {
        let day = |day: u64, posts: u64, memory: u64| SiteDay {
            day,
            posts,
            memory,
            ..SiteDay::default()
        };
        let charts = Chart::all(&[day(20_000, 10, 25), day(20_001, 0, 50)]);
        let chart = |title: &str| {
            charts
                .iter()
                .find(|chart| chart.title == title)
                .expect(title)
        };
        let posts = chart("Posts");
        assert_eq!(posts.summary, "0 today, 10 at most");
        let heights: Vec<u64> = posts.bars.iter().map(|bar| bar.height).collect();
        assert_eq!(heights, [HEIGHT, 0]);
        let memory = chart("Memory of Redis");
        assert_eq!(memory.summary, "50 % today, 50 % at most");
        assert_eq!(memory.bars[1].height, HEIGHT / 2);
        let values: Vec<&str> = memory.rows.iter().map(|row| row.value.as_str()).collect();
        assert_eq!(values, ["50 %", "25 %"], "the newest day is first");
    }
}
