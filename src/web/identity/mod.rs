//! The files that follow from the settings of a site: its colours, and a mark of the initials of its name. The name of a
//! file says what is in it, and has the digest of the stylesheet, so browsers keep it for ever.

mod colours;

use actix_web::{HttpResponse, http::header};
use askama::Template;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

use super::{
    assets,
    parts::{avatar, theme::Theme},
    routes,
};
use crate::{domain::SiteHue, store::SiteProfile};

/// The longest initials of a mark, in bytes.
const MAX_INITIALS: usize = 16;

/// A square with the initials of a site.
#[derive(Debug, Template)]
#[template(path = "layouts/mark.svg", escape = "html")]
struct Mark<'a> {
    fill: String,
    initials: &'a str,
}

pub(super) struct File {
    media_type: &'static str,
    content: String,
}

impl File {
    pub(super) fn answer(self) -> HttpResponse {
        HttpResponse::Ok()
            .insert_header((header::CONTENT_TYPE, self.media_type))
            .insert_header((header::CACHE_CONTROL, assets::FOR_EVER))
            .body(self.content)
    }
}

/// Returns the path of the style sheet of a site in another hue than that of the stylesheet.
pub(super) fn stylesheet_path(site: &SiteProfile) -> Option<String> {
    let (hue, (_, digest)) = (site.hue, assets::stylesheet());
    let path = || format!("{}/hue-{hue}.{digest}.css", routes::STATIC);
    (hue != SiteHue::DEFAULT).then(path)
}

/// Returns the path of the mark of a site. A site without a name or a hue has the bird of Redwing.
pub(super) fn mark_path(site: &SiteProfile) -> Option<String> {
    if !site.is_named() && site.hue == SiteHue::DEFAULT {
        return None;
    }
    let mut initials = avatar::initials(&site.name);
    while initials.len() > MAX_INITIALS {
        initials.pop();
    }
    let (hue, (_, digest)) = (site.hue, assets::stylesheet());
    let initials = utf8_percent_encode(&initials, NON_ALPHANUMERIC);
    Some(format!(
        "{}/mark-{hue}-{initials}.{digest}.svg",
        routes::STATIC
    ))
}

/// Returns the colour of the header of a site in a theme, if the hue is not that of the stylesheet.
pub(super) fn header_colour(site: &SiteProfile, theme: Theme) -> Option<&'static str> {
    let scheme = usize::from(theme == Theme::Dark);
    (site.hue != SiteHue::DEFAULT).then(|| colours::header(site.hue, scheme))
}

/// Returns the file with this name.
pub(super) fn find(name: &str) -> Option<File> {
    let (_, digest) = assets::stylesheet();
    if let Some(rest) = name.strip_prefix("hue-") {
        let hue = rest.strip_suffix(&format!(".{digest}.css"))?;
        return Some(File {
            media_type: "text/css; charset=utf-8",
            content: colours::stylesheet(hue.parse().ok()?),
        });
    }
    let rest = name.strip_prefix("mark-")?;
    let rest = rest.strip_suffix(&format!(".{digest}.svg"))?;
    let (hue, initials) = rest.split_once('-')?;
    if initials.len() > MAX_INITIALS || initials.chars().any(char::is_control) {
        return None;
    }
    let mark = Mark {
        fill: colours::fill(hue.parse().ok()?),
        initials,
    };
    Some(File {
        media_type: "image/svg+xml",
        content: mark.render().ok()?,
    })
}
