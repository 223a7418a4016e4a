//! The seed: fills a site with demo people, or with a real graph, by the same actions as forms. It can
//! be stopped and repeated, and creates no duplicates.

mod chats;
mod conversations;
mod dates;
mod decorations;
mod demo;
mod error;
mod follows_writer;
mod generated;
mod graph;
mod groups;
mod jobs;
mod load;
mod members;
mod outcome;
mod plan;
mod posts_writer;
mod presses;
mod progress;
mod questions;
mod random;
mod settings;
mod settings_writer;
mod threads;
mod topics;

use std::{
    fmt,
    path::{Path, PathBuf},
};

use clap::Args;

pub use error::SeedError;

use self::{
    graph::{Graph, NotAnEdge},
    outcome::Outcomes,
    plan::Plan,
};
use crate::{
    actions::passwords::Hasher,
    domain::{Message, Password},
    store::Store,
};

/// Maximum bytes of a graph or message file.
const MAX_FILE_BYTES: u64 = 256 * 1024 * 1024;

/// Arguments of the seed.
#[derive(Debug, Clone, Args)]
pub struct SeedArgs {
    /// Edge list that replaces the demo people. Each line has two numbers, separated by a blank or a
    /// comma. The two people follow each other. Their logins are p1, p2 and so on.
    #[arg(long, value_name = "FILE")]
    pub graph: Option<PathBuf>,

    /// Messages for the people of the graph, one per line. Default: those of the demo. A mention of a
    /// missing person is replaced by one of a person that the author follows.
    #[arg(long, value_name = "FILE", requires = "graph")]
    pub messages: Option<PathBuf>,

    /// Password of all people who are created now.
    #[arg(long, value_name = "PASSWORD", default_value = "redwing-demo")]
    pub password: String,

    /// Maximum number of posts, without the replies, quotes and polls that a graph gets. Each message is posted once.
    #[arg(long, value_name = "COUNT")]
    pub posts: Option<usize>,

    /// Number of concurrent operations.
    #[arg(long, value_name = "COUNT", default_value_t = 32, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub at_once: u16,
}

#[derive(Debug)]
pub struct Summary {
    loaded: load::SeedResult,
    password: String,
    most_followed: String,
}

/// Fills the site. Progress goes to standard error.
///
/// # Errors Unreadable files, an invalid password, and a Redis that stays unavailable.
pub async fn run(args: SeedArgs, store: &Store) -> Result<Summary, SeedError> {
    let password = Password::parse(&args.password)?;
    let mut plan = load_plan(&args).await?;
    plan.limit_posts(args.posts.unwrap_or(usize::MAX));
    let plan = match args.graph {
        Some(_) => complete_graph(plan),
        None => complete_demo(plan),
    };
    let most_followed = plan.people[plan.most_followed()].login.to_string();
    let hasher = Hasher::new(store.config().limits.hash_memory_bytes, 1, 1);
    let password_hash = hasher.hash(&password).await?;
    let loaded = load::run_plan(plan, store, args.at_once.into(), &password_hash).await?;
    Ok(Summary {
        loaded,
        password: args.password,
        most_followed,
    })
}

/// Adds what the texts of the demo do not have.
fn complete_demo(mut plan: Plan) -> Plan {
    decorations::decorate_demo(&mut plan);
    presses::add_presses(&mut plan);
    settings::plan_settings(&mut plan, &topics::tags());
    dates::date_back(&mut plan);
    dates::date_follows_back(&mut plan);
    plan
}

/// Adds reactions to the posts of a graph.
fn complete_graph(mut plan: Plan) -> Plan {
    let interests = generated::interests();
    decorations::decorate_posts(&mut plan, &interests);
    settings::plan_settings(&mut plan, &interests);
    conversations::add_conversations(plan)
}

async fn load_plan(args: &SeedArgs) -> Result<Plan, SeedError> {
    let Some(path) = &args.graph else {
        return Ok(demo::plan());
    };
    let graph = Graph::parse(&read(path).await?);
    let path = path.clone();
    match graph {
        Err(NotAnEdge { line }) => Err(SeedError::NotAnEdge { path, line }),
        Ok(graph) if graph.people.is_empty() => Err(SeedError::NoEdges { path }),
        Ok(graph) => {
            let messages = messages(args.messages.as_deref()).await?;
            Ok(generated::plan(&graph, messages))
        }
    }
}

async fn messages(path: Option<&Path>) -> Result<Vec<Message>, SeedError> {
    let Some(path) = path else {
        return Ok(demo::messages());
    };
    let messages = generated::messages(&read(path).await?);
    let path = path.to_owned();
    match messages.is_empty() {
        true => Err(SeedError::NoMessages { path }),
        false => Ok(messages),
    }
}

async fn read(path: &Path) -> Result<String, SeedError> {
    let unreadable = |source| {
        let path = path.to_owned();
        SeedError::Unreadable { path, source }
    };
    if tokio::fs::metadata(path).await.map_err(unreadable)?.len() > MAX_FILE_BYTES {
        let (path, max) = (path.to_owned(), MAX_FILE_BYTES);
        return Err(SeedError::TooLarge { path, max });
    }
    let bytes = tokio::fs::read(path).await.map_err(unreadable)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

impl Summary {
    /// Returns whether a limit of the site refused a part of the plan.
    pub fn has_refusals(&self) -> bool {
        self.loaded.outcomes().any(Outcomes::has_refusals)
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let loaded = &self.loaded;
        let duration = loaded.people.duration + loaded.posts.duration;
        writeln!(
            f,
            "Created {} people, {} follows and {} posts in {:.1} s. Also applied {} favourites, bookmarks, reposts and votes, {} followed tags, lists and author preferences, and {} messages. Another run creates no duplicates.",
            loaded.created.len(),
            loaded.followed.done,
            loaded.posts.done,
            duration.as_secs_f64(),
            loaded.presses.done,
            loaded.settings.done,
            loaded.messages.done
        )?;
        for outcomes in loaded.outcomes() {
            write!(f, "{outcomes}")?;
        }
        if !loaded.foreign_logins.is_empty() {
            let logins = loaded.foreign_logins.join(", ");
            writeln!(
                f,
                "Skipped, because other accounts have these logins: {logins}."
            )?;
        }
        let (login, password) = (&self.most_followed, &self.password);
        if loaded.created.contains(login) {
            write!(
                f,
                "Log in as {login}, the most followed person, or as any other new person, with the password {password}"
            )
        } else {
            write!(
                f,
                "Log in as {login} with the password of the run that created this account"
            )
        }
    }
}
