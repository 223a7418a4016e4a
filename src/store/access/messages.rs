//! Who may write to whom. A new chat is decided by the settings and follows of the people who are written to, an old one
//! by blocks and accounts. The decision reads what is stored at that moment, not the cache.

use std::collections::HashSet;

use super::is_hidden;
use crate::{
    domain::{Correspondents, MemberState},
    store::prelude::*,
};

/// The reason why a person may not write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WriteRefusal {
    /// The person does not exist, is hidden, or one of both blocks the other.
    Unavailable,
    /// The person accepts messages only from people that they follow.
    NotFollowed(Login),
    /// The person accepts no messages.
    NoMessages(Login),
    /// The account of the author is new until this time. The person neither follows it nor shares a group with it.
    Newcomer(UnixMs),
    /// The moderators limit the author, and the person does not follow them.
    Limited,
}

/// The facts that decide whether one person may write a first message to another.
#[derive(Debug, Clone)]
pub(super) struct FirstMessage<'a> {
    pub person: &'a User,
    /// One of both blocks the other.
    pub is_blocked: bool,
    /// The person follows the author.
    pub is_followed: bool,
    pub is_group: bool,
    /// The end of the limits of the author, whose account is new and who shares no group with the person.
    pub newcomer_until: Option<UnixMs>,
    /// The moderators limit the author.
    pub is_limited: bool,
}

/// Decides about the first message to a person. Returns the part of the person in the new chat.
pub(super) fn decide_first_message(
    first_message: &FirstMessage<'_>,
) -> std::result::Result<MemberState, WriteRefusal> {
    let FirstMessage {
        person,
        is_blocked,
        is_followed,
        is_group,
        newcomer_until,
        is_limited,
    } = *first_message;
    if is_blocked || is_hidden(person) {
        return Err(WriteRefusal::Unavailable);
    }
    let choice = match is_group {
        true => person.group_messages_from,
        false => person.messages_from,
    };
    if choice == Correspondents::NoOne {
        return Err(WriteRefusal::NoMessages(person.login.clone()));
    }
    if is_followed {
        return Ok(MemberState::Open);
    }
    if choice == Correspondents::Followed {
        return Err(WriteRefusal::NotFollowed(person.login.clone()));
    }
    match newcomer_until {
        _ if is_limited => Err(WriteRefusal::Limited),
        Some(until) => Err(WriteRefusal::Newcomer(until)),
        None => Ok(MemberState::Asked),
    }
}

impl Store {
    /// Decides about a new chat of the author with these people. Returns the part of each.
    pub async fn decide_new_chat(
        &self,
        author: UserId,
        people: &[UserId],
    ) -> Result<std::result::Result<Vec<(UserId, MemberState)>, WriteRefusal>> {
        self.decide_first_messages(author, people, people.len() > 1)
            .await
    }

    /// Returns why a person may not invite another one to a group, by the rules of a chat of several people.
    pub async fn invitation_refusal(
        &self,
        author: UserId,
        person: UserId,
    ) -> Result<Option<WriteRefusal>> {
        let decided = self.decide_first_messages(author, &[person], true).await?;
        Ok(decided.err())
    }

    /// Decides about each of these people. For a newcomer, it also reads the groups of all.
    async fn decide_first_messages(
        &self,
        author: UserId,
        people: &[UserId],
        is_group: bool,
    ) -> Result<std::result::Result<Vec<(UserId, MemberState)>, WriteRefusal>> {
        let now = self.now().await?;
        let mut reads = vec![User::command(&author)];
        for person in people {
            reads.push(User::command(person));
            reads.push(redis::cmd("ZSCORE").with((keys::following(*person), author.get())));
        }
        let mut answers = self.connection.batch(reads).await?.into_iter();
        let mut next = || answers.next().unwrap_or_default();
        let own = User::parse(&author, next())?;
        let mut rows = Vec::with_capacity(people.len());
        for person in people {
            let user = User::parse(person, next())?;
            rows.push((user, read::<Option<f64>>(next())?.is_some()));
        }
        let blocked = self.are_blocked(author, people).await?;
        let Some(own) = own else {
            return Err(Error::Ended);
        };
        let newcomer_until = own.newcomer_until(self.config.limits.new_account_days, now);
        let known = match newcomer_until {
            Some(_) => self.people_with_shared_groups(author, people).await?,
            None => HashSet::new(),
        };
        let mut parts = vec![(author, MemberState::Open)];
        for ((id, (person, is_followed)), is_blocked) in people.iter().zip(rows).zip(blocked) {
            let Some(person) = person else {
                return Ok(Err(WriteRefusal::Unavailable));
            };
            let first_message = FirstMessage {
                person: &person,
                is_blocked,
                is_followed,
                is_group,
                newcomer_until: newcomer_until.filter(|_| !known.contains(id)),
                is_limited: own.is_limited,
            };
            match decide_first_message(&first_message) {
                Ok(state) => parts.push((*id, state)),
                Err(refusal) => return Ok(Err(refusal)),
            }
        }
        Ok(Ok(parts))
    }

    /// Returns whether a person may write in a chat of two, at this moment: neither blocks the other, and the account
    /// of the other is not hidden.
    pub async fn permits_message(&self, author: UserId, person: UserId) -> Result<bool> {
        let user = self.user(person).await?;
        let blocked = self.are_blocked(author, &[person]).await?;
        Ok(user.is_some_and(|user| !is_hidden(&user)) && blocked == [false])
    }

    /// Returns those of these people who share a group with a person. One round trip.
    async fn people_with_shared_groups(
        &self,
        person: UserId,
        people: &[UserId],
    ) -> Result<HashSet<UserId>> {
        let all = [person].into_iter().chain(people.iter().copied());
        let groups = |id| redis::cmd("ZRANGE").with((keys::memberships(id), 0, -1));
        let groups: Vec<Vec<String>> = self.connection.query_each(all.map(groups)).await?;
        let Some((own, others)) = groups.split_first() else {
            return Ok(HashSet::new());
        };
        let others = people.iter().zip(others);
        let sharing = others.filter(|(_, theirs)| theirs.iter().any(|group| own.contains(group)));
        Ok(sharing.map(|(id, _)| *id).collect())
    }

    /// Returns whether one of the viewer and each of these people blocks the other. One round trip.
    async fn are_blocked(&self, viewer: UserId, people: &[UserId]) -> Result<Vec<bool>> {
        let sides = [keys::blocked(viewer), keys::blocked_by(viewer)];
        let reads = people.iter().flat_map(|person| {
            let id = person.get();
            sides
                .each_ref()
                .map(|side| redis::cmd("ZSCORE").with((side, id)))
        });
        let scores: Vec<Option<f64>> = self.connection.query_each(reads).await?;
        let is_blocked = |sides: &[Option<f64>]| sides.iter().any(Option::is_some);
        Ok(scores.chunks(2).map(is_blocked).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::super::messages::*;
    use crate::domain::AccountState;

    fn somebody() -> User {
        User {
            id: UserId::new(2).expect("in range"),
            login: Login::parse("somebody").expect("valid"),
            name: String::new(),
            bio: String::new(),
            signup: UnixMs(0),
            posts: 0,
            followers: 0,
            following: 0,
            is_private: false,
            is_limited: false,
            requests: 0,
            default_visibility: None,
            last_visibility: Default::default(),
            messages_from: Correspondents::Everyone,
            group_messages_from: Correspondents::Everyone,
            shows_read_marks: false,
            state: AccountState::Active,
            former_logins: crate::domain::FormerLogins::default(),
            pinned: crate::domain::PinnedPosts::default(),
            shows_favourites: false,
            newcomer_since: None,
            row_version: None,
        }
    }

    #[test]
    fn the_first_message_is_decided_by_blocks_settings_follows_and_limits_in_this_order() {
        use Correspondents::{Everyone, Followed, NoOne};
        let login = || Login::parse("somebody").expect("valid");
        let limited = Some(UnixMs(100));
        let decide = |choice, is_followed, is_blocked, newcomer_until| {
            let mut person = somebody();
            person.messages_from = choice;
            let first_message = FirstMessage {
                person: &person,
                is_blocked,
                is_followed,
                is_group: false,
                newcomer_until,
                is_limited: false,
            };
            let alone = decide_first_message(&first_message);
            let mut in_group = person.clone();
            in_group.group_messages_from = choice;
            in_group.messages_from = Everyone;
            let group = FirstMessage {
                person: &in_group,
                is_group: true,
                ..first_message
            };
            assert_eq!(decide_first_message(&group), alone);
            alone
        };
        assert_eq!(decide(Everyone, false, false, None), Ok(MemberState::Asked));
        assert_eq!(
            decide(Everyone, true, false, limited),
            Ok(MemberState::Open)
        );
        assert_eq!(
            decide(Followed, true, false, limited),
            Ok(MemberState::Open)
        );
        assert_eq!(
            decide(Everyone, false, false, limited),
            Err(WriteRefusal::Newcomer(UnixMs(100)))
        );
        assert_eq!(
            decide(Followed, false, false, limited),
            Err(WriteRefusal::NotFollowed(login()))
        );
        assert_eq!(
            decide(NoOne, true, false, limited),
            Err(WriteRefusal::NoMessages(login()))
        );
        assert_eq!(
            decide(Everyone, true, true, limited),
            Err(WriteRefusal::Unavailable)
        );
    }

    #[test]
    fn no_one_writes_to_a_hidden_account() {
        let mut person = somebody();
        person.state = AccountState::stored(Some("Spam.".to_owned()), None, None);
        let first_message = FirstMessage {
            person: &person,
            is_blocked: false,
            is_followed: true,
            is_group: false,
            newcomer_until: None,
            is_limited: false,
        };
        assert_eq!(
            decide_first_message(&first_message),
            Err(WriteRefusal::Unavailable)
        );
    }
}
