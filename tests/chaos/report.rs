//! The figures of a run.

use std::{collections::BTreeMap, fmt};

use super::{
    crowd::Crowd,
    disruptions::Kind,
    history::{Action, WriteState},
    verdict::Verdict,
};

pub struct Report<'a> {
    pub crowd: &'a Crowd,
    pub disrupted: &'a [Kind],
    pub verdict: &'a Verdict,
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.disruptions(f)?;
        self.writes(f)?;
        let verdict = self.verdict;
        writeln!(f, "writes judged at the end")?;
        writeln!(f, "  {:>6} acknowledged and found", verdict.found)?;
        writeln!(f, "  {:>6} unknown, wholly there", verdict.unknown_done)?;
        writeln!(
            f,
            "  {:>6} unknown, not there at all",
            verdict.unknown_not_done
        )?;
        let outage = self.crowd.outage.borrow();
        writeln!(
            f,
            "longest outage: {:.2?}, of one person {:.2?}",
            outage.longest, outage.longest_of_one
        )?;
        writeln!(f, "pages looked at: {}", self.crowd.pages.get())?;
        write!(
            f,
            "faults found: {}",
            self.crowd.history.borrow().faults().len()
        )
    }
}

impl Report<'_> {
    fn disruptions(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kills = self.disrupted.iter().filter(|kind| kind.kills());
        writeln!(
            f,
            "{} kills survived (processes that are killed together count once), and all disruptions",
            kills.count()
        )?;
        let mut by_kind: BTreeMap<Kind, usize> = BTreeMap::new();
        for kind in self.disrupted {
            *by_kind.entry(*kind).or_default() += 1;
        }
        by_kind
            .iter()
            .try_for_each(|(kind, count)| writeln!(f, "  {count:>6} {kind}"))
    }

    /// Writes each action by one form, however often the form was sent.
    fn writes(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let history = self.crowd.history.borrow();
        let mut by_deed: BTreeMap<&str, [usize; 3]> = BTreeMap::new();
        for (who, action) in history.actions() {
            let counts = by_deed.entry(name(&action)).or_default();
            counts[history.write_state(&who, &action) as usize] += 1;
        }
        writeln!(f, "writes tried: acknowledged, unknown, never received")?;
        by_deed
            .iter()
            .try_for_each(|(action, [done, unknown, not])| {
                writeln!(f, "  {done:>6} {unknown:>6} {not:>6} {action}")
            })
    }
}

fn name(action: &Action) -> &'static str {
    match action {
        Action::SignUp => "sign-ups",
        Action::LogIn => "people who logged in again",
        Action::LogOut => "people who logged out",
        Action::Post(_) => "posts",
        Action::Delete(_) => "deletions",
        Action::Follow(_) => "edges followed",
        Action::Unfollow(_) => "edges unfollowed",
        Action::Answer(..) => "answers",
        Action::Favourite(_) => "stars",
        Action::Unfavourite(_) => "stars taken back",
        Action::Vote(_) => "votes",
        Action::CreateList(_) => "lists made",
        Action::DeleteList(_) => "lists deleted",
        Action::AddMember(..) => "people put on lists",
        Action::RemoveMember(..) => "people taken off lists",
        Action::MakeExclusive(_) => "lists made exclusive",
        Action::MakeOpen(_) => "lists made so no longer",
        Action::Message(..) => "messages",
        Action::DeleteMessage(..) => "messages deleted",
        Action::AcceptMessages(_) => "requests accepted",
        Action::FoundGroup(_) => "groups founded",
        Action::JoinGroup(_) => "groups joined",
        Action::LeaveGroup(_) => "groups left",
        Action::PostInGroup(..) => "posts in groups",
        Action::OfPair(_) => "private accounts",
    }
}

const _: () = assert!(WriteState::Done as usize == 0 && WriteState::NotDone as usize == 2);
