//! The seed: fills a site with demo people, or with a real graph, by the same actions as forms. It can
//! be stopped and repeated, and duplicates nothing.

mod crew;
mod demo;
mod draws;
mod dressing;
mod error;
mod graph;
mod habits;
mod invented;
mod keep;
mod load;
mod members;
mod plan;
mod progress;
mod questions;
mod speak;
mod talk;

use std::{
    fmt,
    path::{Path, PathBuf},
};

use clap::Args;

pub use error::SeedError;

use self::{crew::Crew, graph::Graph, plan::Plan};
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
    /// An edge list instead of the demo people: two numbers a line with a blank or a comma
    /// between; each line makes two people follow each other, with logins such as p7.
    #[arg(long, value_name = "FILE")]
    pub graph: Option<PathBuf>,

    /// Messages that the people of the graph post, one a line; else those of the demo. Whom they mention
    /// who is not there becomes somebody whom their author follows.
    #[arg(long, value_name = "FILE", requires = "graph")]
    pub messages: Option<PathBuf>,

    /// The password of everyone who is signed up now.
    #[arg(long, value_name = "PASSWORD", default_value = "redwing-demo")]
    pub password: String,

    /// Posts in all, answers to them, quotes and polls aside. Each message is posted once, so there are at most as many
    /// as messages.
    #[arg(long, value_name = "COUNT")]
    pub posts: Option<usize>,

    /// Things done at a time.
    #[arg(long, value_name = "COUNT", default_value_t = 32, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub at_once: u16,
}

/// Result of a seed, for the operator.
#[derive(Debug)]
pub struct Summary {
    loaded: load::Loaded,
    password: String,
    /// The login of the most followed person.
    guide: String,
}

/// Fills the site. Progress goes to standard error.
///
/// # Errors Unreadable files, an invalid password, and a Redis that stays unavailable.
pub async fn run(args: SeedArgs, store: &Store) -> Result<Summary, SeedError> {
    let password = Password::parse(&args.password)?;
    let mut plan = drawn_up(&args).await?;
    plan.limit_posts(args.posts.unwrap_or(usize::MAX));
    let tag_follows = invented::tag_follows();
    dressing::dress(&mut plan, &tag_follows);
    habits::habits(&mut plan, &tag_follows);
    let plan = talk::talk(plan);
    let guide = plan.people[plan.guide()].login.to_string();
    let password_hash = Hasher::new(1, 1).hash(&password).await?;
    let crew = Crew::new(args.at_once.into());
    let loaded = load::carry_out(plan, store, &crew, &password_hash).await?;
    Ok(Summary {
        loaded,
        password: args.password,
        guide,
    })
}

async fn drawn_up(args: &SeedArgs) -> Result<Plan, SeedError> {
    let Some(path) = &args.graph else {
        return Ok(demo::plan());
    };
    let graph = Graph::parse(&read(path).await?).map_err(|graph::NotAnEdge { line }| {
        SeedError::NotAnEdge {
            path: path.clone(),
            line,
        }
    })?;
    if graph.people.is_empty() {
        return Err(SeedError::NoEdges { path: path.clone() });
    }
    Ok(invented::plan(
        &graph,
        messages(args.messages.as_deref()).await?,
    ))
}

async fn messages(path: Option<&Path>) -> Result<Vec<Message>, SeedError> {
    let Some(path) = path else {
        return Ok(demo::messages());
    };
    let messages = invented::messages(&read(path).await?);
    if messages.is_empty() {
        return Err(SeedError::NoMessages {
            path: path.to_owned(),
        });
    }
    Ok(messages)
}

async fn read(path: &Path) -> Result<String, SeedError> {
    let unreadable = |source| SeedError::Unreadable {
        path: path.to_owned(),
        source,
    };
    if tokio::fs::metadata(path).await.map_err(unreadable)?.len() > MAX_FILE_BYTES {
        return Err(SeedError::TooLarge {
            path: path.to_owned(),
            max: MAX_FILE_BYTES,
        });
    }
    let bytes = tokio::fs::read(path).await.map_err(unreadable)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let loaded = &self.loaded;
        if loaded.interrupted {
            writeln!(
                f,
                "Stopped before the end. Run it again: it goes on from here and doubles nothing."
            )?;
        }
        let taken = loaded.people.took + loaded.follows.took + loaded.posts.took;
        writeln!(
            f,
            "Made {} people, {} follows and {} posts in {:.1} s, and saw to {} stars, bookmarks, reposts and votes and to {} tags, lists and weights, of which another run doubles none.",
            loaded.created.len(),
            loaded.follows.done,
            loaded.posts.done,
            taken.as_secs_f64(),
            loaded.presses,
            loaded.habits
        )?;
        if !loaded.strangers.is_empty() {
            writeln!(
                f,
                "Left alone, as somebody else holds the login: {}.",
                loaded.strangers.join(", ")
            )?;
        }
        if loaded.created.contains(&self.guide) {
            write!(
                f,
                "Log in as {}, whom most follow, or anyone else made now, with the password {}",
                self.guide, self.password
            )
        } else {
            write!(
                f,
                "Log in as {} with the password that was set when they were made",
                self.guide
            )
        }
    }
}
