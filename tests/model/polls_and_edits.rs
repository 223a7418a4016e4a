//! Polls, votes and edits, on the site and in the model alike.

use std::collections::BTreeMap;

use redwing::{
    actions::{edits, polls},
    domain::{
        Ballot, Choice, Draft, EditState, GroupPostRefusal, Message, NotificationKind, Poll,
        PollOption, PollTerm, StatusId, UserId, Warning,
    },
    store::{Cast, Edit, Error, Viewer, VisibleStatus},
};

use super::{
    expected_network::{ExpectedPoll, StatusText},
    game::Game,
    steps::{Content, TAGS},
};
use crate::support::crowd::post_draft;

const OPTIONS: [&str; 4] = ["Tea", "Coffee", "Cake", "None of it"];
const WARNING: &str = "About breakfast";

/// Returns the warning of a text, if it has one.
pub fn warning(warned: bool) -> Option<Warning> {
    let warning = Warning::parse(WARNING).expect("valid");
    warning.filter(|_| warned)
}

impl ExpectedPoll {
    fn expected_cast(&self, by: UserId, ballot: Ballot) -> Cast {
        match self.ballots.get(&by) {
            Some(before) if *before == ballot => Cast::Counted,
            Some(_) => Cast::VotedBefore,
            None if self.ended => Cast::Ended,
            None if !self.poll.allows(ballot) => Cast::NoSuchChoice,
            None => Cast::Counted,
        }
    }

    fn compare(&self, status: &VisibleStatus, reader: UserId) {
        let id = status.id();
        let (_, tally) = status.poll().expect("it lives");
        let votes = |option| {
            let ballots = self.ballots.values();
            ballots.filter(|ballot| ballot.includes(option)).count() as u64
        };
        let options = 0..self.poll.options().len();
        assert_eq!(tally.people, self.ballots.len() as u64, "votes in {id}");
        assert_eq!(tally.votes, options.map(votes).collect::<Vec<u64>>());
        let mine = self.ballots.get(&reader).copied();
        assert_eq!(status.ballot(), mine, "{reader} in {id}");
    }
}

impl Game<'_> {
    pub async fn poll(&mut self, by: UserId, options: usize, choice: Choice) {
        let options = OPTIONS[..options].iter();
        let options = options.filter_map(|option| PollOption::parse(option).expect("valid"));
        let poll = Poll::new(options.collect(), choice, PollTerm::Day).expect("a poll");
        let message = Message::parse("Which line?").expect("valid");
        let draft = Draft {
            poll: Some(poll.clone()),
            warning: warning(true),
            ..Draft::from(&message)
        };
        let id = post_draft(self.store(), by, draft).await;
        let text = StatusText {
            message: message.as_str().to_owned(),
            warned: true,
        };
        self.record_posted(id, by, text);
        let voting = ExpectedPoll {
            poll,
            ballots: BTreeMap::new(),
            ended: false,
        };
        self.model.polls.insert(id, voting);
    }

    fn nth_poll(&self, nth: usize) -> Option<StatusId> {
        let place = nth % self.model.polls.len().max(1);
        self.model.polls.keys().nth(place).copied()
    }

    pub async fn vote(&mut self, by: UserId, nth: usize, bits: u64) {
        let Some(id) = self.nth_poll(nth) else {
            return;
        };
        let ballot = Ballot::stored(bits).expect("a ballot");
        let cast = polls::vote(self.store(), by, id, ballot).await;
        let own = self.model.statuses[&id] == by;
        let voting = self.model.polls.get_mut(&id).expect("a poll");
        let expected = match own {
            true => Cast::Own,
            false => voting.expected_cast(by, ballot),
        };
        assert_eq!(cast.expect("an answer"), expected, "{by} in {id}");
        if expected == Cast::Counted {
            voting.ballots.insert(by, ballot);
        }
    }

    /// Ends a poll by making its post old enough.
    pub fn end(&mut self, nth: usize) {
        if let Some(id) = self.nth_poll(nth) {
            let key = format!("status:{{{id}}}");
            self.site.redis.command(&["HSET", &key, "posted", "1000"]);
            self.model.polls.get_mut(&id).expect("a poll").ended = true;
        }
    }

    pub async fn edit(&mut self, by: UserId, nth: usize, content: Content) {
        let profile = self.model.profile(by);
        let Some(id) = profile.get(nth % profile.len().max(1)).copied() else {
            return;
        };
        let text = StatusText {
            message: format!("a line as corrected {nth}{}", content.tail()),
            warned: content.warned,
        };
        let texts = self.model.texts.get(&id);
        let correction = EditState {
            message: Message::parse(&text.message).expect("valid"),
            warning: warning(text.warned),
            revision: texts.map_or(0, |texts| texts.len() as u64 - 1),
            visibility: None,
        };
        let ended = self.model.polls.get(&id).is_some_and(|poll| poll.ended);
        let is_member = self.model.members.contains_key(&by);
        let expected = match texts {
            // A plain repost has no text.
            None => Ok(Edit::NotYours),
            Some(texts) if texts.last() == Some(&text) => Ok(Edit::Done),
            Some(_) if self.model.in_group.contains(&id) && !is_member => {
                Err(GroupPostRefusal::NotMember)
            }
            Some(_) if ended => Ok(Edit::TooLate),
            Some(_) if correction.revision == EditState::MAX => Ok(Edit::TooOften),
            Some(_) => {
                self.change_text(id, text, content);
                Ok(Edit::Done)
            }
        };
        let edited = match edits::edit(self.store(), by, id, &correction).await {
            Err(Error::GroupRefused(refusal)) => Err(refusal),
            edited => Ok(edited.expect("an answer")),
        };
        assert_eq!(edited, expected, "{id} by {by}");
        self.drain().await;
    }

    /// Changes the text of a status, and applies the effects of that.
    fn change_text(&mut self, id: StatusId, text: StatusText, content: Content) {
        self.model.texts.entry(id).or_default().push(text);
        let former = self.model.mentions.get(&id).copied();
        self.mentions(id, content.mentions);
        let now = self.model.mentions.get(&id).copied();
        if let Some(former) = former.filter(|_| former != now) {
            let author = self.model.statuses[&id];
            self.withdraw_notification(former, author, NotificationKind::Mention(id));
        }
        if !self.model.answers.contains_key(&id) {
            let tags = (0..TAGS.len()).filter(|tag| content.tags[*tag]);
            self.model.tags.insert(id, tags.collect());
        }
        self.notify_of(id);
        // It may arrive late on the homes of users who follow the tag, and is new there.
        for memory in self.memories.values_mut() {
            memory.before.may_come(id);
            memory.shown.may_come(id);
        }
    }

    /// Compares all texts, versions, saved marks and poll results, for one reader.
    pub async fn compare_texts(&self, reader: UserId) {
        let store = self.store();
        let ids: Vec<StatusId> = self.model.texts.keys().copied().collect();
        let shown = store.visible(Viewer::Member(reader), &ids).await;
        let shown = shown.expect("an answer");
        assert_eq!(shown.len(), ids.len());
        for status in shown {
            self.compare_saved(reader, &status);
            let (now, before) = self.model.texts[&status.id()]
                .split_last()
                .expect("it says something");
            assert_eq!(text_of(status.message(), status.warning()), *now);
            let earlier = store.earlier_versions(&status).await.expect("an answer");
            let earlier = earlier.iter();
            let earlier = earlier.map(|one| text_of(&one.message, one.warning.as_deref()));
            assert_eq!(earlier.collect::<Vec<StatusText>>(), before);
            let voting = self.model.polls.get(&status.id());
            assert_eq!(status.poll().is_some(), voting.is_some());
            if let Some(voting) = voting {
                voting.compare(&status, reader);
            }
        }
    }
}

fn text_of(message: &str, warning: Option<&str>) -> StatusText {
    assert!(warning.is_none_or(|warning| warning == WARNING));
    StatusText {
        message: message.to_owned(),
        warned: warning.is_some(),
    }
}
