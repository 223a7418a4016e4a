//! The order of sorted sets, which all invariants check that read one. Passes and pages continue from an
//! exclusive score, so every relation has a score of its own. Timelines are ordered by status id.

use std::{fmt::Display, str::FromStr};

use super::prelude::*;

pub(in crate::audit) const SCORES_ARE_IN_ORDER: Invariant = Invariant::new(
    "scores_are_in_order",
    "timelines are ordered by status id, and each relation has a unique time",
);

/// The largest whole number that a score holds exactly.
const LARGEST_SCORE: f64 = 9_007_199_254_740_991.0;

/// A sorted set that is read in pages for an invariant.
pub(super) struct Members {
    invariant: Invariant,
    key: Key,
    /// The kind of its members, for example "user id".
    noun: &'static str,
    pages: Pages,
    last: Option<f64>,
}

impl Members {
    pub(super) fn of(invariant: Invariant, key: &Key, noun: &'static str) -> Self {
        Self {
            invariant,
            key: key.clone(),
            noun,
            pages: Pages::of(key),
            last: None,
        }
    }

    /// Returns the next rows. `None` at the end.
    pub(super) async fn rows(&mut self, exam: &mut Examination<'_>) -> Result<Option<Vec<Row>>> {
        let rows = exam.store.rows(&mut self.pages).await?;
        exam.examined(self.invariant, rows.len());
        Ok(Some(rows).filter(|rows| !rows.is_empty()))
    }

    /// Returns the next valid members of a relation and checks that their scores are unique.
    pub(super) async fn related<T: FromStr>(
        &mut self,
        exam: &mut Examination<'_>,
    ) -> Result<Option<Vec<T>>> {
        let Some(rows) = self.rows(exam).await? else {
            return Ok(None);
        };
        self.check_unique(exam, &rows);
        Ok(Some(self.valid(exam, &rows)))
    }

    /// Compares the members of a relation with the other side of it, whose entry `mirror` names. The
    /// members without such an entry are faults.
    pub(super) async fn check_mirror<T: FromStr, Member: Display>(
        mut self,
        exam: &mut Examination<'_>,
        mirror: impl Fn(&T) -> (Key, Member),
        fault: impl Fn(&Self, T) -> Fault,
    ) -> Result<()> {
        while let Some(members) = self.related(exam).await? {
            for member in exam.without_entry(members, &mirror).await? {
                let entry = mirror(&member);
                exam.found(fault(&self, member).unless(entry));
            }
        }
        Ok(())
    }

    /// Checks that scores are positive whole numbers, each once.
    pub(super) fn check_unique(&mut self, exam: &mut Examination<'_>, rows: &[Row]) {
        exam.examined(SCORES_ARE_IN_ORDER, rows.len());
        for (member, score) in rows {
            let is_whole = score.fract() == 0.0 && (1.0..=LARGEST_SCORE).contains(score);
            if !is_whole || self.last == Some(*score) {
                let fault = self.score_fault(&self.member_name(member), "no unique score", *score);
                exam.found(fault.repair_by(repair::make_score_unique(&self.key, member)));
            }
            self.last = Some(*score);
        }
    }

    /// Returns the next valid status ids and checks that each has its negated id as score. `repair`
    /// replaces one with another score.
    pub(super) async fn statuses(
        &mut self,
        exam: &mut Examination<'_>,
        repair: impl Fn(StatusId) -> RepairStep,
    ) -> Result<Option<Vec<StatusId>>> {
        let Some(rows) = self.rows(exam).await? else {
            return Ok(None);
        };
        exam.examined(SCORES_ARE_IN_ORDER, rows.len());
        for (member, score) in &rows {
            let id = member.parse::<StatusId>().ok();
            if let Some(id) = id.filter(|id| *score != -(id.get() as f64)) {
                let fault = self.score_fault(&names::status(id), "the wrong score", *score);
                exam.found(fault.repair_by(repair(id)));
            }
        }
        Ok(Some(self.valid(exam, &rows)))
    }

    fn score_fault(&self, member_name: &str, what: &str, score: f64) -> Fault {
        let text = format!("{member_name} has {what} in {}", self.key_name());
        Fault::new(SCORES_ARE_IN_ORDER, &self.key, text).detail(score.to_string())
    }

    /// Returns the valid members. The others are faults.
    pub(super) fn valid<T: FromStr>(&self, exam: &mut Examination<'_>, rows: &[Row]) -> Vec<T> {
        let mut valid = Vec::with_capacity(rows.len());
        for (member, _) in rows {
            match member.parse() {
                Ok(one) => valid.push(one),
                Err(_) => exam.found(self.invalid(member)),
            }
        }
        valid
    }

    pub(super) fn invalid(&self, member: &str) -> Fault {
        let text = format!("{member:?} in {} is not a {}", self.key_name(), self.noun);
        self.fault(text).repair_by(self.remove(member))
    }

    /// Creates the fault of a member that does not belong there. A plural name of a key ends in "s".
    pub(super) fn wrong_member(&self, member_name: &str, why: &str) -> Fault {
        let name = self.key_name();
        let noun = name.split_once(' ');
        let is_plural = noun.is_some_and(|(noun, _)| noun.ends_with('s'));
        let verb = if is_plural { "contain" } else { "contains" };
        self.fault(format!("{name} {verb} {member_name}, {why}"))
    }

    pub(super) fn fault(&self, text: String) -> Fault {
        Fault::new(self.invariant, &self.key, text)
    }

    pub(super) fn remove(&self, member: impl ToString) -> RepairStep {
        repair::remove_member(&self.key, member)
    }

    pub(super) fn key_name(&self) -> String {
        names::key(&self.key)
    }

    fn member_name(&self, member: &str) -> String {
        match self.noun {
            "user id" => format!("<user {member}>"),
            "status id" => format!("<status {member}>"),
            _ => member.to_owned(),
        }
    }
}
