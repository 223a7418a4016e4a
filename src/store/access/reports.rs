//! Which posts a member may report. A report is about the post that its form showed. So it is accepted even if the post
//! or the account of its author has changed since, unless that account was deleted.

use serde::{Deserialize, Serialize};

use crate::{
    domain::{PostName, ReportedPost},
    store::{ReportedText, moderation::reports::reported_post, prelude::*},
};

/// A post as the form of a report showed it to a viewer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownPost(Shown);

/// The content of a [`ShownPost`] as its form carries it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Shown {
    viewer: UserId,
    id: StatusId,
    revision: u64,
    author: UserId,
    post: ReportedPost,
}

/// A post that a member may report.
#[derive(Debug)]
pub enum PostToReport {
    /// The member sees it.
    Visible(Box<VisibleStatus>),
    /// The form showed it to the member, who does not see it any more.
    Shown(ShownPost),
    /// The form showed it to the member. Since then, it was edited.
    Edited(ShownPost, Box<VisibleStatus>),
}

/// Why a member may not report a post.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotReportable {
    Own,
    /// The member does not see it, and no form showed it. Reposts too, because they have no text.
    Unseen,
}

type Decision<T> = std::result::Result<T, NotReportable>;

impl ShownPost {
    /// Parses the text of a form. The caller has verified its signature.
    pub fn from_signed(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok().map(Self)
    }

    /// Returns the text for a form. The earliest versions are left out if they do not fit.
    pub fn to_text(&self, max_bytes: usize) -> String {
        let mut shown = self.0.clone();
        loop {
            let text = serde_json::to_string(&shown).unwrap_or_default();
            if text.len() <= max_bytes || shown.post.versions.is_empty() {
                return text;
            }
            shown.post.versions.remove(0);
        }
    }

    pub fn id(&self) -> StatusId {
        self.0.id
    }

    pub fn revision(&self) -> u64 {
        self.0.revision
    }

    pub fn author(&self) -> UserId {
        self.0.author
    }

    pub fn post(&self) -> &ReportedPost {
        &self.0.post
    }

    /// Returns the text that a report keeps.
    pub fn reported(&self) -> ReportedText {
        reported_text(self.0.id, self.0.revision, &self.0.post)
    }

    /// Returns whether a form showed this post to this viewer.
    fn is_of(&self, viewer: UserId, id: StatusId) -> bool {
        self.0.viewer == viewer && self.0.id == id
    }
}

fn reported_text(status: StatusId, revision: u64, post: &ReportedPost) -> ReportedText {
    ReportedText {
        field: PostName { status, revision }.to_string(),
        text: post.to_json(),
    }
}

/// Decides whether a member may report the post that they see.
fn decide_visible(visible: Option<VisibleStatus>) -> Decision<VisibleStatus> {
    match visible {
        Some(status) if status.is_repost() => Err(NotReportable::Unseen),
        Some(status) if status.is_own() => Err(NotReportable::Own),
        Some(status) => Ok(status),
        None => Err(NotReportable::Unseen),
    }
}

/// Decides whether a member may report a post: the one that a form showed them, or else the one that they see. Both are
/// the same if it was not edited since.
fn decide_post(visible: Option<VisibleStatus>, shown: Option<ShownPost>) -> Decision<PostToReport> {
    match (decide_visible(visible), shown) {
        (Err(NotReportable::Unseen), Some(shown)) => Ok(PostToReport::Shown(shown)),
        (Ok(status), Some(shown)) if shown.revision() != status.revision() => {
            Ok(PostToReport::Edited(shown, Box::new(status)))
        }
        (Ok(status), _) => Ok(PostToReport::Visible(Box::new(status))),
        (Err(reason), _) => Err(reason),
    }
}

impl Store {
    /// Returns the post that the form of a report shows.
    pub async fn visible_post_to_report(
        &self,
        viewer: UserId,
        id: StatusId,
    ) -> Result<Decision<VisibleStatus>> {
        let visible = self.status(Viewer::Member(viewer), id).await?;
        Ok(decide_visible(visible))
    }

    /// Returns the post that a member may report. If a form showed it to them, it need not be visible now. Its author is
    /// checked later, for a complete report only: see [`Store::is_known_author`].
    pub async fn post_to_report(
        &self,
        viewer: UserId,
        id: StatusId,
        shown: Option<ShownPost>,
    ) -> Result<Decision<PostToReport>> {
        let visible = self.status(Viewer::Member(viewer), id).await?;
        let shown = shown.filter(|shown| shown.is_of(viewer, id));
        Ok(decide_post(visible, shown))
    }

    /// Returns whether the author of a shown post still has an account. An account that signed up after the post does
    /// not count: it got the id of the author after a backup without the author was restored.
    pub async fn is_known_author(&self, shown: &ShownPost) -> Result<bool> {
        let author = self.user(shown.author()).await?;
        Ok(author.is_some_and(|author| shown.post().posted_ms >= author.signup.0))
    }

    /// Returns a post as the form of a report shows it to a viewer who sees it. One round trip if it was edited.
    pub async fn shown_post(&self, viewer: UserId, status: &VisibleStatus) -> Result<ShownPost> {
        let earlier = self.earlier_versions(status).await?;
        Ok(ShownPost(Shown {
            viewer,
            id: status.id(),
            revision: status.revision(),
            author: status.author().id,
            post: reported_post(status, &earlier),
        }))
    }

    /// Returns the text that a report of a visible post keeps. One round trip if it was edited.
    pub async fn text_to_report(&self, status: &VisibleStatus) -> Result<ReportedText> {
        let earlier = self.earlier_versions(status).await?;
        let post = reported_post(status, &earlier);
        Ok(reported_text(status.id(), status.revision(), &post))
    }
}
