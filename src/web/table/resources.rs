//! Resources of the route table: a page, a form, or both on one path, each with the methods that it answers.

use std::rc::Rc;

use actix_web::{
    FromRequest, Handler, HttpRequest, HttpResponse, Resource, Responder, Route,
    dev::{ServiceRequest, ServiceResponse, fn_service},
    guard,
    http::Method,
    web,
};
use futures_util::future::LocalBoxFuture;

use crate::web::{
    http::{
        answer::see_other,
        errors::{Error, Result},
    },
    routes,
};

/// A handler with its extractors. All handlers have this one type, so that the services of actix-web are compiled once
/// and not for each handler.
type Endpoint = Rc<dyn Fn(ServiceRequest) -> LocalBoxFuture<'static, Answer>>;
type Answer = std::result::Result<ServiceResponse, actix_web::Error>;

/// Registers a page for GET and HEAD.
pub fn page<F, Args>(path: &str, get: F) -> Resource
where
    F: Handler<Args, Output: Responder + 'static>,
    Args: FromRequest + 'static,
{
    page_at(path, endpoint(get))
}

/// Registers a form that is shown on another page. After a failed form, its path is in the address bar, and
/// Enter opens it again: GET leads to the page above it.
pub fn form<F, Args>(path: &str, post: F) -> Resource
where
    F: Handler<Args, Output: Responder + 'static>,
    Args: FromRequest + 'static,
{
    page_and_form_at(path, endpoint(page_of_form), endpoint(post))
}

/// Registers a form and its page.
pub fn page_and_form<F, G, Args, Brgs>(path: &str, get: F, post: G) -> Resource
where
    F: Handler<Args, Output: Responder + 'static>,
    Args: FromRequest + 'static,
    G: Handler<Brgs, Output: Responder + 'static>,
    Brgs: FromRequest + 'static,
{
    page_and_form_at(path, endpoint(get), endpoint(post))
}

fn page_at(path: &str, get: Endpoint) -> Resource {
    let head = guard::Any(guard::Get()).or(guard::Head());
    web::resource(path.to_owned())
        .route(route(get).guard(head))
        .default_service(web::to(|| async { refuse("GET, HEAD") }))
}

fn page_and_form_at(path: &str, get: Endpoint, post: Endpoint) -> Resource {
    page_at(path, get)
        .route(route(post).guard(guard::Post()))
        .default_service(web::to(|| async { refuse("GET, HEAD, POST") }))
}

fn endpoint<F, Args>(handler: F) -> Endpoint
where
    F: Handler<Args, Output: Responder + 'static>,
    Args: FromRequest + 'static,
{
    Rc::new(move |request| {
        let handler = handler.clone();
        Box::pin(async move {
            let (request, mut payload) = request.into_parts();
            let response = match Args::from_request(&request, &mut payload).await {
                Ok(arguments) => {
                    let answer = handler.call(arguments).await;
                    answer.respond_to(&request).map_into_boxed_body()
                }
                Err(error) => HttpResponse::from_error(error),
            };
            Ok(ServiceResponse::new(request, response))
        })
    })
}

fn route(endpoint: Endpoint) -> Route {
    web::route().service(fn_service(move |request| endpoint(request)))
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
