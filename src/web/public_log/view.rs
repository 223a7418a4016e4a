//! The page of the numbers of decisions.

use std::collections::BTreeMap;

use jiff::civil::Date;

use crate::{
    domain::{ActCounts, ActKind, CountPeriod, CountedAct, ReasonedAct, ReportReason},
    store::{SiteProfile, UnixMs},
    web::parts::prelude::*,
};

/// The number of acts of a kind, and of those that were taken back.
#[derive(Debug)]
struct Row {
    name: String,
    made: u64,
    undone: u64,
}

impl Row {
    fn of(counts: &ActCounts, periods: &[CountPeriod], kind: ActKind) -> Self {
        let sum = |is_undone| counts.sum(periods, CountedAct { kind, is_undone });
        Self {
            name: words(kind).to_owned(),
            made: sum(false),
            undone: sum(true),
        }
    }

    /// Returns the row of all kinds in one period.
    fn of_all(counts: &ActCounts, period: CountPeriod) -> Self {
        let rows = ActKind::ALL.map(|kind| Self::of(counts, &[period], kind));
        Self {
            name: month_words(period),
            made: rows.iter().map(|row| row.made).sum(),
            undone: rows.iter().map(|row| row.undone).sum(),
        }
    }
}

/// A rule or another reason, with the decisions that followed it.
#[derive(Debug)]
struct ReasonRows {
    name: String,
    kinds: Vec<Row>,
}

/// The place of a reason on the page: the rules of the site in their order, the former rules, the other reasons.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum ReasonPlace {
    Rule(usize),
    FormerRules,
    Other(usize),
}

impl ReasonPlace {
    fn of(reason: &ReportReason, site: &SiteProfile) -> Self {
        match reason {
            ReportReason::Rule(text) => {
                let mut rules = site.rules().iter();
                let at = rules.position(|rule| rule.text == *text);
                at.map_or(Self::FormerRules, Self::Rule)
            }
            reason => {
                let mut others = ReportReason::PLAIN.iter();
                let at = others.position(|other| other == reason);
                Self::Other(at.unwrap_or_default())
            }
        }
    }
}

impl ReasonRows {
    /// Returns the numbers by reason and kind.
    fn all(counts: &ActCounts, site: &SiteProfile) -> Vec<Self> {
        let mut places: BTreeMap<ReasonPlace, (String, BTreeMap<ActKind, Row>)> = BTreeMap::new();
        for (ReasonedAct { act, reason }, count) in counts.by_reason() {
            let place = ReasonPlace::of(&reason, site);
            let name = match place {
                ReasonPlace::FormerRules => "Former rules".into(),
                _ => reason.words(),
            };
            let (_, kinds) = places
                .entry(place)
                .or_insert_with(|| (name.into_owned(), BTreeMap::new()));
            let row = kinds.entry(act.kind).or_insert_with(|| Row {
                name: words(act.kind).to_owned(),
                made: 0,
                undone: 0,
            });
            match act.is_undone {
                true => row.undone += count,
                false => row.made += count,
            }
        }
        let rows = places.into_values().map(|(name, kinds)| Self {
            name,
            kinds: kinds.into_values().collect(),
        });
        rows.collect()
    }
}

/// Returns a month as `November 2026`.
fn month_words(period: CountPeriod) -> String {
    let first = match period {
        CountPeriod::Month(year, month) => Date::new(year, month, 1).ok(),
        CountPeriod::Day(_) => None,
    };
    first.map_or_else(String::new, |day| day.strftime("%B %Y").to_string())
}

fn words(kind: ActKind) -> &'static str {
    match kind {
        ActKind::Dismiss => "Reports dismissed",
        ActKind::Warn => "People warned",
        ActKind::HidePost => "Posts hidden",
        ActKind::AddWarning => "Warnings added to posts",
        ActKind::ApprovePost => "Waiting posts approved",
        ActKind::Limit => "Accounts limited",
        ActKind::Freeze => "Accounts frozen",
        ActKind::Suspend => "Accounts suspended",
        ActKind::GrantAppeal => "Appeals granted",
        ActKind::RefuseAppeal => "Appeals refused",
        ActKind::LetIn => "Requests to join accepted",
        ActKind::RefuseApplicant => "Requests to join refused",
        ActKind::Delete => "Accounts deleted by the host",
    }
}

#[derive(Debug, Template)]
#[template(path = "public_log/public_log.html")]
pub struct PublicLogPage {
    layout: Layout,
    has_rules_page: bool,
    /// The kinds of acts of the last 30 days.
    kinds: Vec<Row>,
    /// The months with acts, the newest first.
    months: Vec<Row>,
    /// The rules and other reasons of the decisions of these months.
    reasons: Vec<ReasonRows>,
}

impl PublicLogPage {
    pub fn new(visit: &Visit, site: &SiteProfile, (counts, now): (&ActCounts, UnixMs)) -> Self {
        let (days, months) = ActCounts::periods(now);
        let kinds = ActKind::ALL.map(|kind| Row::of(counts, &days, kind));
        let months = months.into_iter().map(|month| Row::of_all(counts, month));
        Self {
            layout: Layout::new(visit, Section::Elsewhere, "Moderation")
                .described("How many decisions the people who run this site have made."),
            has_rules_page: site.has_rules_page(),
            kinds: kinds.into(),
            reasons: ReasonRows::all(counts, site),
            months: months.filter(|row| row.made + row.undone > 0).collect(),
        }
    }
}
