//! Performs the steps on the store and in the model, and compares both.

use redwing::{
    actions::{blocks, follow_requests, follows, mutes, reply_control, statuses::Post},
    domain::{
        Answer, Draft, IdempotencyKey, Message, MuteTerm, ProfileView, Repliers, ReplyControl,
        StatusId, Timeline, UserId, Visibility,
    },
    store::{ControlOutcome, ReplyControlOutcome, Store, Viewer},
};

use super::{
    model::{Model, Status},
    steps::Step,
};
use crate::support::crowd;

pub struct Game<'a> {
    pub store: &'a Store,
    pub people: Vec<UserId>,
    /// The tag of this game.
    pub tag: String,
    pub number: usize,
    pub model: Model,
}

impl Game<'_> {
    pub async fn perform(&mut self, step: &Step) {
        match *step {
            Step::Post {
                by,
                visibility,
                tagged,
                mentioned,
            } => self.post(by, visibility, (tagged, mentioned)).await,
            Step::Control(nth, repliers) => self.control(nth, repliers).await,
            Step::Hide(by, nth, is_hidden) => self.hide(by, nth, is_hidden).await,
            Step::Reply {
                by,
                nth,
                visibility,
            } => self.reply(by, nth, visibility).await,
            Step::Narrow { nth, visibility } => self.narrow(nth, visibility).await,
            Step::Delete(nth) => {
                if let Some(id) = self.living(nth) {
                    let author = self.model.statuses[&id].author;
                    crowd::delete(self.store, author, id).await;
                    // The tombstone keeps the readers that the account of its author left to it.
                    let (visibility, followed) = self.model.readers(&self.model.statuses[&id]);
                    let status = self.model.statuses.get_mut(&id).expect("it is there");
                    status.is_alive = false;
                    (status.visibility, status.followed) = (visibility, followed);
                }
            }
            Step::Follow(from, to) => self.follow(from, to).await,
            Step::Unfollow(from, to) => {
                let pair = self.pair(from, to);
                follows::unfollow(self.store, pair.0, pair.1)
                    .await
                    .expect("an answer");
                self.model.follows.remove(&pair);
            }
            Step::Block(from, to) => self.block(from, to).await,
            Step::Unblock(from, to) => {
                let pair = self.pair(from, to);
                blocks::unblock(self.store, pair.0, pair.1)
                    .await
                    .expect("an answer");
                self.model.blocks.remove(&pair);
            }
            Step::Mute(from, to) if from != to => {
                let pair = self.pair(from, to);
                let muted = mutes::mute(self.store, pair.0, pair.1, MuteTerm::Forever).await;
                muted.expect("an answer");
                self.model.mutes.insert(pair);
            }
            Step::Mute(..) => {}
            Step::Unmute(from, to) => {
                let pair = self.pair(from, to);
                mutes::unmute(self.store, pair.0, pair.1)
                    .await
                    .expect("an answer");
                self.model.mutes.remove(&pair);
            }
            Step::FollowTag(who) => {
                crowd::follow_tag(self.store, self.people[who], &self.tag).await;
                self.model.tag_followers.insert(self.people[who]);
            }
            Step::MuteTag(who) => {
                crowd::mute_text(self.store, self.people[who], &format!("#{}", self.tag)).await;
                self.model.tag_muters.insert(self.people[who]);
            }
            Step::UnmuteTag(who) => {
                crowd::unmute_text(self.store, self.people[who], &format!("#{}", self.tag)).await;
                self.model.tag_muters.remove(&self.people[who]);
            }
            Step::Private(who, is_private) => {
                let who = self.people[who];
                crowd::set_private(self.store, who, is_private).await;
                match is_private {
                    true => self.model.private.insert(who),
                    false => self.model.private.remove(&who),
                };
            }
            Step::Suspend(who, is_suspended) => {
                let who = self.people[who];
                crowd::set_suspended(self.store, who, is_suspended).await;
                match is_suspended {
                    true => self.model.suspended.insert(who),
                    false => self.model.suspended.remove(&who),
                };
            }
            Step::Answer(who, from, answer) => self.answer(who, from, answer).await,
            Step::Compare => {}
        }
    }

    fn pair(&self, from: usize, to: usize) -> (UserId, UserId) {
        (self.people[from], self.people[to])
    }

    /// Returns the n-th living status, modulo their number.
    fn living(&self, nth: usize) -> Option<StatusId> {
        let living = self
            .model
            .statuses
            .iter()
            .filter(|(_, status)| status.is_alive);
        let living: Vec<StatusId> = living.map(|(id, _)| *id).collect();
        living.get(nth % living.len().max(1)).copied()
    }

    async fn post(
        &mut self,
        by: usize,
        visibility: Visibility,
        (tagged, mentioned): (bool, usize),
    ) {
        let author = self.people[by];
        let login = format!("@game_{}_{mentioned}", self.number);
        let mentioned = self.people[mentioned];
        let tag = if tagged {
            format!(", #{}", self.tag)
        } else {
            String::new()
        };
        let text = format!("a line, {login}{tag}");
        let id = crowd::post_to(self.store, author, visibility, &text).await;
        let is_private = self.model.private.contains(&author);
        let status = Status {
            author,
            visibility: if is_private {
                Visibility::Followers
            } else {
                visibility
            },
            tagged,
            parent: None,
            is_alive: true,
            followed: author,
            repliers: Repliers::Everyone,
            named: Some(mentioned),
            mentioned: None,
            is_hidden: false,
        };
        self.model.statuses.insert(id, status);
        self.model.mention(id);
    }

    async fn reply(&mut self, by: usize, nth: usize, visibility: Visibility) {
        let (author, Some(parent)) = (self.people[by], self.living(nth)) else {
            return;
        };
        let draft = Draft {
            reply_to: Some(parent),
            visibility,
            ..Draft::from(&Message::parse("an answer").expect("valid"))
        };
        let key = IdempotencyKey::draw();
        let answer = redwing::actions::statuses::post(self.store, author, draft, &key).await;
        let answer = answer.expect("an answer");
        if !self.model.may_see(Viewer::Member(author), parent) {
            assert_eq!(answer, Post::TargetDeleted);
            return;
        }
        if !self.model.may_reply(author, parent) {
            assert_eq!(answer, Post::ReplyRefused);
            return;
        }
        let Post::Posted(id) = answer else {
            panic!("{answer:?}")
        };
        let root = self.model.root(parent);
        let of_root = self.model.readers(root).0;
        let above = self
            .model
            .readers(&self.model.statuses[&parent])
            .0
            .min(of_root);
        let above = match self.model.private.contains(&author) {
            true => Visibility::Followers,
            false => above,
        };
        let followed = match of_root {
            Visibility::Followers => root.author,
            Visibility::Public | Visibility::Members | Visibility::Group => author,
        };
        let status = Status {
            author,
            visibility: visibility.min(above),
            tagged: false,
            parent: Some(parent),
            is_alive: true,
            followed,
            repliers: Repliers::Everyone,
            named: None,
            mentioned: None,
            is_hidden: false,
        };
        self.model.statuses.insert(id, status);
    }

    async fn control(&mut self, nth: usize, repliers: Repliers) {
        let Some(id) = self.living(nth) else {
            return;
        };
        let status = self.model.statuses.get_mut(&id).expect("it is there");
        let control = ReplyControl {
            repliers,
            ..ReplyControl::default()
        };
        let set = reply_control::set_reply_control(self.store, status.author, id, control).await;
        assert_eq!(set.expect("an answer"), ReplyControlOutcome::Done);
        status.repliers = repliers;
    }

    async fn hide(&mut self, by: usize, nth: usize, is_hidden: bool) {
        let (by, Some(id)) = (self.people[by], self.living(nth)) else {
            return;
        };
        let status = &self.model.statuses[&id];
        let may_hide = self.model.may_see(Viewer::Member(by), id)
            && status.parent.is_some()
            && status.author != by
            && self.model.root(id).author == by;
        let hidden = reply_control::set_hidden(self.store, by, id, is_hidden).await;
        let is_done = hidden.expect("an answer") == ControlOutcome::Done;
        assert_eq!(is_done, may_hide);
        if may_hide {
            let status = self.model.statuses.get_mut(&id).expect("it is there");
            status.is_hidden = is_hidden;
        }
    }

    async fn narrow(&mut self, nth: usize, visibility: Visibility) {
        let Some(id) = self.living(nth) else {
            return;
        };
        let status = self.model.statuses.get_mut(&id).expect("it is there");
        crowd::narrow(self.store, status.author, id, visibility).await;
        let visibility = match self.model.private.contains(&status.author) {
            true => Visibility::Followers,
            false => visibility,
        };
        if visibility < status.visibility {
            status.visibility = visibility;
            status.followed = status.author;
            self.model.mention(id);
        }
    }

    async fn follow(&mut self, from: usize, to: usize) {
        let (from, to) = self.pair(from, to);
        let done = follows::follow(self.store, from, to)
            .await
            .expect("an answer");
        let is_allowed = from != to && !self.model.are_apart(from, to);
        let asks = self.model.private.contains(&to) && !self.model.follows.contains(&(from, to));
        let is_requested = done == follows::Follow::Requested;
        assert_eq!(done == follows::Follow::Done || is_requested, is_allowed);
        if is_allowed {
            assert_eq!(is_requested, asks);
            match asks {
                true => self.model.requests.insert((from, to)),
                false => {
                    self.model.requests.remove(&(from, to));
                    self.model.follows.insert((from, to))
                }
            };
        }
    }

    async fn answer(&mut self, who: usize, from: usize, answer: Answer) {
        let (from, who) = self.pair(from, who);
        let answered = follow_requests::answer(self.store, who, from, answer).await;
        let answered = answered.expect("an answer");
        let asked = self.model.requests.remove(&(from, who));
        let follows = asked || self.model.follows.contains(&(from, who));
        if answer == Answer::Accept {
            assert_eq!(
                answered == follow_requests::RequestOutcome::Accepted,
                follows
            );
            if asked {
                self.model.follows.insert((from, who));
            }
        }
    }

    async fn block(&mut self, from: usize, to: usize) {
        let (from, to) = self.pair(from, to);
        let done = blocks::block(self.store, from, to)
            .await
            .expect("an answer");
        assert_eq!(done == blocks::Block::Done, from != to);
        if from != to {
            self.model.blocks.insert((from, to));
            for pair in [(from, to), (to, from)] {
                self.model.follows.remove(&pair);
                self.model.requests.remove(&pair);
            }
        }
    }

    /// Compares what everyone sees of each status, on profiles and on homes.
    pub async fn compare(&self) {
        let members = self.people.iter().map(|person| Viewer::Member(*person));
        for viewer in members.chain([Viewer::Anonymous]) {
            let newest_first = self.model.statuses.keys().rev().copied();
            let seen: Vec<StatusId> = newest_first
                .filter(|id| self.model.may_see(viewer, *id))
                .collect();
            for id in self.model.statuses.keys() {
                let status = self.store.status(viewer, *id).await.expect("an answer");
                assert_eq!(status.is_some(), seen.contains(id), "{viewer:?} sees {id}");
                let Some(status) = status else { continue };
                let may_reply = viewer.id().is_some_and(|me| self.model.may_reply(me, *id));
                assert_eq!(status.may_reply(), may_reply, "{viewer:?} replies to {id}");
                assert_eq!(status.is_hidden(), self.model.statuses[id].is_hidden);
            }
            for author in &self.people {
                let view = ProfileView::PostsAndReplies;
                let profile = crowd::read_all(async |before| {
                    let page = self.store.profile_page(viewer, *author, view, before).await;
                    page.expect("an answer")
                });
                let theirs = seen
                    .iter()
                    .filter(|id| self.model.statuses[id].author == *author);
                assert_eq!(
                    profile.await,
                    theirs.copied().collect::<Vec<_>>(),
                    "{viewer:?}"
                );
            }
            if let Some(me) = viewer.id() {
                let mut home = seen;
                home.retain(|id| {
                    let Status { author, tagged, .. } = self.model.statuses[id];
                    let is_muted = self.model.mutes.contains(&(me, author))
                        || tagged && author != me && self.model.tag_muters.contains(&me);
                    self.model.comes_home(me, *id) && !is_muted
                });
                let timeline = crowd::timeline(self.store, Timeline::Home(me)).await;
                assert_eq!(timeline, home, "the home of {me}");
            }
        }
    }
}
