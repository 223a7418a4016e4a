//! What statuses say and ask: polls, votes and corrections, on the site and in the model alike.

use redwing::{
    actions::{edits, polls},
    domain::{Ballot, Correction, Message, StatusId, UserId},
    store::{Cast, Edit, Viewer},
};

use super::{game::Game, steps::TAGS};
use crate::support::crowd::post_poll;

impl Game<'_> {
    pub async fn poll(&mut self, by: UserId) {
        let id = post_poll(self.store(), by, &["Tea", "Coffee"]).await;
        self.posted(id, by, "Which line?");
        self.model.polls.insert(id, Default::default());
    }

    pub async fn vote(&mut self, by: UserId, nth: usize, option: usize) {
        let ids: Vec<StatusId> = self.model.polls.keys().copied().collect();
        let Some(id) = ids.get(nth % ids.len().max(1)).copied() else {
            return;
        };
        let ballot = Ballot::of(&[option]).expect("a ballot");
        let cast = polls::vote(self.store(), by, id, ballot).await;
        let own = self.model.statuses[&id] == by;
        let votes = self.model.polls.get_mut(&id).expect("a poll");
        let expected = match votes.get(&by) {
            _ if own => Cast::Own,
            Some(before) if *before != option => Cast::VotedBefore,
            _ => Cast::Counted,
        };
        assert_eq!(cast.expect("an answer"), expected, "{by} in {id}");
        if expected == Cast::Counted {
            votes.insert(by, option);
        }
    }

    pub async fn edit(&mut self, by: UserId, nth: usize) {
        let profile = self.model.profile(by);
        let Some(id) = profile.get(nth % profile.len().max(1)).copied() else {
            return;
        };
        let texts = self.model.texts.get_mut(&id);
        let revision = texts.as_ref().map_or(0, |texts| texts.len() as u64 - 1);
        let tag = nth % TAGS.len();
        let text = format!("a line as corrected {nth} #{}", TAGS[tag]);
        let correction = Correction {
            message: Message::parse(&text).expect("valid"),
            warning: None,
            revision,
        };
        let expected = match texts {
            // A repost without a comment has no text.
            None => Edit::NotYours,
            Some(texts) if texts.last() == Some(&text) => Edit::Done,
            Some(_) if revision == Correction::MAX => Edit::TooOften,
            Some(texts) => {
                texts.push(text);
                self.model.rare.remove(&id);
                self.model.mentions.remove(&id);
                if !self.model.answers.contains_key(&id) {
                    self.model.tags.insert(id, [tag].into());
                }
                // It may come late to the homes of those who follow the tag, and is new there.
                for memory in self.memories.values_mut() {
                    memory.before.may_come(id);
                    memory.shown.may_come(id);
                }
                Edit::Done
            }
        };
        let edited = edits::edit(self.store(), by, id, &correction).await;
        assert_eq!(edited.expect("an answer"), expected, "{id} by {by}");
        self.drain().await;
    }

    /// What everything says and said, and what came of each poll, in the eyes of one person.
    pub async fn compare_words(&self, reader: UserId) {
        let store = self.store();
        let ids: Vec<StatusId> = self.model.texts.keys().copied().collect();
        let shown = store.visible(Viewer::Member(reader), &ids).await;
        let shown = shown.expect("an answer");
        assert_eq!(shown.len(), ids.len());
        for status in shown {
            let texts = &self.model.texts[&status.id()];
            assert_eq!(Some(status.message()), texts.last().map(String::as_str));
            let earlier = store.earlier_versions(&status).await.expect("an answer");
            let earlier: Vec<String> = earlier.into_iter().map(|one| one.message).collect();
            assert_eq!(earlier, texts[..texts.len() - 1]);
            let votes = self.model.polls.get(&status.id());
            assert_eq!(status.poll().is_some(), votes.is_some());
            let (Some((_, tally)), Some(votes)) = (status.poll(), votes) else {
                continue;
            };
            let of = |option| votes.values().filter(|chosen| **chosen == option).count() as u64;
            assert_eq!(tally.people, votes.len() as u64);
            assert_eq!(tally.votes, [of(0), of(1)]);
            let mine = votes.get(&reader).and_then(|option| Ballot::of(&[*option]));
            assert_eq!(status.ballot(), mine, "{reader} in {}", status.id());
        }
    }
}
