//! Posting: who sees a post, whether it is permitted, and its creation.

use super::{DRAWS, delete_steps, mentions, publish};
use crate::{
    actions::{
        operations::{Reconciled, after_truth},
        prelude::*,
        timelines::newest_posts,
    },
    domain::{
        Draft, GroupId, GroupPostRefusal, ProfileView, Readers, ReplyTarget, Visibility,
        extra_bytes_of,
    },
    store::{Create, Draw, EarlierPost, Filing, GroupPosting, GroupText, TextToPost},
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Post {
    Posted(StatusId),
    /// This form already posted another text.
    KeyReused,
    /// This form already posted it, and the post was edited or deleted since.
    ChangedSince(StatusId),
    /// The status that it replies to is gone, or the one that it quotes may not be quoted.
    TargetDeleted,
    /// The status that it replies to, or the first one of the conversation, does not let the author reply.
    ReplyRefused,
    /// The author of the other status does not let others quote it.
    QuoteRefused,
    /// The group does not let the author write there.
    GroupRefused(GroupPostRefusal),
}

impl From<EarlierPost> for Post {
    fn from(earlier: EarlierPost) -> Self {
        match earlier {
            EarlierPost::Posted(id) => Self::Posted(id),
            EarlierPost::Changed(id) => Self::ChangedSince(id),
        }
    }
}

/// A draft with everything that was decided about it.
pub(super) struct Decided<'a> {
    draft: &'a Draft,
    /// The status that it replies to.
    target: Option<&'a ReplyTarget>,
    /// The widest visibility of a quote.
    widest: Visibility,
    /// The group that it is written in, and the readers of a post there.
    group: Option<(GroupId, Readers)>,
}

impl Decided<'_> {
    /// Returns the readers that a status by this author has, unless the account is private.
    fn readers(&self, author: UserId) -> Readers {
        let visibility = self.draft.visibility.min(self.widest);
        match (self.target, self.group) {
            (Some(target), _) => target.readers(author, visibility),
            (None, Some((_, readers))) => readers,
            (None, None) => Readers::of(visibility, author),
        }
    }

    /// Returns the group in which a person writes, and whether it is a reply.
    pub(super) fn group_text(
        draft: &Draft,
        target: Option<&ReplyTarget>,
    ) -> Option<(GroupId, GroupText)> {
        match target {
            Some(target) => target.group.map(|group| (group, GroupText::Reply)),
            None => draft.group.map(|group| (group, GroupText::Post)),
        }
    }
}

/// Posts a status: listings 8.2 (create) and 8.6 (post) of the book. The same idempotency key again
/// creates nothing and returns the same answer, unless the post was edited or deleted since. Authors see their own posts
/// on their home, which the book forgets. The first pass of followers runs within the call; tasks that survive the death
/// of a worker run the others.
pub async fn post(
    store: &Store,
    author: impl Into<Actor>,
    draft: impl Into<Draft>,
    idempotency_key: &IdempotencyKey,
) -> Result<Post> {
    let author = author.into();
    let draft = draft.into();
    let refuse = |refusal| earlier_post_or(store, author.id(), &draft, idempotency_key, refusal);
    let target = match draft.reply_to {
        None => None,
        Some(parent) => match store
            .reply_target(Viewer::Member(author.id()), parent)
            .await?
        {
            Some(target) if target.may_reply => Some(target),
            Some(_) => return refuse(Post::ReplyRefused).await,
            None => return refuse(Post::TargetDeleted).await,
        },
    };
    let mut widest = Visibility::Public;
    if let Some(quoted) = draft.quote_of {
        let quoted = store
            .status(Viewer::Member(author.id()), quoted.status)
            .await?;
        let is_closed = quoted
            .as_ref()
            .is_some_and(VisibleStatus::is_quoting_closed);
        match quoted.and_then(|quoted| quoted.widest_quote()) {
            Some(of_quote) => widest = of_quote,
            None if is_closed => return refuse(Post::QuoteRefused).await,
            None => return refuse(Post::TargetDeleted).await,
        }
    }
    let group = match Decided::group_text(&draft, target.as_ref()) {
        None => None,
        Some((group, text)) => match store.group_posting(author.id(), group, text).await? {
            GroupPosting::Permitted(readers) => Some((group, readers)),
            GroupPosting::Refused(refusal) => return refuse(Post::GroupRefused(refusal)).await,
        },
    };
    let call = store.begin().await?;
    let decided = Decided {
        draft: &draft,
        target: target.as_ref(),
        widest,
        group,
    };
    let steps = post_steps(store, &call, &author, &decided, idempotency_key);
    call.finish(steps.await).await
}

/// Returns the outcome of a draft that is refused now: the earlier status if the same form posted it before.
async fn earlier_post_or(
    store: &Store,
    author: UserId,
    draft: &Draft,
    idempotency_key: &IdempotencyKey,
    refusal: Post,
) -> Result<Post> {
    let earlier = store.posted_by(author, draft, idempotency_key).await?;
    Ok(earlier.map_or(refusal, Post::from))
}

/// Returns the refusal of a reply or quote by the rules that are stored now. The rules can have changed since the
/// first decision.
async fn find_refusal(
    store: &Store,
    author: UserId,
    decided: &Decided<'_>,
) -> Result<Option<Post>> {
    if let Some(target) = decided.target
        && !store.permits_reply(author, target).await?
    {
        return Ok(Some(Post::ReplyRefused));
    }
    if let Some((group, text)) = Decided::group_text(decided.draft, decided.target)
        && let GroupPosting::Refused(refusal) = store.group_posting(author, group, text).await?
    {
        return Ok(Some(Post::GroupRefused(refusal)));
    }
    if let Some(quoted) = decided.draft.quote_of
        && !store.permits_quote(author, quoted).await?
    {
        return Ok(Some(Post::QuoteRefused));
    }
    Ok(None)
}

async fn post_steps(
    store: &Store,
    call: &Call,
    actor: &Actor,
    decided: &Decided<'_>,
    idempotency_key: &IdempotencyKey,
) -> Result<Post> {
    let author = actor.id();
    let (draft, target) = (decided.draft, decided.target);
    let mut fields = draft.fields();
    fields.extend(target.map(ReplyTarget::fields).into_iter().flatten());
    if let Some((group, _)) = decided.group {
        fields.push(("group", group.to_string()));
    }
    let readers = decided.readers(author);
    let mentioned = store.mentioned_by(draft, author).await?;
    let text = TextToPost {
        author,
        link_count: draft.link_count(),
        mentioned: &mentioned,
        answered: target.map(|target| target.to.author),
    };
    let blocked = store.site().await?.shields.blocked_content(&draft.texts());
    let refusal = match blocked {
        Some(content) => Some(Error::Blocked(content)),
        None => store.newcomer_refusal(text).await?.map(Error::Newcomer),
    };
    if let Some(refusal) = refusal {
        let earlier = store.posted_by(author, draft, idempotency_key).await?;
        return earlier.map(Post::from).ok_or(refusal);
    }
    if store.is_to_wait(text, readers).await? {
        fields.push(("waiting", "0".to_owned()));
    }
    let filing = Filing {
        author,
        view: target.map_or(ProfileView::Posts, |_| ProfileView::PostsAndReplies),
        extra_bytes: extra_bytes_of(draft),
    };
    if filing.extra_bytes > 0 {
        fields.push(("extra_bytes", filing.extra_bytes.to_string()));
    }
    let mut refused = None;
    for _ in 0..DRAWS {
        let (id, login, readers) = match store
            .draw_status(actor, draft, idempotency_key, refused)
            .await?
        {
            Draw::Id {
                id,
                login,
                is_private: true,
            } => (id, login, readers.narrowed(author)),
            Draw::Id { id, login, .. } => (id, login, readers),
            Draw::Conflict => return Ok(Post::KeyReused),
            Draw::UnknownAuthor => {
                return Err(Error::Unexpected {
                    what: "the author",
                    answer: format!("{author} is not there"),
                });
            }
        };
        let header = StatusHeader {
            reply_to: target.map(|target| target.to),
            readers,
            group: decided.group.map(|(group, _)| group),
            ..StatusHeader::of(author)
        };
        let mentioned = mentions::field(store, &header, &mentioned).await?;
        let over_share = newest_posts::over_share(store, &header).await?;
        let fields = fields.iter().cloned().chain(readers.field());
        let fields: Vec<_> = fields.chain(mentioned).chain(over_share).collect();
        let (created, outbox_entry) = store
            .create_status(call, id, (actor, &login), &fields, idempotency_key)
            .await?;
        let outcome = match created {
            Create::Taken => {
                store.remove_outbox_entry(outbox_entry).await?;
                refused = Some(id);
                continue;
            }
            Create::Created | Create::Already => Post::Posted(id),
            Create::Edited | Create::Buried => Post::ChangedSince(id),
        };
        if created == Create::Created
            && let Some(refusal) = find_refusal(store, author, decided).await?
        {
            delete_steps(store, call, author, id).await?;
            store.remove_outbox_entry(outbox_entry).await?;
            return Ok(refusal);
        }
        let steps = async {
            if created != Create::Buried {
                publish(store, call, id, filing).await?;
            }
            store.remove_outbox_entry(outbox_entry).await?;
            Ok(Reconciled::Yes)
        };
        after_truth(call, steps.await)?;
        return Ok(outcome);
    }
    Err(Error::Unavailable("no free status id was drawn".into()))
}
