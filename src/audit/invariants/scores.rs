//! The order of sorted sets, which all invariants check that read one. Passes and pages continue from an
//! exclusive score, so every relation has a score of its own. Timelines are ordered by status id.

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
        let pages = Pages::of(key);
        let key = key.clone();
        Self {
            invariant,
            key,
            noun,
            pages,
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
    pub(super) async fn related<T>(
        &mut self,
        exam: &mut Examination<'_>,
        parse: fn(&str) -> Option<T>,
    ) -> Result<Option<Vec<T>>> {
        let Some(rows) = self.rows(exam).await? else {
            return Ok(None);
        };
        self.check_unique(exam, &rows);
        Ok(Some(self.valid(exam, &rows, parse)))
    }

    /// Checks that scores are positive whole numbers, each once.
    pub(super) fn check_unique(&mut self, exam: &mut Examination<'_>, rows: &[Row]) {
        exam.examined(SCORES_ARE_IN_ORDER, rows.len());
        for (member, score) in rows {
            let is_whole = score.fract() == 0.0 && (1.0..=LARGEST_SCORE).contains(score);
            if !is_whole || self.last == Some(*score) {
                let member_name = self.member_name(member);
                let text = format!("{member_name} has no unique score in {}", self.key_name());
                let fault = Fault::new(SCORES_ARE_IN_ORDER, &self.key, text);
                let repair = repair::make_score_unique(&self.key, member);
                exam.found(fault.detail(score.to_string()).repair_by(repair));
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
            let Ok(id) = member.parse::<StatusId>() else {
                continue;
            };
            if *score != -(id.get() as f64) {
                let text = format!(
                    "{} has the wrong score in {}",
                    names::status(id),
                    self.key_name()
                );
                let fault = Fault::new(SCORES_ARE_IN_ORDER, &self.key, text);
                exam.found(fault.detail(score.to_string()).repair_by(repair(id)));
            }
        }
        Ok(Some(self.valid(exam, &rows, |id| id.parse().ok())))
    }

    /// Returns the valid members. The others are faults.
    pub(super) fn valid<T>(
        &self,
        exam: &mut Examination<'_>,
        rows: &[Row],
        parse: fn(&str) -> Option<T>,
    ) -> Vec<T> {
        let mut valid = Vec::with_capacity(rows.len());
        for (member, _) in rows {
            match parse(member) {
                Some(one) => valid.push(one),
                None => exam.found(self.invalid(member)),
            }
        }
        valid
    }

    pub(super) fn invalid(&self, member: &str) -> Fault {
        let text = format!("{member:?} in {} is not a {}", self.key_name(), self.noun);
        self.fault(text)
            .repair_by(repair::remove_member(&self.key, member))
    }

    /// Creates a fault of this invariant about the key.
    pub(super) fn fault(&self, text: String) -> Fault {
        Fault::new(self.invariant, &self.key, text)
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
