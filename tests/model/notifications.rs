//! Notifications as a plain log, compared with the site: every line, its actors, which lines are
//! new, and the number of unread lines.

use std::{
    collections::HashSet,
    time::{SystemTime, UNIX_EPOCH},
};

use redwing::{
    domain::{
        Bundle, Notification, NotificationFilter, NotificationKind, PAGE_SIZE, StatusId, UserId,
    },
    store::{Key, NotificationPage, Pages, ReadMode},
};

use super::game::Game;
use crate::notifications;

/// Line: the kind, the number of actors, and whether some of it is new.
type Line = (NotificationKind, usize, bool);

/// Notifications of one person, newest last, each with its position in the global order.
#[derive(Default)]
pub struct NotificationLog {
    entries: Vec<(Notification, u64)>,
    /// Removed notifications with their positions. A repeated one returns to its former position.
    retracted: Vec<(Notification, u64)>,
    /// How far it was read: before this visit, and with it.
    read: [u64; 2],
    visiting: bool,
}

impl NotificationLog {
    fn add(&mut self, notification: Notification, at: u64) {
        if self.entries.iter().any(|(entry, _)| *entry == notification) {
            return;
        }
        match self
            .retracted
            .iter()
            .position(|(entry, _)| *entry == notification)
        {
            Some(was) => {
                self.entries.push(self.retracted.remove(was));
                self.entries.sort_by_key(|(_, at)| *at);
            }
            None => self.entries.push((notification, at)),
        }
    }

    /// Removes a notification that may come back.
    pub fn withdraw(&mut self, notification: Notification) {
        let [_, read] = self.read;
        let retracted = self
            .entries
            .extract_if(.., |(entry, _)| *entry == notification);
        self.retracted
            .extend(retracted.filter(|(_, at)| *at <= read));
    }

    /// Removes notifications for good.
    pub fn remove_where(&mut self, is_gone: impl Fn(Notification) -> bool) {
        self.entries.retain(|(entry, _)| !is_gone(*entry));
        self.retracted.retain(|(entry, _)| !is_gone(*entry));
    }

    fn visit(&mut self) {
        let [before, read] = self.read;
        let newest = self.entries.iter().map(|(_, at)| *at).max();
        let before = if self.visiting { before } else { read };
        self.read = [before, read.max(newest.unwrap_or_default())];
        self.visiting = true;
    }

    /// Returns the lines, newest first.
    fn lines(&self) -> Vec<Line> {
        let [before, read] = self.read;
        let before = if self.visiting { before } else { read };
        let mut lines: Vec<Line> = Vec::new();
        for (notification, at) in self.entries.iter().rev() {
            match lines
                .iter_mut()
                .find(|(kind, ..)| *kind == notification.kind)
            {
                Some((_, count, _)) => *count += 1,
                None => lines.push((notification.kind, 1, *at > before)),
            }
        }
        lines
    }

    fn unread(&self) -> u64 {
        let [_, read] = self.read;
        let unread = self.entries.iter().filter(|(_, at)| *at > read);
        let lines: HashSet<NotificationKind> = unread.map(|(entry, _)| entry.kind).collect();
        lines.len() as u64
    }
}

impl Game<'_> {
    pub fn notify(&mut self, to: UserId, by: UserId, kind: NotificationKind) {
        if to != by {
            self.moment += 1;
            let log = self.model.logs.entry(to).or_default();
            log.add(Notification { kind, by }, self.moment);
        }
    }

    pub fn withdraw_notification(&mut self, to: UserId, by: UserId, kind: NotificationKind) {
        let log = self.model.logs.entry(to).or_default();
        log.withdraw(Notification { kind, by });
    }

    /// Notifies each person of a status once, with the first kind that applies.
    pub fn notify_of(&mut self, id: StatusId) {
        let model = &self.model;
        let author = |of: &StatusId| model.statuses.get(of).copied();
        let answered = model
            .answers
            .get(&id)
            .map(|(_, of)| (*of, NotificationKind::Reply(id)));
        let reposted = model.reposts.get(&id);
        let reposted = reposted.and_then(|of| Some((author(of)?, NotificationKind::Repost(*of))));
        let quoted = model.quotes.get(&id);
        let quoted = quoted.map(|of| (*of, NotificationKind::Quote(id)));
        let mentioned = model
            .mentions
            .get(&id)
            .map(|of| (*of, NotificationKind::Mention(id)));
        let mut notified: Vec<(UserId, NotificationKind)> = Vec::new();
        for (to, kind) in [answered, reposted, quoted, mentioned]
            .into_iter()
            .flatten()
        {
            if notified.iter().all(|(person, _)| *person != to) {
                notified.push((to, kind));
            }
        }
        let by = model.statuses[&id];
        for (to, kind) in notified {
            self.notify(to, by, kind);
        }
    }

    pub async fn read_notifications(&mut self, reader: UserId) {
        self.hold_notifications(reader).await;
        self.model.logs.entry(reader).or_default().visit();
        let page = self
            .store()
            .notifications_page(reader, (NotificationFilter::All, None), ReadMode::Visit)
            .await;
        let mut expected = self.lines(reader);
        expected.truncate(PAGE_SIZE);
        let shown = page.expect("an answer").items;
        assert_eq!(lines_of(&shown), expected, "a visit of {reader}");
    }

    pub async fn pause_notifications(&mut self, reader: UserId) {
        self.model.logs.entry(reader).or_default().visiting = false;
        let estate = self.store().user_snapshot(reader).await.expect("an answer");
        if let [Some(read), ..] = &estate.read_marker {
            let key = format!("read_marker:{{{reader}}}");
            self.site
                .redis
                .command(&["HSET", &key, "before", read, "at", "1"]);
        }
    }

    /// Keeps the marks of a visit, however long the steps since then took.
    async fn hold_notifications(&self, reader: UserId) {
        let log = self.model.logs.get(&reader);
        let estate = self.store().user_snapshot(reader).await.expect("an answer");
        if log.is_some_and(|log| log.visiting) && estate.read_marker[0].is_some() {
            let now = SystemTime::now().duration_since(UNIX_EPOCH);
            let now = now.expect("a time after 1970").as_millis().to_string();
            let key = format!("read_marker:{{{reader}}}");
            self.site.redis.command(&["HSET", &key, "at", &now]);
        }
    }

    /// Compares all notifications of a person, and the unread count.
    pub async fn compare_notifications(&self, reader: UserId) {
        self.hold_notifications(reader).await;
        let shown = notifications::all_notifications(self.store(), reader).await;
        assert_eq!(lines_of(&shown), self.lines(reader), "all of {reader}");
        let unread = self.unread_in_store(reader).await;
        assert_eq!(unread, self.unread(reader), "unread of {reader}");
    }

    /// Returns the number of lines on the notification pages.
    pub fn notification_line_count(&self, reader: UserId) -> usize {
        self.lines(reader).len()
    }

    fn lines(&self, reader: UserId) -> Vec<Line> {
        self.model
            .logs
            .get(&reader)
            .map_or_else(Vec::new, NotificationLog::lines)
    }

    /// Returns the unread count.
    pub fn unread(&self, reader: UserId) -> u64 {
        self.model
            .logs
            .get(&reader)
            .map_or(0, NotificationLog::unread)
    }

    /// Returns the number of lines above the read marker in the store.
    async fn unread_in_store(&self, reader: UserId) -> u64 {
        let estate = self.store().user_snapshot(reader).await.expect("an answer");
        let read = estate.read_marker[0].as_ref().map(|read| read.parse());
        let read: f64 = read.transpose().expect("a number").unwrap_or_default();
        let mut pages = Pages::of(&Key::Notifications(reader));
        let rows = self.store().rows(&mut pages).await.expect("an answer");
        let unread = rows.iter().filter(|(_, at)| *at > read);
        let unread = unread.map(|(text, at)| (text.parse().expect("a notification"), *at as u64));
        Bundle::all(&unread.collect::<Vec<_>>()).len() as u64
    }
}

fn lines_of(lines: &[NotificationPage]) -> Vec<Line> {
    lines
        .iter()
        .map(|line| (line.kind, notifications::size(line), line.is_new))
        .collect()
}
