//! The acts that the public page of the moderation counts, and their numbers.

use std::{collections::BTreeMap, fmt, str::FromStr};

use jiff::civil::date;

use super::count_period::{CountPeriod, DAY_MS, date_of};
use crate::domain::{Act, Measure, ParseError, ReportReason, UnixMs};

/// A kind of act that is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ActKind {
    Dismiss,
    Warn,
    HidePost,
    AddWarning,
    ApprovePost,
    Limit,
    Freeze,
    Suspend,
    GrantAppeal,
    RefuseAppeal,
    LetIn,
    RefuseApplicant,
    Delete,
}

impl ActKind {
    /// All kinds, in the order of the page.
    pub const ALL: [Self; 13] = [
        Self::Dismiss,
        Self::Warn,
        Self::HidePost,
        Self::AddWarning,
        Self::ApprovePost,
        Self::Limit,
        Self::Freeze,
        Self::Suspend,
        Self::GrantAppeal,
        Self::RefuseAppeal,
        Self::LetIn,
        Self::RefuseApplicant,
        Self::Delete,
    ];

    /// Returns the name in Redis.
    pub fn name(self) -> &'static str {
        match self {
            Self::Dismiss => "dismiss",
            Self::Warn => "warn",
            Self::HidePost => "hide_post",
            Self::AddWarning => "add_warning",
            Self::ApprovePost => "approve_post",
            Self::Limit => "limit",
            Self::Freeze => "freeze",
            Self::Suspend => "suspend",
            Self::GrantAppeal => "grant_appeal",
            Self::RefuseAppeal => "refuse_appeal",
            Self::LetIn => "let_in",
            Self::RefuseApplicant => "refuse_applicant",
            Self::Delete => "delete",
        }
    }

    fn of(measure: &Measure) -> Option<Self> {
        match measure {
            Measure::Note => None,
            Measure::Dismiss => Some(Self::Dismiss),
            Measure::Warn => Some(Self::Warn),
            Measure::HidePost { .. } => Some(Self::HidePost),
            Measure::ApprovePost { .. } => Some(Self::ApprovePost),
            Measure::AddWarning { .. } => Some(Self::AddWarning),
            Measure::Limit => Some(Self::Limit),
            Measure::Freeze { .. } => Some(Self::Freeze),
            Measure::Suspend => Some(Self::Suspend),
        }
    }
}

/// A counted act, or the end of one. Text in Redis: `<kind>`, or `<kind>:undone`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CountedAct {
    pub kind: ActKind,
    /// A decision of this kind was taken back.
    pub is_undone: bool,
}

impl CountedAct {
    const UNDONE: &str = ":undone";

    /// Returns how an act is counted. `None` if it is not.
    pub fn of(act: &Act) -> Option<Self> {
        let (kind, is_undone) = match act {
            Act::Decide { measure, .. } => (ActKind::of(measure)?, false),
            Act::EndDecision { measure, .. } => (ActKind::of(measure)?, true),
            Act::Suspend { .. } => (ActKind::Suspend, false),
            Act::Restore { .. } => (ActKind::Suspend, true),
            Act::AnswerAppeal {
                is_granted: true, ..
            } => (ActKind::GrantAppeal, false),
            Act::AnswerAppeal { .. } => (ActKind::RefuseAppeal, false),
            Act::LetIn { .. } => (ActKind::LetIn, false),
            Act::RefuseApplicant { .. } => (ActKind::RefuseApplicant, false),
            Act::Delete { .. } => (ActKind::Delete, false),
            Act::SetRole { .. }
            | Act::MakeResetLink { .. }
            | Act::ChangeSite { .. }
            | Act::ChangeRules { .. }
            | Act::ChangeSiteTexts
            | Act::ChangeShields { .. }
            | Act::ChangePublicLog { .. }
            | Act::Vouch { .. }
            | Act::MakeInvitation
            | Act::RevokeInvitation
            | Act::DeleteGroup { .. } => return None,
        };
        Some(Self { kind, is_undone })
    }
}

impl fmt::Display for CountedAct {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let undone = if self.is_undone { Self::UNDONE } else { "" };
        write!(f, "{}{undone}", self.kind.name())
    }
}

impl FromStr for CountedAct {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let name = text.strip_suffix(Self::UNDONE);
        let is_undone = name.is_some();
        let name = name.unwrap_or(text);
        let kind = ActKind::ALL.into_iter().find(|kind| kind.name() == name);
        let kind = kind.ok_or(ParseError)?;
        Ok(Self { kind, is_undone })
    }
}

/// A counted act, with the reason of the decision. Text in Redis: `<act>@<reason>`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ReasonedAct {
    pub act: CountedAct,
    pub reason: ReportReason,
}

impl ReasonedAct {
    /// Returns how an act is counted by its reason. `None` if it is not.
    pub fn of(act: &Act) -> Option<Self> {
        let reason = match act {
            Act::Decide { reason, .. } => reason.clone(),
            Act::EndDecision { reason, .. } => reason.clone()?,
            _ => return None,
        };
        let act = CountedAct::of(act)?;
        Some(Self { act, reason })
    }
}

impl fmt::Display for ReasonedAct {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{}", self.act, self.reason.value())
    }
}

impl FromStr for ReasonedAct {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let (act, reason) = text.split_once('@').ok_or(ParseError)?;
        Ok(Self {
            act: act.parse()?,
            reason: ReportReason::of_value(reason).ok_or(ParseError)?,
        })
    }
}

/// The numbers of acts by period. Days and months that are no longer shown are left out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ActCounts {
    by_kind: BTreeMap<(CountPeriod, CountedAct), u64>,
    /// By month only.
    by_reason: BTreeMap<(CountPeriod, ReasonedAct), u64>,
}

impl ActCounts {
    /// Number of days and months that are shown, with the current ones.
    pub const DAYS: u64 = 30;
    pub const MONTHS: usize = 12;

    /// Returns the periods that are shown at this time: days and months, the newest first.
    pub fn periods(now: UnixMs) -> (Vec<CountPeriod>, Vec<CountPeriod>) {
        let today = now.0 / DAY_MS;
        let days = (0..Self::DAYS).map(|ago| CountPeriod::Day(today.saturating_sub(ago)));
        let next = |period: &CountPeriod| match *period {
            CountPeriod::Month(year, month) => Some(CountPeriod::previous_month(year, month)),
            CountPeriod::Day(_) => None,
        };
        let months = std::iter::successors(Some(CountPeriod::month_of(now)), next);
        (days.collect(), months.take(Self::MONTHS).collect())
    }

    /// Returns the beginning of the oldest period that is shown.
    pub fn beginning(now: UnixMs) -> UnixMs {
        let today = date_of(now);
        let months = jiff::Span::new().months(Self::MONTHS as i64 - 1);
        let first = today.first_of_month().saturating_sub(months);
        let first = first
            .since(date(1970, 1, 1))
            .map_or(0, |span| span.get_days());
        UnixMs(u64::try_from(first).unwrap_or_default() * DAY_MS)
    }

    pub fn is_empty(&self) -> bool {
        self.by_kind.is_empty() && self.by_reason.is_empty()
    }

    /// Counts an act of this time, if it is counted.
    pub fn add(&mut self, at: UnixMs, act: &Act) {
        let month = CountPeriod::month_of(at);
        if let Some(counted) = CountedAct::of(act) {
            for period in [CountPeriod::day_of(at), month] {
                *self.by_kind.entry((period, counted)).or_default() += 1;
            }
        }
        if let Some(reasoned) = ReasonedAct::of(act) {
            *self.by_reason.entry((month, reasoned)).or_default() += 1;
        }
    }

    /// Leaves out what is not shown at this time.
    #[must_use]
    pub fn shown(mut self, now: UnixMs) -> Self {
        let (days, months) = Self::periods(now);
        let is_shown = |period: &CountPeriod| days.contains(period) || months.contains(period);
        self.by_kind.retain(|(period, _), _| is_shown(period));
        self.by_reason.retain(|(period, _), _| is_shown(period));
        self
    }

    /// Parses the stored fields. Those that cannot be read are left out.
    pub fn stored(fields: impl IntoIterator<Item = (String, u64)>) -> Self {
        let mut counts = Self::default();
        for (field, count) in fields {
            let parsed = field.split_once(':');
            let parsed = parsed.and_then(|(period, act)| Some((period.parse().ok()?, act)));
            let Some((period, text)) = parsed else {
                continue;
            };
            if let Ok(act) = text.parse() {
                counts.by_kind.insert((period, act), count);
            } else if let Ok(act) = text.parse() {
                counts.by_reason.insert((period, act), count);
            }
        }
        counts
    }

    /// Returns the stored fields.
    pub fn fields(&self) -> impl Iterator<Item = (String, u64)> {
        let by_kind = self.by_kind.iter();
        let by_kind = by_kind.map(|((period, act), count)| (format!("{period}:{act}"), *count));
        let by_reason = self.by_reason.iter();
        let by_reason = by_reason.map(|((period, act), count)| (format!("{period}:{act}"), *count));
        by_kind.chain(by_reason)
    }

    /// Returns the numbers by reason and act in all months.
    pub fn by_reason(&self) -> BTreeMap<ReasonedAct, u64> {
        let mut sums = BTreeMap::new();
        for ((_, act), count) in &self.by_reason {
            *sums.entry(act.clone()).or_default() += count;
        }
        sums
    }

    /// Returns the number of these acts in these periods.
    pub fn sum(&self, periods: &[CountPeriod], act: CountedAct) -> u64 {
        let count = |period: &CountPeriod| self.by_kind.get(&(*period, act)).copied();
        periods.iter().filter_map(count).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::super::counted_act::*;
    use crate::domain::UserId;

    /// 2026-03-01, 00:00 UTC.
    const MARCH: UnixMs = UnixMs(1_772_323_200_000);

    fn warn() -> CountedAct {
        CountedAct {
            kind: ActKind::Warn,
            is_undone: false,
        }
    }

    #[test]
    fn every_counted_act_and_period_has_its_stored_text() {
        for kind in ActKind::ALL {
            for is_undone in [false, true] {
                let act = CountedAct { kind, is_undone };
                assert_eq!(act.to_string().parse(), Ok(act));
            }
        }
        for (period, text) in [
            (CountPeriod::day_of(MARCH), "20513"),
            (CountPeriod::month_of(MARCH), "2026-03"),
            (CountPeriod::month_of(UnixMs(MARCH.0 - 1)), "2026-02"),
        ] {
            assert_eq!(period.to_string(), text);
            assert_eq!(text.parse(), Ok(period));
        }
    }

    #[test]
    fn counts_are_shown_for_thirty_days_and_twelve_months() {
        let (days, months) = ActCounts::periods(MARCH);
        assert_eq!((days.len(), months.len()), (30, 12));
        assert_eq!(months[2].to_string(), "2026-01");
        assert_eq!(months[3].to_string(), "2025-12");
        assert_eq!(months[11].to_string(), "2025-04");
        let beginning = ActCounts::beginning(MARCH);
        assert_eq!(CountPeriod::month_of(beginning), months[11]);
        assert_ne!(CountPeriod::month_of(UnixMs(beginning.0 - 1)), months[11]);
        let mut counts = ActCounts::default();
        let act = Act::Decide {
            person: UserId::new(7).expect("in range"),
            measure: Measure::Warn,
            reason: ReportReason::Rule("Be kind: always @ home.".to_owned()),
            grounds: String::new(),
        };
        counts.add(MARCH, &act);
        counts.add(UnixMs(MARCH.0 - 1), &act);
        counts.add(UnixMs(beginning.0 - 1), &act);
        let shown = counts.shown(MARCH);
        assert_eq!(shown.sum(&days, warn()), 2);
        assert_eq!(shown.sum(&months[..1], warn()), 1);
        assert_eq!(shown.sum(&months, warn()), 2);
        assert_eq!(shown.by_reason().into_values().collect::<Vec<_>>(), [2]);
        let fields: Vec<(String, u64)> = shown.fields().collect();
        assert_eq!(ActCounts::stored(fields), shown);
    }
}
