//! Steps taken on the site and in the model alike.

use std::collections::{BTreeSet, HashMap};

use redwing::{
    actions::{follows, interests, lists, reposts, statuses},
    domain::{ListId, ListName, Nonce, StatusId, Timeline, UserId},
    store::{HushEdge, Reposts, Store},
    worker,
};

use super::{
    news::Memory,
    plain::{Model, Plain},
    steps::{Change, LISTS, PEOPLE, Says, Step, TAGS},
};
use crate::support::{
    core::Core,
    crowd::{follow_tag, people, post, quote, reply, repost, tag_named},
};

/// What most statuses say.
const LINE: &str = "a line, not a rare one";

pub struct Game<'a> {
    pub core: &'a Core,
    pub who: Vec<UserId>,
    pub model: Model,
    /// Those of each person.
    pub lists: Vec<Vec<ListId>>,
    pub memories: HashMap<UserId, Memory>,
}

impl<'a> Game<'a> {
    pub async fn begin(core: &'a Core) -> Self {
        let who = people(&core.store, "person", PEOPLE).await;
        let mut game = Self {
            core,
            memories: who.iter().map(|id| (*id, Memory::new())).collect(),
            model: Model::default(),
            lists: Vec::new(),
            who,
        };
        for owner in game.who.clone() {
            let mut theirs = Vec::new();
            for _ in 0..LISTS {
                theirs.push(game.make_list(owner).await);
            }
            game.lists.push(theirs);
        }
        game
    }

    pub fn store(&self) -> &'a Store {
        &self.core.store
    }

    pub async fn take(&mut self, step: &Step) {
        match *step {
            Step::Post { by, count, says } => self.post(self.who[by], count, says).await,
            Step::Reply { by, nth, count } => self.reply(self.who[by], nth, count).await,
            Step::Delete { by, nth, count } => self.delete(self.who[by], nth, count).await,
            Step::Poll(by) => self.poll(self.who[by]).await,
            Step::Vote { by, nth, option } => self.vote(self.who[by], nth, option).await,
            Step::Edit { by, nth } => self.edit(self.who[by], nth).await,
            Step::Repost {
                by,
                of,
                nth,
                comment,
            } => self.repost(self.who[by], self.who[of], nth, comment).await,
            Step::TakeBack { by, nth } => self.take_back(self.who[by], nth).await,
            Step::Hush { from, to, hide } => {
                self.hush((self.who[from], self.who[to]), hide).await;
            }
            Step::Follow { from, to } => self.follow(self.who[from], self.who[to]).await,
            Step::Unfollow { from, to } => self.unfollow(self.who[from], self.who[to]).await,
            Step::FollowTag { reader, tag } => {
                let reader = self.who[reader];
                follow_tag(self.store(), reader, TAGS[tag]).await;
                self.model.interests.insert((reader, tag));
            }
            Step::UnfollowTag { reader, tag } => self.unfollow_tag(self.who[reader], tag).await,
            Step::List {
                owner,
                list,
                change,
            } => self.change(owner, list, change).await,
            Step::ReadHome { reader, from } => self.read_home(self.who[reader], from).await,
            Step::ReadList { owner, list, from } => {
                self.read_list(self.lists[owner][list], from).await;
            }
            Step::Search { by, rare, from } => self.search(by, rare, from).await,
            Step::Pause(reader) => self.pause(self.who[reader]),
            Step::Leave(reader) => self.leave(reader),
            Step::Work(tasks) => {
                let done = worker::do_some(self.store(), tasks).await;
                done.expect("every task succeeds");
            }
            Step::Drain => self.drain().await,
            Step::Look => {
                self.drain().await;
                self.compare().await;
            }
        }
    }

    pub async fn drain(&mut self) {
        self.core.drain().await;
        self.model.is_settled();
    }

    async fn post(&mut self, by: UserId, count: usize, says: Says) {
        let tags = (0..TAGS.len()).filter(|tag| says.tags[*tag]);
        let tags: BTreeSet<usize> = tags.collect();
        let mut text = String::new();
        text.extend(tags.iter().map(|tag| format!(" #{}", TAGS[*tag])));
        text.extend(says.mentions.map(|who| format!(" @person_{who}")));
        for _ in 0..count {
            self.model.posted += 1;
            let rare = self.model.posted.is_multiple_of(3);
            let words = if rare { "a rare line" } else { LINE };
            let text = format!("{words}{text}");
            let id = post(self.store(), by, &text).await;
            self.model.tags.insert(id, tags.clone());
            if let Some(who) = says.mentions {
                self.model.mentions.insert(id, self.who[who]);
            }
            if rare {
                self.model.rare.insert(id);
            }
            self.posted(id, by, &text);
        }
    }

    pub fn posted(&mut self, id: StatusId, by: UserId, text: &str) {
        self.model.texts.insert(id, vec![text.to_owned()]);
        self.stands(id, by);
    }

    fn stands(&mut self, id: StatusId, by: UserId) {
        self.model.statuses.insert(id, by);
        self.model.under_way.insert(id);
        for memory in self.memories.values_mut() {
            memory.posted(id);
        }
    }

    /// One with a comment is made of what is none itself: of those the model says for how long they
    /// are seen.
    async fn repost(&mut self, by: UserId, of: UserId, nth: usize, comment: bool) {
        let Some(id) = self.model.profile(of).get(nth).copied() else {
            return;
        };
        let original = self.model.shown(id);
        if comment {
            if !self.model.quotes.contains_key(&original) {
                let id = quote(self.store(), by, id, LINE).await;
                self.model.quotes.insert(id, original);
                self.posted(id, by, LINE);
            }
            return;
        }
        let known = self.model.repost_by(by, original);
        let id = repost(self.store(), by, id).await;
        match known {
            Some(known) => assert_eq!(id, known, "one repost each"),
            None => {
                self.model.reposts.insert(id, original);
                self.stands(id, by);
            }
        }
    }

    async fn take_back(&mut self, by: UserId, nth: usize) {
        let theirs = self.model.profile(by);
        let mut reposts = theirs.iter().filter_map(|id| self.model.reposts.get(id));
        let Some(original) = reposts.nth(nth).copied() else {
            return;
        };
        let taken_back = reposts::take_back(self.store(), by, original).await;
        taken_back.expect("an answer");
        if let Some(id) = self.model.repost_by(by, original) {
            self.model.delete(id);
        }
    }

    async fn hush(&mut self, (from, to): (UserId, UserId), hide: bool) {
        let how = if hide {
            Reposts::Hidden
        } else {
            Reposts::Shown
        };
        let hushed = follows::hush(self.store(), from, to, how).await;
        let follows = self.model.follows.contains(&(from, to));
        assert_eq!(hushed.expect("an answer") == HushEdge::Done, follows);
        if hide && follows {
            self.model.quiet.insert((from, to));
        } else {
            self.model.quiet.remove(&(from, to));
        }
    }

    async fn reply(&mut self, by: UserId, nth: usize, count: usize) {
        for _ in 0..count {
            let all = self.model.statuses.iter().rev();
            let place = nth % self.model.statuses.len().max(1);
            let Some(to) = all.map(|(id, _)| self.model.shown(*id)).nth(place) else {
                return;
            };
            let author = self.model.statuses[&to];
            let id = reply(self.store(), by, to, LINE).await;
            self.posted(id, by, LINE);
            self.model.answers.insert(id, (to, author));
        }
    }

    async fn delete(&mut self, by: UserId, nth: usize, count: usize) {
        let profile = self.model.profile(by);
        for id in profile.into_iter().skip(nth).take(count) {
            let deleted = statuses::delete(self.store(), by, id).await;
            assert_eq!(deleted.expect("an answer"), statuses::Delete::Deleted);
            self.model.delete(id);
        }
    }

    async fn follow(&mut self, from: UserId, to: UserId) {
        let answer = follows::follow(self.store(), from, to).await;
        let answer = answer.expect("an answer");
        if from == to {
            assert_eq!(answer, follows::Follow::Oneself);
        } else {
            assert_eq!(answer, follows::Follow::Done);
            self.model.follows.insert((from, to));
        }
    }

    async fn unfollow(&mut self, from: UserId, to: UserId) {
        let answer = follows::unfollow(self.store(), from, to).await;
        answer.expect("an answer");
        self.model.follows.remove(&(from, to));
        self.model.quiet.remove(&(from, to));
    }

    async fn unfollow_tag(&mut self, reader: UserId, tag: usize) {
        let left = interests::unfollow(self.store(), reader, &tag_named(TAGS[tag])).await;
        left.expect("an answer");
        self.model.interests.remove(&(reader, tag));
    }

    async fn make_list(&mut self, owner: UserId) -> ListId {
        let name = ListName::parse("A list").expect("valid");
        let made = lists::create(self.store(), owner, &name, &Nonce::draw()).await;
        let Ok(lists::Create::Created(list)) = made else {
            panic!("{made:?}");
        };
        let plain = Plain {
            name: name.as_str().to_owned(),
            ..Plain::default()
        };
        self.model.lists.insert(list, plain);
        list
    }

    async fn change(&mut self, owner: usize, at: usize, change: Change) {
        let list = self.lists[owner][at];
        let ListId { owner: of, number } = list;
        let store = self.store();
        let plain = self.model.lists.get_mut(&list).expect("it is there");
        match change {
            Change::Add(member) => {
                let member = self.who[member];
                let added = lists::add(store, of, number, member).await;
                assert_eq!(added.expect("an answer"), lists::Add::Done);
                plain.members.insert(member);
            }
            Change::Remove(member) => {
                let member = self.who[member];
                let removed = lists::remove(store, of, number, member).await;
                assert_eq!(removed.expect("an answer"), lists::Edit::Done);
                plain.members.remove(&member);
            }
            Change::Exclusive(exclusive) => {
                plain.exclusive = exclusive;
                edit(store, list, plain).await;
            }
            Change::Rename => {
                plain.name.push('x');
                edit(store, list, plain).await;
            }
            Change::Renew => {
                let deleted = lists::delete(store, of, number).await;
                assert_eq!(deleted.expect("an answer"), lists::Edit::Done);
                self.model.lists.remove(&list);
                self.lists[owner][at] = self.make_list(of).await;
            }
        }
    }

    fn pause(&mut self, reader: UserId) {
        let memory = self.memories.get_mut(&reader).expect("a reader");
        if memory.has_read {
            memory.paused = true;
            let key = format!("reading:{{{reader}}}");
            self.core.redis.command(&["HSET", &key, "at", "1"]);
        }
    }

    fn leave(&self, reader: usize) {
        let lists = self.lists[reader].iter().map(|list| Timeline::List(*list));
        for timeline in lists.chain([Timeline::Home(self.who[reader])]) {
            let mark = self.store().mark_name(timeline);
            self.core.redis.command(&["DEL", &mark]);
        }
    }
}

async fn edit(store: &Store, list: ListId, plain: &Plain) {
    let name = ListName::parse(&plain.name).expect("valid");
    let edited = lists::edit(store, list.owner, list.number, &name, plain.exclusive).await;
    assert_eq!(edited.expect("an answer"), lists::Edit::Done);
}
