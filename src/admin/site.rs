//! `redwing admin site`: shows and changes what the pages of the owner set.

use std::{
    fmt::Display,
    io::{self, Read},
    path::PathBuf,
};

use clap::Args;
use serde::Serialize;

use super::Failure;
use crate::{
    actions::administration::change_site,
    domain::{
        ActingPerson, Bio, BlockList, DisplayName, Entrance, Question, RuleLines, SiteHue, SiteText,
    },
    output::{print_document, print_line},
    store::{SettingsChange, ShieldsChange, SiteChange, Store, TextsChange},
};

/// Largest file that is read, in bytes. No valid text has more.
const MAX_BYTES: u64 = 1_000_000;

#[derive(Debug, Args)]
pub(super) struct SiteArgs {
    /// The name of the site, 1 to 50 characters.
    #[arg(long, value_name = "TEXT", value_parser = parse(DisplayName::parse))]
    name: Option<DisplayName>,

    /// The short description, up to 200 characters.
    #[arg(long, value_name = "TEXT", value_parser = parse(Bio::parse))]
    description: Option<Bio>,

    /// How to reach the people who run the site, up to 200 characters.
    #[arg(long, value_name = "TEXT", value_parser = parse(Bio::parse))]
    contact: Option<Bio>,

    /// A file with one rule on each line.
    #[arg(long, value_name = "FILE")]
    rules: Option<TextFile>,

    /// The question to people who ask to join, up to 200 characters.
    #[arg(long, value_name = "TEXT", value_parser = parse(Question::parse))]
    question: Option<Question>,

    /// Who can sign up.
    #[arg(long)]
    entrance: Option<Entrance>,

    /// Who can found groups.
    #[arg(long, value_name = "PEOPLE")]
    founders: Option<Founders>,

    /// Who sees the newest posts of everybody.
    #[arg(long, value_name = "PEOPLE")]
    everybody: Option<Readers>,

    /// The colour of buttons and links, as a hue from 0 to 359. The mark of the site has it too.
    #[arg(long, value_name = "DEGREES")]
    hue: Option<SiteHue>,

    /// Whether everybody can read how many decisions the moderators made.
    #[arg(long, value_name = "SWITCH")]
    public_log: Option<Switch>,

    /// Whether profiles show everybody who invited the person.
    #[arg(long, value_name = "SWITCH")]
    show_inviters: Option<Switch>,

    /// A file with the page "About", in Markdown.
    #[arg(long, value_name = "FILE")]
    about: Option<TextFile>,

    /// A file with the page "Privacy", in Markdown.
    #[arg(long, value_name = "FILE")]
    privacy: Option<TextFile>,

    /// Whether posts of new accounts with links wait for a moderator.
    #[arg(long, value_name = "SWITCH")]
    links_wait: Option<Switch>,

    /// Whether the site reports spam by itself.
    #[arg(long, value_name = "SWITCH")]
    reports: Option<Switch>,

    /// A file with one blocked word, phrase or #tag on each line.
    #[arg(long, value_name = "FILE")]
    blocked_words: Option<TextFile>,

    /// A file with one blocked domain on each line.
    #[arg(long, value_name = "FILE")]
    blocked_domains: Option<TextFile>,

    /// A file with one blocked address or range on each line.
    #[arg(long, value_name = "FILE")]
    blocked_addresses: Option<TextFile>,

    /// Print one JSON document instead of lines.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Founders {
    Members,
    Moderators,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Readers {
    Visitors,
    Members,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Switch {
    On,
    Off,
}

/// A file with a text. `-` is the standard input.
#[derive(Debug, Clone)]
struct TextFile(PathBuf);

impl From<&str> for TextFile {
    fn from(path: &str) -> Self {
        Self(path.into())
    }
}

impl TextFile {
    fn read(&self) -> Result<String, Failure> {
        let name = self.0.display();
        let describe = |error: io::Error| format!("{name}: {error}");
        let mut text = String::new();
        let read = match self.is_input() {
            true => io::stdin().take(MAX_BYTES).read_to_string(&mut text),
            false => {
                let file = std::fs::File::open(&self.0).map_err(describe)?;
                file.take(MAX_BYTES).read_to_string(&mut text)
            }
        };
        read.map_err(describe)?;
        Ok(text)
    }

    fn is_input(&self) -> bool {
        self.0.as_os_str() == "-"
    }

    /// Returns the parsed text of a file.
    fn parsed<T, E: Display>(
        file: Option<&Self>,
        parse: impl FnOnce(&str) -> Result<T, E>,
    ) -> Result<Option<T>, Failure> {
        let Some(file) = file else {
            return Ok(None);
        };
        let name = file.0.display();
        let parsed = parse(&file.read()?).map_err(|error| format!("{name}: {error}"))?;
        Ok(Some(parsed))
    }
}

impl SiteArgs {
    fn files(&self) -> impl Iterator<Item = &TextFile> {
        let files = [
            &self.rules,
            &self.about,
            &self.privacy,
            &self.blocked_words,
            &self.blocked_domains,
            &self.blocked_addresses,
        ];
        files.into_iter().flatten()
    }

    /// Returns the change that the options say.
    fn change(&self) -> Result<SiteChange, Failure> {
        let is_on = |switch: Switch| switch == Switch::On;
        let settings = SettingsChange {
            name: self.name.clone(),
            description: self.description.clone(),
            contact: self.contact.clone(),
            rules: TextFile::parsed(self.rules.as_ref(), RuleLines::parse)?,
            question: self.question.clone(),
            entrance: self.entrance,
            lets_members_found_groups: self.founders.map(|people| people == Founders::Members),
            hue: self.hue,
            shows_everybody_to_visitors: self.everybody.map(|people| people == Readers::Visitors),
            has_public_log: self.public_log.map(is_on),
            shows_inviters: self.show_inviters.map(is_on),
        };
        let texts = TextsChange {
            about: TextFile::parsed(self.about.as_ref(), SiteText::parse)?,
            privacy: TextFile::parsed(self.privacy.as_ref(), SiteText::parse)?,
        };
        let shields = ShieldsChange {
            holds_links: self.links_wait.map(is_on),
            reports_spam: self.reports.map(is_on),
            words: TextFile::parsed(self.blocked_words.as_ref(), BlockList::parse)?,
            domains: TextFile::parsed(self.blocked_domains.as_ref(), BlockList::parse)?,
            addresses: TextFile::parsed(self.blocked_addresses.as_ref(), BlockList::parse)?,
        };
        Ok(SiteChange {
            settings,
            texts,
            shields,
        })
    }
}

/// The settings, in JSON.
#[derive(Debug, Serialize)]
struct Shown {
    name: String,
    description: String,
    contact: String,
    rules: Vec<String>,
    question: String,
    /// `None` until the owner or the host chooses one.
    entrance: Option<Entrance>,
    /// The entrance that `REDWING_SIGN_UP` fixes.
    fixed_entrance: Option<Entrance>,
    founders: &'static str,
    everybody: &'static str,
    hue: u16,
    public_log: bool,
    show_inviters: bool,
    about: String,
    privacy: String,
    links_wait: bool,
    reports: bool,
    blocked_words: Vec<String>,
    blocked_domains: Vec<String>,
    blocked_addresses: Vec<String>,
}

impl Shown {
    async fn read(store: &Store) -> Result<Self, Failure> {
        let (site, texts) = tokio::try_join!(store.read_site(), store.site_texts())?;
        let lines = |text: String| text.lines().map(str::to_owned).collect();
        let shields = &site.shields;
        Ok(Self {
            name: site.name.clone(),
            description: site.description.clone(),
            contact: site.contact.clone(),
            rules: site.rules().iter().map(|rule| rule.text.clone()).collect(),
            question: site.question().to_owned(),
            entrance: site.entrance,
            fixed_entrance: store.config().sign_up,
            founders: match site.lets_members_found_groups {
                true => "members",
                false => "moderators",
            },
            everybody: match site.shows_everybody_to_visitors {
                true => "visitors",
                false => "members",
            },
            hue: site.hue.degrees(),
            public_log: site.has_public_log,
            show_inviters: site.shows_inviters,
            about: texts.about,
            privacy: texts.privacy,
            links_wait: shields.holds_links,
            reports: shields.reports_spam,
            blocked_words: lines(shields.words.lines()),
            blocked_domains: lines(shields.domains.lines()),
            blocked_addresses: lines(shields.addresses.lines()),
        })
    }

    fn print(&self, json: bool) -> Result<(), Failure> {
        let document = serde_json::to_value(self)?;
        if json {
            return print_document(&document);
        }
        for (field, value) in document.as_object().into_iter().flatten() {
            let name = field.replace('_', " ");
            let text = match value {
                serde_json::Value::String(text) => text.clone(),
                serde_json::Value::Array(lines) => {
                    let lines = lines.iter().filter_map(|line| line.as_str());
                    lines.collect::<Vec<_>>().join("\n")
                }
                serde_json::Value::Null => "-".to_owned(),
                other => other.to_string(),
            };
            let text = text.replace('\n', "\n                   ");
            print_line(format_args!("{name:<18} {text}"))?;
        }
        Ok(())
    }
}

pub(super) async fn run(args: SiteArgs, store: &Store) -> Result<(), Failure> {
    if args.files().filter(|file| file.is_input()).count() > 1 {
        return Err("only one option can read the standard input".into());
    }
    // All values are parsed before the first change.
    let change = store.without_unchanged(args.change()?).await?;
    if !change.is_empty() {
        change_site(store, ActingPerson::Host, &change).await?;
    }
    Shown::read(store).await?.print(args.json)
}

/// Returns a parser of an argument. Its errors use the messages of the domain.
fn parse<T, E: Display>(
    parse: fn(&str) -> Result<T, E>,
) -> impl Fn(&str) -> Result<T, String> + Clone {
    move |text: &str| parse(text).map_err(|error| error.to_string())
}
