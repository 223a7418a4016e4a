//! Who may report a post. A report is about what its sender has seen, so a block, a deletion or a narrower audience after
//! that does not prevent it.

use serde::{Deserialize, Serialize};

use crate::{
    domain::{PostName, ReportedPost},
    store::{ReportedText, moderation::reports::reported_post, prelude::*},
};

/// A post of another person as a form showed it to a member. Only a form with the signature of this site becomes one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShownPost {
    pub id: StatusId,
    pub revision: u64,
    pub author: UserId,
    pub post: ReportedPost,
}

/// A post that a member may report.
#[derive(Debug)]
pub enum PostToReport {
    /// The member sees it.
    Visible(Box<VisibleStatus>),
    /// The member saw it when the form was opened.
    Shown(ShownPost),
}

impl ShownPost {
    /// Returns the text that a report keeps.
    pub fn reported(&self) -> ReportedText {
        let name = PostName {
            status: self.id,
            revision: self.revision,
        };
        ReportedText {
            field: name.to_string(),
            text: self.post.to_json(),
        }
    }
}

/// Decides whether a viewer may report a post: the one that they see, or else the one that a form showed them. One from
/// before the sign-up of its author does not count: a backup without that author was restored, and a newer account has
/// the id.
fn decide_report(
    visible: Option<VisibleStatus>,
    shown: Option<(ShownPost, User)>,
) -> Option<PostToReport> {
    if let Some(status) = visible.filter(|status| !status.is_repost()) {
        return Some(PostToReport::Visible(Box::new(status)));
    }
    let shown = shown.filter(|(shown, author)| shown.post.posted_ms >= author.signup.0);
    shown.map(|(shown, _)| PostToReport::Shown(shown))
}

impl Store {
    /// Returns a post if the viewer may report it. If a form showed it to the viewer, it need not be visible now.
    pub async fn post_to_report(
        &self,
        viewer: UserId,
        id: StatusId,
        shown: Option<ShownPost>,
    ) -> Result<Option<PostToReport>> {
        let visible = self.status(Viewer::Member(viewer), id).await?;
        let shown = shown.filter(|shown| shown.id == id && visible.is_none());
        let shown = match shown {
            Some(shown) => {
                let author = self.user(shown.author).await?;
                author.map(|author| (shown, author))
            }
            None => None,
        };
        Ok(decide_report(visible, shown))
    }

    /// Returns a post as the form of a report shows it to a viewer who sees it. One round trip if it was edited.
    pub async fn shown_post(&self, status: &VisibleStatus) -> Result<ShownPost> {
        let earlier = self.earlier_versions(status).await?;
        Ok(ShownPost {
            id: status.id(),
            revision: status.revision(),
            author: status.author().id,
            post: reported_post(status, &earlier),
        })
    }
}
