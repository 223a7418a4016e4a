//! The CSV files of followed, blocked and muted people, in the format of Mastodon's exports.

use url::Host;

use crate::domain::Login;

/// A list of people that a file contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PeopleFile {
    Following,
    Blocked,
    Muted,
}

/// A person in a file that is exported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilePerson {
    pub login: String,
    /// Whether their reposts come to the home of their follower.
    pub shows_reposts: bool,
}

/// A line of a file that is imported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileLine {
    /// The number of the line in the file, from 1.
    pub number: usize,
    /// The address as it is written, at most [`FileLine::SHOWN_CHARACTERS`] of it.
    pub address: String,
    pub person: LinePerson,
    pub shows_reposts: bool,
}

/// The person that a line names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LinePerson {
    Here(Login),
    /// A person of another site.
    Elsewhere,
    /// It is no address.
    Invalid,
}

impl PeopleFile {
    pub const ALL: [Self; 3] = [Self::Following, Self::Blocked, Self::Muted];
    /// Maximum number of lines that one form imports.
    pub const LINES_PER_PART: usize = 100;

    pub fn file_name(self) -> &'static str {
        match self {
            Self::Following => "following_accounts.csv",
            Self::Blocked => "blocked_accounts.csv",
            Self::Muted => "muted_accounts.csv",
        }
    }

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Following => "following",
            Self::Blocked => "blocked",
            Self::Muted => "muted",
        }
    }

    /// Formats the file of these people on the site with this host.
    pub fn format(self, people: &[FilePerson], host: &str) -> String {
        let mut file = String::from(match self {
            Self::Following => "Account address,Show boosts,Notify on new posts,Languages\n",
            Self::Blocked => "",
            Self::Muted => "Account address,Hide notifications\n",
        });
        for person in people {
            let login = &person.login;
            let line = match self {
                Self::Following => format!("{login}@{host},{},false,\n", person.shows_reposts),
                Self::Blocked => format!("{login}@{host}\n"),
                Self::Muted => format!("{login}@{host},true\n"),
            };
            file.push_str(&line);
        }
        file
    }

    /// Parses the first lines of a file for the site with this host, without the header and blank lines. Returns
    /// them with the text that is left. Fields beyond those of the file are ignored.
    pub fn parse<'a>(self, text: &'a str, host: &str) -> (Vec<FileLine>, &'a str) {
        let (mut lines, mut rest) = (Vec::new(), text.trim_start_matches('\u{FEFF}'));
        let mut number = 0;
        while lines.len() < Self::LINES_PER_PART && !rest.is_empty() {
            let (line, behind) = rest.split_once('\n').unwrap_or((rest, ""));
            number += 1;
            rest = behind;
            let fields = fields(line.trim());
            let address = fields.first().map_or("", |field| field.trim());
            let is_header = number == 1 && address.eq_ignore_ascii_case("account address");
            if address.is_empty() && fields.len() < 2 || is_header {
                continue;
            }
            let shows_reposts = fields.get(1).map_or("", |field| field.trim());
            lines.push(FileLine {
                number,
                address: address.chars().take(FileLine::SHOWN_CHARACTERS).collect(),
                person: person(address, host),
                shows_reposts: self != Self::Following
                    || !shows_reposts.eq_ignore_ascii_case("false"),
            });
        }
        (lines, rest)
    }
}

impl FileLine {
    pub const SHOWN_CHARACTERS: usize = 100;
}

/// Returns the fields of a line. A quoted field can contain commas, and two quotes for one.
fn fields(line: &str) -> Vec<String> {
    let (mut fields, mut field, mut is_quoted) = (Vec::new(), String::new(), false);
    let mut rest = line.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '"' if is_quoted && rest.peek() == Some(&'"') => {
                field.push('"');
                rest.next();
            }
            '"' if is_quoted || field.trim().is_empty() => is_quoted = !is_quoted,
            ',' if !is_quoted => fields.push(std::mem::take(&mut field)),
            c => field.push(c),
        }
    }
    fields.push(field);
    fields
}

fn person(address: &str, host: &str) -> LinePerson {
    let address = address.strip_prefix('@').unwrap_or(address);
    let (login, site) = address.split_once('@').unwrap_or((address, host));
    let is_host = Host::parse(site.split(':').next().unwrap_or(site)).is_ok();
    match Login::stored(login) {
        Some(login) if site.eq_ignore_ascii_case(host) => LinePerson::Here(login),
        _ if is_host && !site.is_empty() && !site.eq_ignore_ascii_case(host) => {
            LinePerson::Elsewhere
        }
        _ => LinePerson::Invalid,
    }
}

#[cfg(test)]
mod tests {
    use super::super::people_file::*;

    const HOST: &str = "red.example";

    fn parsed(file: PeopleFile, text: &str) -> Vec<(usize, LinePerson, bool)> {
        let (lines, rest) = file.parse(text, HOST);
        assert_eq!(rest, "");
        let lines = lines.into_iter();
        lines
            .map(|line| (line.number, line.person, line.shows_reposts))
            .collect()
    }

    fn here(login: &str) -> LinePerson {
        LinePerson::Here(Login::stored(login).expect("a login"))
    }

    #[test]
    fn the_files_have_the_form_of_mastodons_exports() {
        let people = [("Ann", true), ("bob", false)].map(|(login, shows_reposts)| FilePerson {
            login: login.to_owned(),
            shows_reposts,
        });
        for (file, expected) in [
            (
                PeopleFile::Following,
                "Account address,Show boosts,Notify on new posts,Languages\n\
                 Ann@red.example,true,false,\nbob@red.example,false,false,\n",
            ),
            (PeopleFile::Blocked, "Ann@red.example\nbob@red.example\n"),
            (
                PeopleFile::Muted,
                "Account address,Hide notifications\nAnn@red.example,true\nbob@red.example,true\n",
            ),
        ] {
            assert_eq!(file.format(&people, HOST), expected);
            let (lines, _) = file.parse(expected, HOST);
            let read = lines.iter().map(|line| line.person.clone());
            assert_eq!(read.collect::<Vec<_>>(), [here("Ann"), here("bob")]);
            let shown = lines.iter().map(|line| line.shows_reposts);
            let expected = [true, file != PeopleFile::Following];
            assert_eq!(shown.collect::<Vec<_>>(), expected);
        }
    }

    #[test]
    fn a_line_is_an_address_of_this_site_of_another_one_or_of_nobody() {
        let text = "\u{FEFF}Account address,Show boosts\r\n@ann,true\r\n\r\nbob@RED.example\n\
            \"eve@red.example\",\"false\"\ncarol@else.example,true\nno login\n@\n,x\n";
        assert_eq!(
            parsed(PeopleFile::Following, text),
            [
                (2, here("ann"), true),
                (4, here("bob"), true),
                (5, here("eve"), false),
                (6, LinePerson::Elsewhere, true),
                (7, LinePerson::Invalid, true),
                (8, LinePerson::Invalid, true),
                (9, LinePerson::Invalid, true),
            ]
        );
        assert_eq!(
            parsed(PeopleFile::Blocked, "a\"b\nann"),
            [(1, LinePerson::Invalid, true), (2, here("ann"), true)]
        );
    }

    #[test]
    fn a_long_file_is_parsed_in_parts() {
        let text = "ann\n".repeat(2 * PeopleFile::LINES_PER_PART + 1);
        let (first, rest) = PeopleFile::Muted.parse(&text, HOST);
        let (second, rest) = PeopleFile::Muted.parse(rest, HOST);
        assert_eq!(first.len() + second.len(), 2 * PeopleFile::LINES_PER_PART);
        assert_eq!(rest, "ann\n");
    }
}
