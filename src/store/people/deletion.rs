//! Single steps of the deletion of an account: the keys of its person, and the traces that no index leads to.

use redis::streams::StreamRangeReply;

use super::calls;
use crate::{
    domain::SweepToken,
    store::{FoundKey, KeyOwner, Names, leases::LeaseTime, prelude::*},
};

/// The value of a login after the deletion of its account.
pub const RESERVED_LOGIN: &str = "0";
/// Lifetime of the lease of a sweep. After it, the sweep counts as lost.
const SWEEP_LEASE_S: u64 = 600;

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
pub fn connections(of: UserId) -> [Key; 18] {
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
        Key::Votes(of),
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

    /// Adds a person to those who wait for a sweep. One who waits keeps their place.
    pub async fn wait_for_sweep(&self, person: UserId) -> Result<()> {
        let wait = calls::WaitForSweep {
            waiting: keys::PEOPLE_SWEEPING.to_owned(),
            now_ms: self.now().await?.0,
            user_id: person.get(),
        };
        self.connection.run(&wait).await
    }

    /// Returns the people who have waited longest for a sweep.
    pub async fn waiting_for_sweep(&self, count: usize) -> Result<Vec<UserId>> {
        let range = redis::cmd("ZRANGE").with((keys::PEOPLE_SWEEPING, 0, count - 1));
        Ok(user_ids(self.connection.query::<Vec<u64>>(range).await?))
    }

    /// Returns whether a person waits for a sweep or is part of one.
    pub async fn is_in_sweep(&self, person: UserId) -> Result<bool> {
        let place = Place::new(Key::PeopleSweeping, person);
        Ok(self.query_score(&place).await?.is_some())
    }

    pub async fn leave_sweep(&self, person: UserId) -> Result<()> {
        let remove = redis::cmd("ZREM").with((keys::PEOPLE_SWEEPING, person.get()));
        self.connection.execute(remove).await
    }

    /// Returns whether people wait for a sweep and none runs.
    pub async fn needs_sweep(&self) -> Result<bool> {
        let reads = [
            redis::cmd("TTL").with(keys::SWEEP),
            redis::cmd("EXISTS").with(keys::PEOPLE_SWEEPING),
        ];
        let (left_s, is_needed): (i64, bool) = self.connection.query_tuple(reads).await?;
        Ok(is_needed && !LeaseTime::of(SWEEP_LEASE_S).is_held(left_s))
    }

    /// Returns `false` while another sweep runs.
    pub async fn hold_sweep(&self, token: &SweepToken) -> Result<bool> {
        self.take_lease(
            keys::SWEEP,
            &token.to_string(),
            LeaseTime::of(SWEEP_LEASE_S),
        )
        .await
    }

    pub async fn release_sweep(&self, token: &SweepToken) -> Result<()> {
        self.release_lease(keys::SWEEP, &token.to_string()).await
    }

    /// Ends the lease of a lost sweep.
    pub async fn forget_sweep(&self) -> Result<()> {
        self.unlink(keys::SWEEP).await
    }

    /// Removes the traces of people in these keys that no index leads to: mutes, notifications, votes, uses of tags,
    /// sessions, idempotency keys, rate limits, logs of arrivals, keys of lists, marks of messages, and bans and mutes of groups.
    /// The tombstones of private accounts keep their readers.
    pub async fn remove_traces(&self, found: &[FoundKey], people: &[UserId]) -> Result<()> {
        let all = || found.iter().filter_map(|found| found.key.as_ref());
        let traces = all().flat_map(|key| remove_traces_in(key, people));
        self.connection.batch(traces.collect()).await?;
        for key in all() {
            match key {
                Key::Notifications(of) => self.drop_notifications_by(*of, people).await?,
                Key::OwnReports(_) => self.drop_own_reports_about(key, people).await?,
                Key::ChatHidden(chat) => self.drop_hidden_marks(*chat, people).await?,
                _ => {}
            }
        }
        self.remove_arrivals(all(), people).await?;
        let statuses = all().filter_map(|key| match key {
            Key::Status(id) => Some(*id),
            _ => None,
        });
        self.narrow_tombstones(&statuses.collect::<Vec<_>>(), people)
            .await?;
        let polls = all().filter_map(|key| match key {
            Key::Ballots(id) => Some(*id),
            _ => None,
        });
        self.drop_ballots_of(&polls.collect::<Vec<_>>(), people)
            .await
    }
}

impl Store {
    /// Removes the entries about people from the reports of another one.
    async fn drop_own_reports_about(&self, key: &Key, people: &[UserId]) -> Result<()> {
        let mut members: Vec<String> = self.connection.query(all_members(key.name())).await?;
        members.retain(|member| {
            let about = member
                .split(':')
                .next()
                .and_then(|id| id.parse::<UserId>().ok());
            about.is_some_and(|about| people.contains(&about))
        });
        self.remove_members(key, &members).await
    }

    /// Removes the votes of people in polls. One round trip, and one more with votes.
    async fn drop_ballots_of(&self, polls: &[StatusId], people: &[UserId]) -> Result<()> {
        let ids: Vec<u64> = people.iter().map(|person| person.get()).collect();
        let read = |id: &StatusId| scores(keys::ballots(*id), ids.iter().copied());
        let voted: Vec<Vec<Option<f64>>> =
            self.connection.query_each(polls.iter().map(read)).await?;
        for (at, person) in people.iter().enumerate() {
            let own = polls.iter().zip(&voted);
            let own = own.filter(|(_, votes)| votes.get(at).is_some_and(Option::is_some));
            let own: Vec<StatusId> = own.map(|(id, _)| *id).collect();
            if !own.is_empty() {
                self.drop_ballots(&own, *person).await?;
            }
        }
        Ok(())
    }

    /// Drops the logs of arrivals that name one of these people. Open pages then count approximately.
    async fn remove_arrivals(
        &self,
        found: impl Iterator<Item = &Key>,
        people: &[UserId],
    ) -> Result<()> {
        let logs: Vec<&Key> = found
            .filter(|key| matches!(key, Key::Arrivals(_)))
            .collect();
        let read = |log: &&Key| redis::cmd("XRANGE").with((log.name(), "-", "+"));
        let replies: Vec<StreamRangeReply> =
            self.connection.query_each(logs.iter().map(read)).await?;
        let is_named = |author: &str| {
            author
                .parse::<UserId>()
                .is_ok_and(|author| people.contains(&author))
        };
        let names_person = |reply: &StreamRangeReply| {
            let authors = reply.ids.iter().filter_map(|entry| entry.get("authors"));
            let authors: Vec<String> = authors.collect();
            authors
                .iter()
                .any(|authors| authors.split(' ').any(is_named))
        };
        let named = logs.into_iter().zip(&replies);
        let named = named.filter(|(_, reply)| names_person(reply));
        let drops = named.map(|(log, _)| redis::cmd("UNLINK").with(log.name()));
        self.connection.batch(drops.collect()).await.map(drop)
    }
}

/// Builds the commands that remove the traces of people, if a key can contain some.
fn remove_traces_in(key: &Key, people: &[UserId]) -> Vec<Cmd> {
    let is_whole = match key {
        // A person whose copies of a group are lost can still be among its people. The check removes members.
        Key::Muted(_) | Key::TagUses(_) | Key::GroupBanned(_) | Key::GroupMuted(_) => {
            let people: Vec<u64> = people.iter().map(|person| person.get()).collect();
            return vec![redis::cmd("ZREM").with((key.name(), people))];
        }
        Key::Votes(_) => {
            let remove = |author: &UserId| {
                let author = author.get();
                redis::cmd("ZREMRANGEBYSCORE").with((key.name(), author, author))
            };
            return people.iter().map(remove).collect();
        }
        Key::Session(token) | Key::IdempotencyKey(token) => people.contains(&token.user),
        Key::ListMembers(list) | Key::ListTimeline(list) | Key::ListActive(list) => {
            people.contains(&list.owner)
        }
        Key::Rate(limit) => {
            let who = limit
                .0
                .rsplit_once(':')
                .map(|(_, who)| who.parse::<UserId>());
            who.is_some_and(|who| who.is_ok_and(|who| people.contains(&who)))
        }
        _ => false,
    };
    match is_whole {
        true => vec![redis::cmd("UNLINK").with(key.name())],
        false => Vec::new(),
    }
}

fn drop_answer(_: i64) {}
