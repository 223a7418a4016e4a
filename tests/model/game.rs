//! Steps that are applied to the site and to the model alike.

use std::collections::{BTreeSet, HashMap};

use redwing::{
    actions::{
        follows::{self, FilterChange, FilterOutcome},
        lists, reposts, statuses, tag_follows,
    },
    domain::{
        Draft, GroupId, HomeFilter, IdempotencyKey, ListId, ListName, Message, NotificationKind,
        StatusId, Timeline, UserId,
    },
    store::{EditListOutcome, Store},
    worker,
};

use super::{
    expected_network::{ExpectedList, Model, StatusText},
    groups,
    polls_and_edits::warning,
    search::DAY,
    seen_statuses::SeenStatuses,
    steps::{Change, Content, LISTS, PEOPLE, Step, TAGS},
};
use crate::support::{
    Person, Site,
    crowd::{follow_tag, id_on, member, post_as, post_draft, quote, reply, repost, tag_named, uid},
};

/// Text of most statuses.
const LINE: &str = "a line, not a rare one";

pub struct Game<'a> {
    pub site: &'a Site,
    /// The first person, who has a browser.
    pub reader: Person,
    pub who: Vec<UserId>,
    pub model: Model,
    /// Lists of each person.
    pub lists: Vec<Vec<ListId>>,
    pub memories: HashMap<UserId, SeenStatuses>,
    /// The group of the network, which everyone reads.
    pub group: GroupId,
    /// Counter of all notifications, in order.
    pub moment: u64,
}

impl<'a> Game<'a> {
    /// Creates people with two statuses each from earlier days, and one from this day.
    pub async fn start(site: &'a Site) -> Self {
        let reader = Person::sign_up(site, "person_0").await;
        let mut who = vec![uid(&site.store, "person_0").await];
        for number in 1..PEOPLE {
            who.push(member(&site.store, &format!("person_{number}")).await);
        }
        let group = groups::found_for_all(&site.store).await;
        let mut game = Self {
            site,
            reader,
            group,
            memories: who.iter().map(|id| (*id, SeenStatuses::new())).collect(),
            model: Model::default(),
            lists: Vec::new(),
            moment: 0,
            who,
        };
        for (number, by) in game.who.clone().into_iter().enumerate() {
            let first = id_on(DAY.1, number as u64).get();
            let last = id_on(DAY.1, 0).get() - 1 - number as u64;
            for id in [last, first] {
                let id = StatusId::new(id).expect("an id");
                post_as(game.store(), by, id, LINE).await;
                game.record_posted(id, by, StatusText::plain(LINE));
            }
            game.post(by, 1, Content::default()).await;
        }
        for owner in game.who.clone() {
            let mut theirs = Vec::new();
            for _ in 0..LISTS {
                theirs.push(game.create_list(owner).await);
            }
            game.lists.push(theirs);
        }
        game
    }

    pub fn store(&self) -> &'a Store {
        &self.site.store
    }

    pub async fn perform(&mut self, step: &Step) {
        match *step {
            Step::Post { by, count, content } => self.post(self.who[by], count, content).await,
            Step::Reply {
                by,
                nth,
                count,
                mentions,
            } => self.reply(self.who[by], nth, count, mentions).await,
            Step::Delete { by, nth, count } => self.delete(self.who[by], nth, count).await,
            Step::Poll {
                by,
                options,
                choice,
            } => self.poll(self.who[by], options, choice).await,
            Step::Vote { by, nth, bits } => self.vote(self.who[by], nth, bits).await,
            Step::End(nth) => self.end(nth),
            Step::Edit { by, nth, content } => self.edit(self.who[by], nth, content).await,
            Step::Save {
                by,
                nth,
                count,
                collection,
            } => {
                for nth in nth..nth + count {
                    self.save(self.who[by], nth, collection).await;
                }
            }
            Step::Unsave {
                by,
                nth,
                collection,
            } => self.unsave(self.who[by], nth, collection).await,
            Step::Repost {
                by,
                of,
                nth,
                comment,
            } => self.repost(self.who[by], self.who[of], nth, comment).await,
            Step::UndoRepost { by, nth } => self.undo_repost(self.who[by], nth).await,
            Step::SetHiddenReposts { from, to, hide } => {
                self.set_hidden_reposts((self.who[from], self.who[to]), hide)
                    .await;
            }
            Step::Follow { from, to } => self.follow(self.who[from], self.who[to]).await,
            Step::Unfollow { from, to } => self.unfollow(self.who[from], self.who[to]).await,
            Step::FollowTag { reader, tag } => {
                let reader = self.who[reader];
                follow_tag(self.store(), reader, TAGS[tag]).await;
                self.model.tag_follows.insert((reader, tag));
            }
            Step::UnfollowTag { reader, tag } => self.unfollow_tag(self.who[reader], tag).await,
            Step::PostInGroup { by, count, content } => {
                self.post_in_group(self.who[by], count, content).await;
            }
            Step::Group { who, change } => self.change_group(self.who[who], change).await,
            Step::List {
                owner,
                list,
                change,
            } => self.change_list(owner, list, change).await,
            Step::ReadHome { reader, from } => self.read_home(self.who[reader], from).await,
            Step::ReadList { owner, list, from } => {
                self.read_list(self.lists[owner][list], from).await;
            }
            Step::Search { by, wanted, from } => self.search(by, wanted, from).await,
            Step::ReadNotifications(reader) => self.read_notifications(self.who[reader]).await,
            Step::PauseNotifications(reader) => self.pause_notifications(self.who[reader]).await,
            Step::Pause(reader) => self.end_visit(self.who[reader]),
            Step::BecomeDormant(reader) => self.make_dormant(reader),
            Step::RunTasks(tasks) => {
                let done = worker::do_some(self.store(), tasks).await;
                done.expect("every task succeeds");
            }
            Step::Drain => self.drain().await,
            Step::CompareAll => {
                self.drain().await;
                self.compare().await;
            }
        }
    }

    pub async fn drain(&mut self) {
        self.site.drain().await;
        self.model.mark_idle();
    }

    async fn post(&mut self, by: UserId, count: usize, content: Content) {
        self.post_to(None, by, count, content).await;
    }

    /// Posts in a group, or in none.
    pub async fn post_to(
        &mut self,
        group: Option<GroupId>,
        by: UserId,
        count: usize,
        content: Content,
    ) {
        let tags: BTreeSet<usize> = (0..TAGS.len()).filter(|tag| content.tags[*tag]).collect();
        for _ in 0..count {
            self.model.posted += 1;
            let rare = self.model.posted.is_multiple_of(3);
            let words = if rare { "a rare line" } else { LINE };
            let text = StatusText {
                message: words.to_owned() + &content.tail(),
                warned: content.warned,
            };
            let message = Message::parse(&text.message).expect("valid");
            let draft = Draft {
                warning: warning(content.warned),
                group,
                ..Draft::from(&message)
            };
            let id = post_draft(self.store(), by, draft).await;
            self.model.in_group.extend(group.map(|_| id));
            self.model.tags.insert(id, tags.clone());
            self.mentions(id, content.mentions);
            self.record_posted(id, by, text);
        }
    }

    /// Records that a status mentions a person, given by number.
    pub fn mentions(&mut self, id: StatusId, who: Option<usize>) {
        match who {
            Some(who) => self.model.mentions.insert(id, self.who[who]),
            None => self.model.mentions.remove(&id),
        };
    }

    /// Records a post. Its parent or original is already recorded.
    pub fn record_posted(&mut self, id: StatusId, by: UserId, text: StatusText) {
        self.model.texts.insert(id, vec![text]);
        self.record_status(id, by);
    }

    fn record_status(&mut self, id: StatusId, by: UserId) {
        self.model.statuses.insert(id, by);
        self.model.under_way.insert(id);
        for memory in self.memories.values_mut() {
            memory.posted(id);
        }
        self.notify_of(id);
    }

    /// Reposts or quotes a status.
    async fn repost(&mut self, by: UserId, of: UserId, nth: usize, comment: bool) {
        let Some(id) = self.model.profile(of).get(nth).copied() else {
            return;
        };
        let original = self.model.shown_status(id);
        if self.model.in_group.contains(&original) {
            return;
        }
        if comment {
            let author = self.model.statuses[&original];
            let id = quote(self.store(), by, id, LINE).await;
            self.model.quotes.insert(id, author);
            self.record_posted(id, by, StatusText::plain(LINE));
            return;
        }
        let known = self.model.repost_by(by, original);
        let id = repost(self.store(), by, id).await;
        match known {
            Some(known) => assert_eq!(id, known, "one repost each"),
            None => {
                self.model.reposts.insert(id, original);
                self.record_status(id, by);
            }
        }
    }

    async fn undo_repost(&mut self, by: UserId, nth: usize) {
        let theirs = self.model.profile(by);
        let mut reposts = theirs.iter().filter_map(|id| self.model.reposts.get(id));
        let Some(original) = reposts.nth(nth).copied() else {
            return;
        };
        let taken_back = reposts::undo_repost(self.store(), by, original).await;
        taken_back.expect("an answer");
        if let Some(id) = self.model.repost_by(by, original) {
            self.model.delete(id);
        }
    }

    async fn set_hidden_reposts(&mut self, (from, to): (UserId, UserId), hide: bool) {
        let how = if hide {
            FilterChange::Set(HomeFilter::HiddenReposts)
        } else {
            FilterChange::Clear(HomeFilter::HiddenReposts)
        };
        let hidden = follows::change_filter(self.store(), from, to, how).await;
        let follows = self.model.follows.contains(&(from, to));
        assert_eq!(hidden.expect("an answer") == FilterOutcome::Done, follows);
        if hide && follows {
            self.model.hidden_reposts.insert((from, to));
        } else {
            self.model.hidden_reposts.remove(&(from, to));
        }
    }

    async fn reply(&mut self, by: UserId, nth: usize, count: usize, mentions: Option<usize>) {
        let mention = mentions.map(|who| format!(" @person_{who}"));
        let text = LINE.to_owned() + &mention.unwrap_or_default();
        for _ in 0..count {
            let Some(to) = self.model.nth(nth).map(|id| self.model.shown_status(id)) else {
                return;
            };
            let is_in_group = self.model.in_group.contains(&to);
            if is_in_group && !self.model.members.contains_key(&by) {
                return;
            }
            let author = self.model.statuses[&to];
            let id = reply(self.store(), by, to, &text).await;
            self.model.in_group.extend(is_in_group.then_some(id));
            self.model.answers.insert(id, (to, author));
            self.mentions(id, mentions);
            self.record_posted(id, by, StatusText::plain(&text));
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
            self.notify(to, from, NotificationKind::Follow);
        }
    }

    async fn unfollow(&mut self, from: UserId, to: UserId) {
        let answer = follows::unfollow(self.store(), from, to).await;
        answer.expect("an answer");
        self.model.follows.remove(&(from, to));
        self.withdraw_notification(to, from, NotificationKind::Follow);
        self.model.hidden_reposts.remove(&(from, to));
    }

    async fn unfollow_tag(&mut self, reader: UserId, tag: usize) {
        let left = tag_follows::unfollow(self.store(), reader, &tag_named(TAGS[tag])).await;
        left.expect("an answer");
        self.model.tag_follows.remove(&(reader, tag));
    }

    async fn create_list(&mut self, owner: UserId) -> ListId {
        let name = ListName::parse("A list").expect("valid");
        let made = lists::create(self.store(), owner, &name, &IdempotencyKey::draw()).await;
        let Ok(lists::Create::Created(list)) = made else {
            panic!("{made:?}");
        };
        let plain = ExpectedList {
            name: name.as_str().to_owned(),
            ..ExpectedList::default()
        };
        self.model.lists.insert(list, plain);
        list
    }

    async fn change_list(&mut self, owner: usize, at: usize, change: Change) {
        let list = self.lists[owner][at];
        let ListId { owner: of, number } = list;
        let store = self.store();
        let plain = self.model.lists.get_mut(&list).expect("it exists");
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
                self.lists[owner][at] = self.create_list(of).await;
            }
        }
    }

    fn end_visit(&mut self, reader: UserId) {
        let memory = self.memories.get_mut(&reader).expect("a reader");
        if memory.has_read {
            memory.paused = true;
            let key = format!("reading:{{{reader}}}");
            self.site.redis.command(&["HSET", &key, "at", "1"]);
        }
    }

    fn make_dormant(&self, reader: usize) {
        let lists = self.lists[reader].iter().map(|list| Timeline::List(*list));
        for timeline in lists.chain([Timeline::Home(self.who[reader])]) {
            let mark = crate::support::state::mark_name(timeline);
            self.site.redis.command(&["DEL", &mark]);
        }
    }
}

async fn edit(store: &Store, list: ListId, plain: &ExpectedList) {
    let name = ListName::parse(&plain.name).expect("valid");
    let edited = lists::edit(store, list.owner, list.number, &name, plain.exclusive).await;
    let edited = edited.expect("an answer");
    let is_done = matches!(edited, EditListOutcome::Done | EditListOutcome::HomeDropped);
    assert!(is_done, "{edited:?}");
}
