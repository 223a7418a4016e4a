//! Stylesheet, scripts and icon, embedded in the binary. Their names contain a digest of the
//! content, so browsers cache them for ever and still load new versions at once. They are compressed once:
//! by gzip at the first use, by brotli in a thread of its own after that.

use std::{
    borrow::Cow,
    collections::HashMap,
    sync::{LazyLock, Once, OnceLock},
    thread,
};

use actix_web::{HttpRequest, HttpResponse, Responder, http::header, web};
use rust_embed::RustEmbed;
use sha2::{Digest, Sha256};

use super::{
    http::{
        compression::{self, Coding},
        errors::{Error, Result},
    },
    identity, parts, routes,
};
use crate::domain::hex;

/// How long browsers keep a file with a digest in its name.
pub(super) const FOR_EVER: &str = "public, max-age=31536000, immutable";
/// How many bytes of the content's digest are in a name.
const DIGEST_BYTES: usize = 8;

#[derive(RustEmbed)]
#[folder = "static/"]
struct Files;

/// The script of every page, which is made of the files of a folder.
const APP: &str = "app.js";
const APP_FOLDER: &str = "app/";
/// These files, in the order in which they run. Together they are one module.
const APP_FILES: [&str; 9] = [
    "base.js",
    "drafts.js",
    "compose.js",
    "presses.js",
    "replies.js",
    "forms.js",
    "menus.js",
    "fields.js",
    "times.js",
];

/// The stylesheet. It is joined from the files of a folder, in the order of their names.
const STYLE: &str = "app.css";
const STYLE_FOLDER: &str = "style/";
/// The first and the last line of a file in the layer of components. Adjacent files in that layer become one block.
const LAYER_BEGIN: &[u8] = b"@layer components {\n";
const LAYER_END: &[u8] = b"}\n";

/// Pairs of an asset and an asset that it refers to: the icons, and scripts that are loaded on demand.
const NAMED: [(&str, &str); 5] = [
    (STYLE, "icons.svg"),
    (APP, "composer.js"),
    (APP, "mentions.js"),
    (APP, "preview.js"),
    (APP, "thread.js"),
];

struct Asset {
    url: String,
    content: Cow<'static, [u8]>,
    by_gzip: Vec<u8>,
    /// Empty until it is made.
    by_brotli: OnceLock<Vec<u8>>,
    media_type: &'static str,
}

struct Assets {
    by_name: HashMap<String, Asset>,
    /// Maps the last segment of the URL to the file name.
    names: HashMap<String, String>,
}

static ASSETS: LazyLock<Assets> = LazyLock::new(|| {
    let mut assets = Assets {
        by_name: HashMap::new(),
        names: HashMap::new(),
    };
    // Files that name others come last.
    let names_another = |name: &Cow<'_, str>| NAMED.iter().any(|(by, _)| by == name);
    let (naming, others): (Vec<_>, Vec<_>) = names().partition(names_another);
    for name in others.into_iter().chain(naming) {
        let mut content = content(&name);
        for (_, named) in NAMED.iter().filter(|(by, _)| *by == name) {
            content = with_url(&content, named, &assets.by_name[*named].url);
        }
        let hashed = hashed_name(&name, &Sha256::digest(&content)[..DIGEST_BYTES]);
        let url = format!("{}/{hashed}", routes::STATIC);
        let asset = Asset {
            url,
            by_gzip: compression::gzip_file(&content),
            by_brotli: OnceLock::new(),
            content,
            media_type: media_type(&name),
        };
        assets.names.insert(hashed, name.to_string());
        assets.by_name.insert(name.into_owned(), asset);
    }
    assets
});

/// Returns the names of all assets.
fn names() -> impl Iterator<Item = Cow<'static, str>> {
    let is_whole = |name: &Cow<'_, str>| !name.contains('/');
    let joined = [APP.into(), STYLE.into()];
    Files::iter().filter(is_whole).chain(joined)
}

/// Returns an asset without comments.
fn content(name: &str) -> Cow<'static, [u8]> {
    let read = |path: &str| {
        let file = Files::get(path).expect("a listed file is embedded");
        without_comments(path, file.data)
    };
    match name {
        APP => Cow::Owned(
            APP_FILES
                .map(|part| read(&format!("{APP_FOLDER}{part}")))
                .concat(),
        ),
        STYLE => {
            let is_part = |name: &Cow<'_, str>| name.starts_with(STYLE_FOLDER);
            let mut parts: Vec<_> = Files::iter().filter(is_part).collect();
            parts.sort();
            Cow::Owned(join_styles(parts.iter().map(|part| read(part))))
        }
        _ => read(name),
    }
}

/// Joins the files of the stylesheet. Adjacent files in the layer of components become one block.
fn join_styles(parts: impl Iterator<Item = Cow<'static, [u8]>>) -> Vec<u8> {
    let mut joined = Vec::new();
    let mut is_in_layer = false;
    for part in parts {
        let rules = part.strip_prefix(LAYER_BEGIN);
        let rules = rules.and_then(|rules| rules.strip_suffix(LAYER_END));
        match (is_in_layer, rules.is_some()) {
            (false, true) => joined.extend_from_slice(LAYER_BEGIN),
            (true, false) => joined.extend_from_slice(LAYER_END),
            _ => {}
        }
        joined.extend_from_slice(rules.unwrap_or(&part));
        is_in_layer = rules.is_some();
    }
    if is_in_layer {
        joined.extend_from_slice(LAYER_END);
    }
    joined
}

/// Returns the URL of the file with this name in `static/`.
///
/// # Panics
///
/// If there is no such file: a template names a file that was never embedded.
pub(super) fn url(name: &str) -> &'static str {
    &ASSETS
        .by_name
        .get(name)
        .expect("templates name files of static/ only")
        .url
}

/// The stylesheet, and the digest in its name.
static STYLESHEET: LazyLock<(&str, &str)> = LazyLock::new(|| {
    let asset = &ASSETS.by_name[STYLE];
    let text = str::from_utf8(&asset.content).expect("the stylesheet is text");
    let digest = asset.url.rsplit('.').nth(1).expect("names have a digest");
    (text, digest)
});

/// Returns the stylesheet, and the digest in its name.
pub(super) fn stylesheet() -> (&'static str, &'static str) {
    *STYLESHEET
}

/// Returns the files that every page links to.
pub(super) fn of_layout() -> &'static parts::layout::Assets {
    static OF_LAYOUT: LazyLock<parts::layout::Assets> = LazyLock::new(|| parts::layout::Assets {
        stylesheet: url(STYLE).to_owned(),
        script: url(APP).to_owned(),
        live: url("live.js").to_owned(),
        keys: url("keys.js").to_owned(),
        newer: url("newer.js").to_owned(),
        icon: url("icon.svg").to_owned(),
    });
    &OF_LAYOUT
}

pub(super) async fn show(request: HttpRequest, hashed: web::Path<String>) -> Result<HttpResponse> {
    if let Some(file) = identity::find(&hashed) {
        return Ok(file.answer());
    }
    let asset = ASSETS
        .names
        .get(hashed.as_str())
        .and_then(|name| ASSETS.by_name.get(name))
        .ok_or(Error::NotFound)?;
    Ok(answer(&request, asset, FOR_EVER))
}

/// Serves the icon under the name that browsers request by default.
pub(super) async fn favicon(request: HttpRequest) -> Result<impl Responder> {
    let icon = ASSETS.by_name.get("icon.svg").ok_or(Error::NotFound)?;
    Ok(answer(&request, icon, "public, max-age=86400"))
}

fn answer(request: &HttpRequest, asset: &'static Asset, keep: &'static str) -> HttpResponse {
    let (coding, content) = coded(request, asset);
    let mut response = HttpResponse::Ok()
        .insert_header((header::CONTENT_TYPE, asset.media_type))
        .insert_header((header::CACHE_CONTROL, keep))
        .body(content);
    compression::vary(response.headers_mut());
    if let Some(coding) = coding {
        compression::mark(response.headers_mut(), coding);
    }
    response
}

/// Returns the form of a file that the client prefers. The first client that prefers brotli gets another one, and has
/// brotli made for later clients.
fn coded(request: &HttpRequest, asset: &'static Asset) -> (Option<Coding>, &'static [u8]) {
    let mut coding = compression::accepted_coding(request, true);
    if coding == Some(Coding::Brotli) {
        if let Some(content) = asset.by_brotli.get() {
            return (coding, content);
        }
        compress_by_brotli();
        coding = compression::accepted_coding(request, false);
    }
    match coding {
        Some(_) => (coding, &asset.by_gzip),
        None => (None, &asset.content),
    }
}

/// Compresses all files in a thread of its own, once for each process.
fn compress_by_brotli() {
    static BEGUN: Once = Once::new();
    BEGUN.call_once(|| {
        let compress = || {
            for asset in ASSETS.by_name.values() {
                let compressed = || compression::brotli_file(&asset.content);
                asset.by_brotli.get_or_init(compressed);
            }
        };
        let begun = thread::Builder::new()
            .name("brotli".to_owned())
            .spawn(compress);
        if let Err(error) = begun {
            tracing::warn!(%error, "static files are not compressed by brotli");
        }
    });
}

/// Returns a script or a stylesheet without comments and indentation, which browsers do not need. In `static/`, a
/// comment has lines of its own.
fn without_comments(name: &str, source: Cow<'static, [u8]>) -> Cow<'static, [u8]> {
    let (true, Ok(text)) = (
        name.ends_with("js") || name.ends_with("css"),
        str::from_utf8(&source),
    ) else {
        return source;
    };
    let mut kept = String::with_capacity(text.len());
    let mut in_comment = false;
    for line in text.lines().map(str::trim) {
        in_comment |= line.starts_with("/*");
        if !in_comment && !line.is_empty() && !line.starts_with("//") {
            kept.push_str(line);
            kept.push('\n');
        }
        in_comment &= !line.ends_with("*/");
    }
    Cow::Owned(kept.into_bytes())
}

/// Returns a stylesheet or script with the URL of a file in place of its name, as in `url("name")`.
fn with_url(source: &[u8], name: &str, url: &str) -> Cow<'static, [u8]> {
    let text = String::from_utf8_lossy(source);
    let text = text.replace(&format!("(\"{name}\")"), &format!("(\"{url}\")"));
    Cow::Owned(text.into_bytes())
}

fn hashed_name(name: &str, digest: &[u8]) -> String {
    let digest = hex(digest);
    match name.rsplit_once('.') {
        Some((stem, extension)) => format!("{stem}.{digest}.{extension}"),
        None => format!("{name}.{digest}"),
    }
}

fn media_type(name: &str) -> &'static str {
    match name.rsplit_once('.').map(|(_, extension)| extension) {
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("svg") => "image/svg+xml",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::super::assets::*;

    #[test]
    fn a_script_is_served_without_comments() {
        let source = "// One.\nconst a = 'https://b'; // two\n/** Three\n    four. */\n  run(a);\n";
        let served = without_comments("a.js", Cow::Borrowed(source.as_bytes()));
        assert_eq!(&*served, b"const a = 'https://b'; // two\nrun(a);\n");
        let icon = without_comments("a.svg", Cow::Borrowed(b"  <svg>"));
        assert_eq!(&*icon, b"  <svg>");
    }

    #[test]
    fn a_file_names_the_url_of_another() {
        let source = b"a { mask: url(\"icons.svg\"); }";
        let served = with_url(source, "icons.svg", "/static/icons.ab.svg");
        assert_eq!(&*served, b"a { mask: url(\"/static/icons.ab.svg\"); }");
        for (by, named) in NAMED {
            let text = String::from_utf8_lossy(&ASSETS.by_name[by].content);
            assert!(text.contains(&format!("(\"{}\")", url(named))), "{by}");
        }
    }

    #[test]
    fn the_script_of_every_page_has_all_files_of_its_folder() {
        let mut listed = APP_FILES.map(|part| format!("{APP_FOLDER}{part}"));
        listed.sort();
        let mut stored: Vec<_> = Files::iter().map(Cow::into_owned).collect();
        stored.retain(|name| name.starts_with(APP_FOLDER));
        stored.sort();
        assert_eq!(stored, listed);
        let script = String::from_utf8(content(APP).into_owned()).unwrap();
        let begins = ["const login", "function attachDraft", "function shortTime"];
        let places = begins.map(|begin| script.find(begin).unwrap());
        assert!(places.is_sorted(), "{places:?}");
        assert!(names().all(|name| !name.starts_with(APP_FOLDER)));
    }

    #[test]
    fn each_layer_of_the_stylesheet_is_one_block() {
        let style = String::from_utf8(content(STYLE).into_owned()).unwrap();
        for layer in ["reset", "base", "layout", "components", "utilities"] {
            assert_eq!(style.matches(&format!("@layer {layer} {{")).count(), 1);
        }
        assert_eq!(style.matches('{').count(), style.matches('}').count());
        assert!(names().all(|name| !name.contains('/')));
    }

    #[test]
    fn an_asset_name_contains_its_digest_before_the_extension() {
        assert_eq!(hashed_name("app.css", &[0xab, 1]), "app.ab01.css");
        assert_eq!(hashed_name("icons/a.svg", &[0xab]), "icons/a.ab.svg");
    }
}
