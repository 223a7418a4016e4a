//! Pages of profiles.

use crate::{
    domain::ProfileView,
    store::{PageInProgress, Rest, prelude::*},
};

/// One page of the statuses of a person.
#[derive(Debug, Clone)]
pub struct AccountPage {
    /// The pinned posts above the first page.
    pub pinned: Vec<VisibleStatus>,
    pub statuses: Page<VisibleStatus>,
}

impl Default for AccountPage {
    /// Returns the page of a viewer who sees nothing.
    fn default() -> Self {
        Self {
            pinned: Vec::new(),
            statuses: Page {
                items: Vec::new(),
                next: None,
            },
        }
    }
}

impl From<Page<VisibleStatus>> for AccountPage {
    fn from(statuses: Page<VisibleStatus>) -> Self {
        Self {
            statuses,
            ..Self::default()
        }
    }
}

impl Store {
    /// Returns one page of a profile view. The first page of posts has the pinned ones above it. Nothing is read for
    /// a viewer who would see nothing, however many posts a private account has.
    pub async fn account_page(
        &self,
        viewer: Viewer,
        person: &User,
        view: ProfileView,
        before: Option<Cursor>,
    ) -> Result<AccountPage> {
        if !self.may_see_account(viewer, person).await? {
            return Ok(AccountPage::default());
        }
        let above = match (view, before) {
            (ProfileView::Posts, None) => person.pinned.ids(),
            _ => &[],
        };
        self.page_below(viewer, (person.id, view), before, above)
            .await
    }

    /// Returns one page of a profile view, newest first: listing 8.3 of the book with `profile:`. It
    /// filters before it counts, so a page is full unless the timeline ends. It continues from an
    /// exclusive cursor where the book uses an offset.
    pub async fn profile_page(
        &self,
        viewer: Viewer,
        of: UserId,
        view: ProfileView,
        before: Option<Cursor>,
    ) -> Result<Page<VisibleStatus>> {
        let page = self.page_below(viewer, (of, view), before, &[]).await?;
        Ok(page.statuses)
    }

    /// Returns one page of a profile view below some statuses, which are not repeated on it. They are read with the
    /// first ones of the page, so they cost no round trip.
    async fn page_below(
        &self,
        viewer: Viewer,
        (of, view): (UserId, ProfileView),
        before: Option<Cursor>,
        above: &[StatusId],
    ) -> Result<AccountPage> {
        let (mut page, mut pinned) = (PageInProgress::new(before), Vec::new());
        let mut to_read = above;
        while let Some((cursor, wanted)) = page.wants() {
            let ids = self.profile_ids(of, view, cursor, wanted).await?;
            let below = ids.iter().filter(|id| !above.contains(id));
            let read: Vec<StatusId> = to_read.iter().chain(below).copied().collect();
            let visible = self.visible(viewer, &read).await?;
            let (shown_above, below): (Vec<_>, Vec<_>) = visible
                .into_iter()
                .partition(|status| above.contains(&status.id()));
            pinned.extend(shown_above);
            page.add(&ids, below, Rest::of(ids.len(), wanted));
            to_read = &[];
        }
        Ok(AccountPage {
            pinned,
            statuses: page.finish(),
        })
    }
}
