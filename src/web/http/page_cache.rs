//! The cache of home pages. The store records the sources of a page: the cached entries that it was made from. While they
//! are unchanged, the member gets the page from the cache, with a new form token and a new idempotency key. All threads
//! share the pages. To check a page, a thread uses the connection of the thread that made it, which has its sources. Ages
//! on a page can be up to a minute late, because no home is cached for longer.

use std::sync::Arc;

use actix_web::{
    HttpMessage, HttpResponse,
    body::{BoxBody, MessageBody},
    dev::{ServiceRequest, ServiceResponse},
    http::{
        Method, StatusCode,
        header::{COOKIE, SET_COOKIE},
    },
    middleware::Next,
    web::Bytes,
};
use foldhash::fast::RandomState;
use memchr::memmem;
use quick_cache::{OptionsBuilder, Weighter, sync};

use super::{
    answer::html_response,
    csrf,
    entity_tag::WholePage,
    session::{
        memory::NextNotice,
        visitor::{FreshSeed, Personal},
    },
};
use crate::{
    domain::{IdempotencyKey, UserId},
    store::{PageSources, SiteProfile, StaffState},
    web::{AppState, routes},
};

/// Bytes per page besides its HTML and its sources: key, places of secrets, and place in the table.
const ENTRY_BYTES: u64 = 1024;
/// Average bytes per page, for the initial size of the table.
const USUAL_BYTES: u64 = 48 * 1024;
/// Pages are large, so a part of the table that is locked for itself would have room for few of them.
const SHARDS: usize = 1;
/// Headers of prefetches, which are no visits.
const PURPOSES: [&str; 2] = ["purpose", "sec-purpose"];

/// The parts of a cached page that differ each time it is served. A handler that allows caching adds them to its request.
pub struct Cacheable {
    pub member: UserId,
    /// Seed of the form token.
    pub seed: String,
    pub token: String,
    pub idempotency_key: IdempotencyKey,
}

/// Pages of all threads, within one limit in bytes.
pub struct PageCache(sync::Cache<PageKey, Arc<CachedPage>, PageBytes, RandomState>);

/// The cookies of a request.
type PageKey = String;

struct CachedPage {
    html: Bytes,
    member: UserId,
    seed: String,
    tokens_at: Vec<usize>,
    idempotency_keys_at: Vec<usize>,
    sources: PageSources,
    context: Context,
}

/// State of the process that pages show.
struct Context {
    site: Arc<SiteProfile>,
    staff: Arc<StaffState>,
    is_posting_closed: bool,
}

#[derive(Clone)]
struct PageBytes;

impl Weighter<PageKey, Arc<CachedPage>> for PageBytes {
    fn weight(&self, cookies: &PageKey, page: &Arc<CachedPage>) -> u64 {
        let bytes = cookies.len() + page.html.len() + page.sources.bytes();
        ENTRY_BYTES + bytes as u64
    }
}

/// The middleware around the session middleware: serves a cached page, or caches the page of the handler.
pub async fn middleware<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<BoxBody>, actix_web::Error> {
    let Some(key) = key(&request) else {
        return Ok(next.call(request).await?.map_into_boxed_body());
    };
    let app = AppState::of(request.request()).clone();
    if let Some(page) = app.site.pages.0.get(&key)
        && let Some(response) = page.serve_if_current(&app).await
    {
        request.extensions_mut().insert(Personal);
        return Ok(request.into_response(response));
    }
    let context = Context::of(&app);
    let (response, sources) = app.store.record(next.call(request)).await;
    let response = response?.map_into_boxed_body();
    let page = sources.and_then(|sources| CachedPage::new(&response, sources, context));
    if let Some(page) = page {
        app.site.pages.0.insert(key, Arc::new(page));
    }
    Ok(response)
}

/// Returns the key of a request for home.
fn key(request: &ServiceRequest) -> Option<PageKey> {
    let headers = request.headers();
    let is_home = *request.method() == Method::GET && *request.uri() == *routes::HOME;
    let is_visit = PURPOSES.iter().all(|name| !headers.contains_key(*name));
    let cookies = headers.get(COOKIE).filter(|_| is_home && is_visit)?;
    Some(cookies.to_str().ok()?.to_owned())
}

impl PageCache {
    /// Creates an empty cache. Without bytes, it caches nothing.
    pub fn of(bytes: usize) -> Self {
        let bytes = bytes as u64;
        let usual = usize::try_from(bytes / USUAL_BYTES).unwrap_or(usize::MAX);
        let options = OptionsBuilder::new()
            .estimated_items_capacity(usual)
            .weight_capacity(bytes)
            .shards(SHARDS)
            .build();
        let options = options.expect("capacities are set");
        let (hasher, lifecycle) = (RandomState::default(), Default::default());
        Self(sync::Cache::with_options(
            options, PageBytes, hasher, lifecycle,
        ))
    }
}

impl CachedPage {
    /// Returns `None` if the response must not be cached.
    fn new(
        response: &ServiceResponse<BoxBody>,
        sources: PageSources,
        context: Context,
    ) -> Option<Self> {
        let extensions = response.request().extensions();
        let sets_cookies = response.headers().contains_key(SET_COOKIE)
            || extensions.contains::<FreshSeed>()
            || extensions.contains::<NextNotice>();
        let cacheable = extensions.get::<Cacheable>().filter(|_| !sets_cookies)?;
        let sent = response.response().extensions();
        let WholePage(html) = sent.get().filter(|_| response.status() == StatusCode::OK)?;
        let places = |secret: &str| memmem::find_iter(html, secret).collect();
        Some(Self {
            tokens_at: places(&cacheable.token),
            idempotency_keys_at: places(cacheable.idempotency_key.as_str()),
            member: cacheable.member,
            seed: cacheable.seed.clone(),
            html: Bytes::copy_from_slice(html),
            sources,
            context,
        })
    }

    /// Returns the page with new secrets, if its sources are unchanged.
    async fn serve_if_current(&self, app: &AppState) -> Option<HttpResponse> {
        app.store.page_begins();
        if !self.context.is_current(app) || !self.sources.are_unchanged().await {
            return None;
        }
        app.store.count_visit(self.member);
        let mut html = self.html.to_vec();
        let token = csrf::token(&app.site.keys.csrf, &self.seed, Some(self.member));
        let key = IdempotencyKey::draw();
        for (places, secret) in [
            (&self.tokens_at, token.as_str()),
            (&self.idempotency_keys_at, key.as_str()),
        ] {
            for at in places {
                html[*at..*at + secret.len()].copy_from_slice(secret.as_bytes());
            }
        }
        Some(html_response(StatusCode::OK, html.into()))
    }
}

impl Context {
    fn of(app: &AppState) -> Self {
        Self {
            site: app.store.known_site(),
            staff: app.store.known_staff_state(),
            is_posting_closed: app.store.memory_use().is_almost_full(),
        }
    }

    fn is_current(&self, app: &AppState) -> bool {
        let now = Self::of(app);
        Arc::ptr_eq(&self.site, &now.site)
            && Arc::ptr_eq(&self.staff, &now.staff)
            && self.is_posting_closed == now.is_posting_closed
    }
}
