//! What people with new accounts may write. A text within the limits costs no read.

use futures_util::try_join;

use crate::{
    domain::{
        MAX_NEWCOMER_MENTIONS, MAX_WAITING_POSTS, NewcomerLimit, NewcomerRefusal, Readers,
        Visibility,
    },
    store::prelude::*,
};

/// A text that a person is about to post, or to which they change a post.
#[derive(Debug, Clone, Copy)]
pub struct TextToPost<'a> {
    pub author: UserId,
    pub link_count: usize,
    pub mentioned: &'a [UserId],
    /// The author of the post that it replies to. The reply notifies this person anyway.
    pub answered: Option<UserId>,
}

impl Store {
    /// Returns the reason why a newcomer may not post a text. The state of the account is read now, and only for a text
    /// that exceeds a limit. It can change only in favour of the author: the limits end, or a person vouches. So a text
    /// that passes during a change would pass after it too.
    pub async fn newcomer_refusal(&self, text: TextToPost<'_>) -> Result<Option<NewcomerRefusal>> {
        let others = text.mentioned.iter().copied();
        let others: Vec<UserId> = others.filter(|id| Some(*id) != text.answered).collect();
        if NewcomerLimit::exceeded_by(text.link_count, others.len()).is_none() {
            return Ok(None);
        }
        let (author, followers, now) = try_join!(
            self.user(text.author),
            self.follower_count_among(text.author, &others),
            self.now()
        )?;
        let days = self.config.limits.new_account_days;
        let until = author.and_then(|author| author.newcomer_until(days, now));
        let limit = NewcomerLimit::exceeded_by(text.link_count, others.len() - followers);
        let refusal = limit.zip(until);
        Ok(refusal.map(|(limit, until)| NewcomerRefusal { limit, until }))
    }

    /// Returns whether a text waits for a moderator: one with a link, by a newcomer, on a site where such texts wait.
    /// Texts for followers or for the members of a group do not wait, because moderators do not read them. Refuses a
    /// reply for followers to a person who does not follow the newcomer. Also refuses a text if too many posts of the
    /// author wait. Reads only for a text that could wait.
    pub async fn is_to_wait(&self, text: TextToPost<'_>, readers: Readers) -> Result<bool> {
        let visibility = readers.visibility();
        let answered = text
            .answered
            .filter(|answered| visibility == Visibility::Followers && *answered != text.author);
        let may_wait = visibility.is_shareable() || answered.is_some();
        if text.link_count == 0 || !may_wait || !self.site().await?.shields.holds_links {
            return Ok(false);
        }
        let (person, now, waiting_count, following) = try_join!(
            self.user(text.author),
            self.now(),
            self.waiting_post_count(text.author),
            self.followers_among(text.author, answered.as_slice()),
        )?;
        let days = self.config.limits.new_account_days;
        let until = person
            .as_ref()
            .and_then(|person| person.newcomer_until(days, now));
        let Some(until) = until else {
            return Ok(false);
        };
        let refused = |limit| Err(Error::Newcomer(NewcomerRefusal { limit, until }));
        if answered.is_some() {
            return match following {
                0 => refused(NewcomerLimit::LinkToStranger),
                _ => Ok(false),
            };
        }
        if person.is_some_and(|person| person.is_private) {
            return Ok(false);
        }
        match waiting_count >= MAX_WAITING_POSTS {
            true => refused(NewcomerLimit::WaitingPosts),
            false => Ok(true),
        }
    }

    /// Returns how many of these people follow a person. Returns 0 without a read if the number of people is within the
    /// limit. One round trip.
    async fn follower_count_among(&self, person: UserId, people: &[UserId]) -> Result<usize> {
        match people.len() <= MAX_NEWCOMER_MENTIONS {
            true => Ok(0),
            false => self.followers_among(person, people).await,
        }
    }

    /// Returns how many of these people follow a person. One round trip.
    async fn followers_among(&self, person: UserId, people: &[UserId]) -> Result<usize> {
        let follow = |id: &UserId| redis::cmd("ZSCORE").with((keys::following(id), person.get()));
        let follows = self.connection.query_each(people.iter().map(follow));
        let follows: Vec<Option<f64>> = follows.await?;
        Ok(follows.iter().flatten().count())
    }
}
