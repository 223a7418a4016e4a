//! Single steps of the deletion of an account: the keys of its person, and the traces that no index leads to.

use redis::streams::StreamRangeReply;

use super::calls;
use crate::store::{FoundKey, KeyOwner, Names, Walk, prelude::*};

/// The value of a login after the deletion of its account.
pub const RESERVED_LOGIN: &str = "0";

outcomes! {
    pub enum FinishDeletion {
        Finished = "finished",
        /// Something still connects the person with others.
        Connected = "connected",
        /// The account is not being deleted.
        Refused = "refused",
    }
}

/// The holder of a login.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoginHolder {
    Free,
    User(UserId),
    /// The account was deleted.
    Reserved,
}

/// Returns the keys that connect a person with others. All are empty when a deletion ends.
pub fn connections(of: UserId) -> [Key; 17] {
    [
        Key::Followers(of),
        Key::Requests(of),
        Key::ListMemberships(of),
        Key::BlockedBy(of),
        Key::Following(of),
        Key::Requested(of),
        Key::Blocked(of),
        Key::FollowedTags(of),
        Key::Lists(of),
        Key::Chats(of),
        Key::ChatRequests(of),
        Key::Memberships(of),
        Key::AskedGroups(of),
        Key::GroupInvitations(of),
        Key::Favourites(of),
        Key::Profile(of),
        Key::OwnReports(of),
    ]
}

impl Store {
    pub async fn login_holder(&self, login: &Login) -> Result<LoginHolder> {
        let get = redis::cmd("GET").with(keys::login(login));
        let holder: Option<String> = self.connection.query(get).await?;
        Ok(match holder.as_deref() {
            None => LoginHolder::Free,
            Some(RESERVED_LOGIN) => LoginHolder::Reserved,
            Some(id) => LoginHolder::User(id.parse().map_err(|_| Error::Unexpected {
                what: "a login",
                answer: id.to_owned(),
            })?),
        })
    }

    /// Drops the home of a person, so that no unfollow has to take posts from it.
    pub async fn drop_home(&self, of: UserId) -> Result<()> {
        let drop = redis::cmd("UNLINK").with((keys::home(of), keys::active(of)));
        self.connection.query::<i64>(drop).await.map(drop_answer)
    }

    /// Returns up to `count` members of a ZSET.
    pub async fn some_members(&self, key: &Key, count: usize) -> Result<Vec<String>> {
        let range = redis::cmd("ZRANGE").with((key.name(), 0, count.saturating_sub(1)));
        self.connection.query(range).await
    }

    /// Removes these members from a ZSET.
    pub async fn remove_members(&self, key: &Key, members: &[String]) -> Result<()> {
        if members.is_empty() {
            return Ok(());
        }
        let remove = redis::cmd("ZREM").with(key.name()).with(members);
        self.connection.query::<i64>(remove).await.map(drop_answer)
    }

    /// Returns the names of a person, also during the deletion of the account.
    pub async fn last_names(&self, of: UserId) -> Result<Option<Names>> {
        let read = redis::cmd("HMGET").with((keys::user(of), "login", "name", "former"));
        let (login, name, former): (Option<String>, Option<String>, Option<String>) =
            self.connection.query(read).await?;
        let login = login.as_deref().and_then(Login::stored);
        Ok(login.map(|login| Names {
            login,
            name: name.unwrap_or_default(),
            former,
        }))
    }

    /// Takes the login from a person. No one else can use it.
    pub async fn reserve_login(&self, login: &Login, of: UserId) -> Result<()> {
        let reserve = calls::ReserveLogin {
            login: keys::login(login),
            user_id: of.get(),
        };
        self.connection.run_durably(&reserve).await
    }

    /// Removes a person from the suggestions, from the schedule of deletions, from the queues of reports and of
    /// applicants, and from the people who run the site.
    pub async fn remove_from_people(&self, person: UserId) -> Result<()> {
        let all = [
            keys::PEOPLE_NEWEST,
            keys::PEOPLE_FOLLOWED,
            keys::PEOPLE_LEAVING,
            keys::ADMIN_REPORTS,
            keys::ADMIN_APPEALS,
            keys::ADMIN_CLOSED_REPORTS,
            keys::PEOPLE_WAITING,
        ];
        let removals = all.map(|key| redis::cmd("ZREM").with((key, person.get())));
        let role = redis::cmd("HDEL").with((keys::ADMIN_ROLES, person.get()));
        let removals = removals.into_iter().chain([role]);
        self.connection.batch(removals.collect()).await.map(drop)
    }

    /// Removes the keys of a person, unless something still connects them with others.
    pub async fn finish_deletion(&self, call: &Call, person: UserId) -> Result<FinishDeletion> {
        let connections = connections(person);
        let is_other = |key: &Key| *key != Key::User(person) && !connections.contains(key);
        let mut others = Key::all_of(&KeyOwner::User(person));
        others.retain(is_other);
        let mut names: Vec<String> = connections.iter().map(Key::name).collect();
        names.extend(others.iter().map(Key::name));
        let finish = calls::FinishDeletion {
            user: keys::user(person),
            others: names,
            deadline_ms: call.deadline(),
            now_ms: self.now().await?.0,
            connection_count: connections.len(),
        };
        self.connection.run_durably(&finish).await
    }

    /// Returns a walk over all keys that continues there.
    pub async fn walk_from(&self, at: usize, cursor: u64) -> Result<Walk> {
        let walk = self.begin_walk().await?;
        Ok(Walk { at, cursor, ..walk })
    }

    /// Removes the traces of a person in these keys that no index leads to: mutes, notifications, votes, uses of tags,
    /// sessions, idempotency keys, rate limits, logs of arrivals, keys of lists, marks of messages, and bans of groups.
    pub async fn remove_traces(&self, found: &[FoundKey], person: UserId) -> Result<()> {
        let all = || found.iter().filter_map(|found| found.key.as_ref());
        let traces = all().filter_map(|key| remove_trace(key, person));
        self.connection.batch(traces.collect()).await?;
        for key in all() {
            match key {
                Key::Notifications(of) => self.drop_notifications_by(*of, person).await?,
                Key::OwnReports(_) => self.drop_own_reports_about(key, person).await?,
                Key::ChatHidden(chat) => self.drop_hidden_marks(*chat, person).await?,
                _ => {}
            }
        }
        self.remove_arrivals(all(), person).await?;
        let polls = all().filter_map(|key| match key {
            Key::Ballots(id) => Some(*id),
            _ => None,
        });
        self.drop_ballots(&polls.collect::<Vec<_>>(), person).await
    }
}

impl Store {
    /// Removes the entries about a person from the reports of another one.
    async fn drop_own_reports_about(&self, key: &Key, person: UserId) -> Result<()> {
        let mut members: Vec<String> = self.connection.query(all_members(key.name())).await?;
        let prefix = format!("{person}:");
        members.retain(|member| member.starts_with(&prefix));
        self.remove_members(key, &members).await
    }

    /// Drops the logs of arrivals that name a person. Open pages then count approximately.
    async fn remove_arrivals(
        &self,
        found: impl Iterator<Item = &Key>,
        person: UserId,
    ) -> Result<()> {
        let logs: Vec<&Key> = found
            .filter(|key| matches!(key, Key::Arrivals(_)))
            .collect();
        let read = |log: &&Key| redis::cmd("XRANGE").with((log.name(), "-", "+"));
        let replies: Vec<StreamRangeReply> =
            self.connection.query_each(logs.iter().map(read)).await?;
        let person = person.to_string();
        let names_person = |reply: &StreamRangeReply| {
            let authors = reply.ids.iter().filter_map(|entry| entry.get("authors"));
            let authors: Vec<String> = authors.collect();
            authors
                .iter()
                .any(|authors| authors.split(' ').any(|author| author == person))
        };
        let named = logs.into_iter().zip(&replies);
        let named = named.filter(|(_, reply)| names_person(reply));
        let drops = named.map(|(log, _)| redis::cmd("UNLINK").with(log.name()));
        self.connection.batch(drops.collect()).await.map(drop)
    }
}

/// Builds the command that removes a trace of a person, if a key can contain one.
fn remove_trace(key: &Key, person: UserId) -> Option<Cmd> {
    let is_whole = match key {
        // A person whose copies of a group are lost can still be among its people. The check removes members.
        Key::Muted(_) | Key::TagUses(_) | Key::GroupBanned(_) => {
            return Some(redis::cmd("ZREM").with((key.name(), person.get())));
        }
        Key::Session(token) | Key::IdempotencyKey(token) => token.user == person,
        Key::ListMembers(list) | Key::ListTimeline(list) | Key::ListActive(list) => {
            list.owner == person
        }
        Key::Rate(limit) => limit
            .0
            .rsplit_once(':')
            .is_some_and(|(_, who)| who == person.to_string()),
        _ => false,
    };
    is_whole.then(|| redis::cmd("UNLINK").with(key.name()))
}

fn drop_answer(_: i64) {}
