//! The page "Import and export", with the report of an import.

use crate::{
    actions::people_files::Imported,
    domain::{FileLine, PeopleFile},
    web::parts::prelude::*,
};

#[derive(Debug, Template)]
#[template(path = "settings/_import_form.html")]
pub struct ImportForm {
    csrf_token: String,
    errors: ErrorSummary,
    file: PeopleFile,
    lines: Field,
    choices: [FileChoice; 3],
}

impl askama::filters::HtmlSafe for ImportForm {}

/// A kind of file with its words.
#[derive(Debug)]
struct FileChoice {
    file: PeopleFile,
    label: &'static str,
}

impl FileChoice {
    fn all() -> [Self; 3] {
        PeopleFile::ALL.map(|file| Self {
            file,
            label: match file {
                PeopleFile::Following => "People to follow",
                PeopleFile::Blocked => "People to block",
                PeopleFile::Muted => "People to mute",
            },
        })
    }
}

impl ImportForm {
    pub fn new(visit: &Visit, file: PeopleFile, typed: Typed) -> Self {
        let lines = Field::new(Kind::Paragraph, "lines", "Content of the file", typed)
            .with_hint("One person in a line: a login, or an address of this site. Further columns are optional.");
        Self {
            csrf_token: visit.csrf_token.clone(),
            errors: ErrorSummary::of([&lines]),
            file,
            lines,
            choices: FileChoice::all(),
        }
    }
}

#[derive(Debug, Template)]
#[template(path = "settings/people_files.html")]
pub struct PeopleFilesPage {
    layout: Layout,
    form: ImportForm,
    report: Option<ImportReport>,
    exports: [(String, &'static str); 3],
}

/// The report of an import, line by line.
#[derive(Debug)]
pub struct ImportReport {
    summary: String,
    lines: Vec<LineReport>,
    /// Whether the form has lines that are still to be imported.
    has_more: bool,
}

#[derive(Debug)]
struct LineReport {
    number: usize,
    address: String,
    words: &'static str,
}

impl PeopleFilesPage {
    pub fn new(visit: &Visit, form: ImportForm, report: Option<ImportReport>) -> Self {
        let export = |file: PeopleFile| (routes::export(file), file.file_name());
        Self {
            layout: Layout::new(visit, Section::Settings, "Import and export")
                .wrong_if(form.errors.has_some()),
            form,
            report,
            exports: PeopleFile::ALL.map(export),
        }
    }
}

impl ImportReport {
    pub fn new(file: PeopleFile, outcomes: &[(FileLine, Imported)], has_more: bool) -> Self {
        let number = |wanted: &[Imported]| {
            let all = outcomes
                .iter()
                .filter(|(_, outcome)| wanted.contains(outcome));
            all.count() as u64
        };
        let done = number(&[Imported::Done, Imported::Requested]);
        let already = number(&[Imported::Already]);
        let refused = outcomes.len() as u64 - done - already;
        let line = |(line, outcome): &(FileLine, Imported)| LineReport {
            number: line.number,
            address: line.address.clone(),
            words: words(file, *outcome),
        };
        Self {
            summary: format!(
                "{} done, {} already there, {} refused.",
                count(done),
                count(already),
                count(refused)
            ),
            lines: outcomes.iter().map(line).collect(),
            has_more,
        }
    }
}

fn words(file: PeopleFile, outcome: Imported) -> &'static str {
    match (outcome, file) {
        (Imported::Done, PeopleFile::Following) => "Followed",
        (Imported::Done, PeopleFile::Blocked) => "Blocked",
        (Imported::Done, PeopleFile::Muted) => "Muted",
        (Imported::Requested, _) => "Asked to follow",
        (Imported::Already, PeopleFile::Following) => "You follow them already",
        (Imported::Already, PeopleFile::Blocked) => "You block them already",
        (Imported::Already, PeopleFile::Muted) => "You mute them already",
        (Imported::Oneself, _) => "Refused: this is you",
        (Imported::Unknown, _) => "Refused: no one here has this login",
        (Imported::Elsewhere, _) => "Refused: this account is on another site",
        (Imported::Invalid, _) => "Refused: this is no address",
        (Imported::TooMany, PeopleFile::Following) => {
            "Refused: you have reached the limit of followed people"
        }
        (Imported::TooMany, PeopleFile::Blocked) => {
            "Refused: you have reached the limit of blocked people"
        }
        (Imported::TooMany, PeopleFile::Muted) => {
            "Refused: you have reached the limit of muted people"
        }
    }
}
