//! Resources of the route table: a page, a form, or both on one path, each with the methods that it answers.

use actix_web::{
    FromRequest, Handler, HttpRequest, HttpResponse, Resource, Responder, guard, http::Method, web,
};

use crate::web::{
    http::{
        answer::see_other,
        errors::{Error, Result},
    },
    routes,
};

/// Registers a page for GET and HEAD.
pub fn page<F, Args>(path: &str, get: F) -> Resource
where
    F: Handler<Args, Output: Responder + 'static>,
    Args: FromRequest + 'static,
{
    let head = guard::Any(guard::Get()).or(guard::Head());
    let refusal = || async { refuse("GET, HEAD") };
    web::resource(path.to_owned())
        .route(web::route().guard(head).to(get))
        .default_service(web::to(refusal))
}

/// Registers a form that is shown on another page. After a failed form, its path is in the address bar, and
/// Enter opens it again: GET leads to the page above it.
pub fn form<F, Args>(path: &str, post: F) -> Resource
where
    F: Handler<Args, Output: Responder + 'static>,
    Args: FromRequest + 'static,
{
    page(path, page_of_form)
        .route(web::post().to(post))
        .default_service(web::to(|| async { refuse("GET, HEAD, POST") }))
}

/// Redirects from the path of a form to the page above it: `/settings` for `/settings/profile`.
async fn page_of_form(request: HttpRequest) -> HttpResponse {
    let path = request.path();
    let above = path.rsplit_once('/').map_or("", |(above, _)| above);
    // The forms to hide and show reposts are on the profile.
    let above = above.strip_suffix("/reposts").unwrap_or(above);
    see_other(if above.is_empty() {
        routes::HOME
    } else {
        above
    })
}

/// Registers a form and its page.
pub fn page_and_form<F, G, Args, Brgs>(path: &str, get: F, post: G) -> Resource
where
    F: Handler<Args, Output: Responder + 'static>,
    Args: FromRequest + 'static,
    G: Handler<Brgs, Output: Responder + 'static>,
    Brgs: FromRequest + 'static,
{
    let refusal = || async { refuse("GET, HEAD, POST") };
    page(path, get)
        .route(web::post().to(post))
        .default_service(web::to(refusal))
}

fn refuse(allow: &'static str) -> Result<&'static str> {
    Err(Error::MethodNotAllowed { allow })
}

/// A path with a slash at its end leads to the path without it. `//host` would be another site.
pub async fn nothing_here(request: HttpRequest) -> Result<&'static str> {
    let path = request.path().trim_end_matches('/');
    let is_local = path.starts_with('/') && !path.starts_with("//") && !path.contains('\\');
    if !is_local || path.len() == request.path().len() || request.method() == Method::POST {
        return Err(Error::NotFound);
    }
    Err(Error::Moved(match request.query_string() {
        "" => path.to_owned(),
        query => format!("{path}?{query}"),
    }))
}
