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
    actions::administration::{change_shields, change_site, change_site_texts},
    domain::{
        ActingPerson, Bio, BlockEntry, BlockList, DisplayName, Entrance, Question, RuleLines,
        Shields, SiteHue, SiteText,
    },
    store::{SiteDraft, SiteProfile, SiteTexts, Store},
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

    /// Returns the parsed text of a file, or the stored value without a file.
    fn value_of<T, E: Display>(
        file: Option<&Self>,
        former: impl FnOnce() -> Result<T, E>,
        parse: impl FnOnce(&str) -> Result<T, E>,
    ) -> Result<T, Failure> {
        let (name, parsed) = match file {
            Some(file) => (file.0.display().to_string(), parse(&file.read()?)),
            None => ("the stored text".to_owned(), former()),
        };
        parsed.map_err(|error| format!("{name}: {error}").into())
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

    /// Returns the settings of the site with the changes. `None` without a change.
    fn draft(&self, site: &SiteProfile) -> Result<Option<SiteDraft>, Failure> {
        let rules = self.rules.as_ref();
        // The default depends on the public address, which this command may not know.
        let entrance = self.entrance.or(site.entrance);
        let former = draft_of(site, entrance.unwrap_or(Entrance::Invitation))?;
        let mut draft = former.clone();
        let stored = draft.rules.clone();
        draft.rules = TextFile::value_of(rules, || Ok(stored), RuleLines::parse)?;
        let choose = |value: &Option<_>, other: Bio| value.clone().unwrap_or(other);
        draft.name = self.name.clone().unwrap_or(draft.name);
        draft.description = choose(&self.description, draft.description);
        draft.contact = choose(&self.contact, draft.contact);
        draft.question = self.question.clone().unwrap_or(draft.question);
        draft.hue = self.hue.unwrap_or(draft.hue);
        if let Some(founders) = self.founders {
            draft.lets_members_found_groups = founders == Founders::Members;
        }
        if let Some(readers) = self.everybody {
            draft.shows_everybody_to_visitors = readers == Readers::Visitors;
        }
        if let Some(switch) = self.public_log {
            draft.has_public_log = switch == Switch::On;
        }
        if draft == former && entrance == site.entrance {
            return Ok(None);
        }
        match entrance {
            Some(_) => Ok(Some(draft)),
            None => Err("the site has no entrance yet: add --entrance".into()),
        }
    }

    /// Returns the pages with the changes. `None` without a change.
    fn texts(&self, former: &SiteTexts) -> Result<Option<(SiteText, SiteText)>, Failure> {
        let text = |file: Option<&TextFile>, former: &str| {
            TextFile::value_of(file, || SiteText::parse(former), SiteText::parse)
        };
        let about = text(self.about.as_ref(), &former.about)?;
        let privacy = text(self.privacy.as_ref(), &former.privacy)?;
        let is_changed = about.as_str() != former.about || privacy.as_str() != former.privacy;
        Ok(is_changed.then_some((about, privacy)))
    }

    /// Returns the shields with the changes. `None` without a change.
    fn shields(&self, former: &Shields) -> Result<Option<Shields>, Failure> {
        let is_on = |switch: Option<Switch>, former| switch.map_or(former, |to| to == Switch::On);
        let shields = Shields {
            holds_links: is_on(self.links_wait, former.holds_links),
            reports_spam: is_on(self.reports, former.reports_spam),
            words: list(self.blocked_words.as_ref(), &former.words)?,
            domains: list(self.blocked_domains.as_ref(), &former.domains)?,
            addresses: list(self.blocked_addresses.as_ref(), &former.addresses)?,
        };
        Ok((shields != *former).then_some(shields))
    }
}

fn list<T: BlockEntry + Clone>(
    file: Option<&TextFile>,
    former: &BlockList<T>,
) -> Result<BlockList<T>, Failure> {
    TextFile::value_of(file, || Ok(former.clone()), BlockList::parse)
}

/// Returns the settings of the site as an unchanged draft.
fn draft_of(site: &SiteProfile, entrance: Entrance) -> Result<SiteDraft, String> {
    let invalid = |error: &dyn Display| format!("a stored setting is not valid: {error}");
    Ok(SiteDraft {
        name: DisplayName::parse(&site.name).map_err(|error| invalid(&error))?,
        description: Bio::parse(&site.description).map_err(|error| invalid(&error))?,
        contact: Bio::parse(&site.contact).map_err(|error| invalid(&error))?,
        rules: RuleLines::parse(&site.rule_lines()).map_err(|error| invalid(&error))?,
        question: Question::parse(site.own_question()).map_err(|error| invalid(&error))?,
        entrance,
        lets_members_found_groups: site.lets_members_found_groups,
        hue: site.hue,
        shows_everybody_to_visitors: site.shows_everybody_to_visitors,
        has_public_log: site.has_public_log,
    })
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
            println!("{}", serde_json::to_string_pretty(&document)?);
            return Ok(());
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
            println!("{name:<18} {}", text.replace('\n', "\n                   "));
        }
        Ok(())
    }
}

pub(super) async fn run(args: SiteArgs, store: &Store) -> Result<(), Failure> {
    if args.files().filter(|file| file.is_input()).count() > 1 {
        return Err("only one option can read the standard input".into());
    }
    let (site, texts) = tokio::try_join!(store.read_site(), store.site_texts())?;
    // All values are parsed before the first change.
    let draft = args.draft(&site)?;
    let new_texts = args.texts(&texts)?;
    let shields = args.shields(&site.shields)?;
    let by = ActingPerson::Host;
    if let Some(draft) = draft {
        change_site(store, by, &draft).await?;
    }
    if let Some((about, privacy)) = new_texts {
        change_site_texts(store, by, &about, &privacy).await?;
    }
    if let Some(shields) = shields {
        change_shields(store, by, &shields).await?;
    }
    Shown::read(store).await?.print(args.json)
}

/// Returns a parser of an argument. Its errors use the messages of the domain.
fn parse<T, E: Display>(
    parse: fn(&str) -> Result<T, E>,
) -> impl Fn(&str) -> Result<T, String> + Clone {
    move |text: &str| parse(text).map_err(|error| error.to_string())
}
