//! `redwing admin hide-post`, `show-post` and `add-warning`: decisions about a post.

use clap::Args;

use super::{
    Failure,
    arguments::{DecisionOptions, Grounds, GroundsArgs, parse_post},
    decide::{CaseView, closed_line, decide},
    endings::end,
    outcome::Done,
};
use crate::{
    domain::{Login, Measure, StatusId, UserId, Warning},
    store::{Case, PostMarks, Store},
};

#[derive(Debug, Args)]
pub(super) struct HideArgs {
    /// The id of the post, or the address of its page.
    #[arg(value_name = "ID", value_parser = parse_post)]
    id: StatusId,

    #[command(flatten)]
    grounds: GroundsArgs,

    #[command(flatten)]
    options: DecisionOptions,
}

#[derive(Debug, Args)]
pub(super) struct ShowPostArgs {
    /// The id of the post, or the address of its page.
    #[arg(value_name = "ID", value_parser = parse_post)]
    id: StatusId,

    /// Print one JSON document instead of lines.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
pub(super) struct WarningArgs {
    /// The id of the post, or the address of its page.
    #[arg(value_name = "ID", value_parser = parse_post)]
    id: StatusId,

    /// The warning, at most 100 characters.
    #[arg(value_parser = parse_warning)]
    text: Warning,

    #[command(flatten)]
    grounds: GroundsArgs,

    #[command(flatten)]
    options: DecisionOptions,
}

/// A post with the case of its author.
pub(super) struct Post {
    id: StatusId,
    author: UserId,
    login: Login,
    case: Case,
}

impl Post {
    /// Reads the author of a post, and their case.
    ///
    /// # Errors
    /// If there is no such post, if it is a repost, or if Redis could not be reached.
    pub(super) async fn find(store: &Store, id: StatusId) -> Result<Self, Failure> {
        let absent = || format!("there is no post {id}");
        let header = store.life(id).await?.living().ok_or_else(absent)?;
        if let Some(original) = header.repost_of {
            let original = original.status;
            return Err(format!("{id} is a repost of the post {original}").into());
        }
        let author = [header.author];
        let (people, case) =
            tokio::try_join!(store.account_records(&author), store.case(header.author))?;
        let person = people.into_iter().next().ok_or_else(absent)?;
        Ok(Self {
            id,
            author: person.id,
            login: person.login,
            case,
        })
    }

    /// Returns the time since which the post waits for a moderator (µs), if it does.
    pub(super) fn waiting_since_us(&self) -> Option<u64> {
        let mut open = self.case.open();
        let held = open.find(|(_, one)| one.name.held_post() == Some(self.id));
        held.map(|(at_us, _)| at_us)
    }

    fn marks(&self) -> PostMarks {
        self.case.post_marks().remove(&self.id).unwrap_or_default()
    }

    /// Returns the view of the case for a decision about the post. Without a number, only the report closes that makes
    /// the post wait.
    ///
    /// # Errors
    /// If someone has decided since, or if other reports would be closed unread.
    fn view(&self, seen: Option<u64>) -> Result<CaseView, Failure> {
        if let Some(seen_us) = seen {
            return CaseView::of_seen(&self.case, seen_us, &self.login);
        }
        let seen_us = self.waiting_since_us().unwrap_or_default();
        let mut earlier = self.case.open().filter(|(at_us, _)| *at_us <= seen_us);
        if earlier.any(|(_, one)| one.name.held_post().is_none()) {
            let login = &self.login;
            let remedy = format!("Read them with `redwing admin case {login}`, then add --seen");
            return Err(format!("there are other reports about @{login}. {remedy}").into());
        }
        Ok(CaseView::of_case(&self.case, seen_us))
    }

    /// Decides about the post, and prints the outcome.
    pub(super) async fn decide(
        &self,
        store: &Store,
        (did, line): (&'static str, String),
        (measure, grounds): (Measure, Grounds),
        DecisionOptions { seen, json }: DecisionOptions,
    ) -> Result<(), Failure> {
        let view = self.view(seen)?;
        let author = (self.author, &self.login);
        let closed = decide(store, author, (measure, grounds), view).await?;
        let lines = [Some(line), closed_line(closed)];
        self.done(did, lines.into_iter().flatten().collect())
            .with("closed_reports", closed)
            .print(json)
    }

    fn done(&self, did: &'static str, lines: Vec<String>) -> Done {
        let done = Done::of_account(did, (self.author, &self.login), lines);
        done.with("post", self.id.to_string())
    }

    /// Hides the post.
    pub(super) async fn hide(
        &self,
        store: &Store,
        did: &'static str,
        grounds: Grounds,
        options: DecisionOptions,
    ) -> Result<(), Failure> {
        let (id, login) = (self.id, &self.login);
        if self.marks().is_hidden {
            return Err(format!("the post {id} is hidden already").into());
        }
        let line = format!("Only @{login} sees the post {id} now.");
        let measure = Measure::HidePost { status: id };
        let decision = (measure, grounds);
        self.decide(store, (did, line), decision, options).await
    }
}

pub(super) async fn hide(args: HideArgs, store: &Store) -> Result<(), Failure> {
    let post = Post::find(store, args.id).await?;
    let grounds = args.grounds.read(store).await?;
    post.hide(store, "hide_post", grounds, args.options).await
}

pub(super) async fn add_warning(args: WarningArgs, store: &Store) -> Result<(), Failure> {
    let post = Post::find(store, args.id).await?;
    let (id, warning) = (post.id, args.text.as_str().to_owned());
    if post.marks().warning.as_ref() == Some(&warning) {
        return Err(format!("the post {id} has this warning already").into());
    }
    let grounds = args.grounds.read(store).await?;
    let line = format!("The post {id} of @{} is behind the warning.", post.login);
    let status = id;
    let measure = Measure::AddWarning { status, warning };
    let (did, options) = ("add_warning", args.options);
    post.decide(store, (did, line), (measure, grounds), options)
        .await
}

pub(super) async fn show(args: ShowPostArgs, store: &Store) -> Result<(), Failure> {
    let ShowPostArgs { id, json } = args;
    let post = Post::find(store, id).await?;
    let decisions = post.case.decisions.iter().filter(|one| one.ended.is_none());
    let hidings: Vec<_> = decisions
        .filter(|one| one.decision.measure == Measure::HidePost { status: id })
        .collect();
    if hidings.is_empty() {
        return Err(format!("the post {id} is not hidden").into());
    }
    for hiding in hidings {
        end(store, (post.author, &post.login), hiding).await?;
    }
    let line = format!("The post {id} of @{} is no longer hidden.", post.login);
    post.done("show_post", vec![line]).print(json)
}

fn parse_warning(text: &str) -> Result<Warning, String> {
    match Warning::parse(text) {
        Ok(Some(warning)) => Ok(warning),
        Ok(None) => Err("write a warning".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}
