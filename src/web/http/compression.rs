//! Compression for clients that accept it: of pages by gzip, of static files by brotli or gzip. A proxy passes them on
//! as they are.
//!
//! A compressed page that repeats words of its address beside secrets would tell an observer of its length when the
//! words match a secret (BREACH). So the pages of search results are never compressed. Other pages repeat nothing that a
//! link from elsewhere can choose, and their form tokens differ each time.

use std::io::Write;

use actix_web::{
    HttpRequest,
    body::{BoxBody, MessageBody},
    dev::ServiceResponse,
    http::{
        Method,
        header::{self, AcceptEncoding, ContentEncoding, Encoding, Header, HeaderMap, HeaderValue},
    },
    web::Bytes,
};
use brotli::enc::BrotliEncoderParams;
use flate2::{Compression, write::GzEncoder};

use super::{entity_tag::WholePage, page_body::PageBody};
use crate::web::routes;

/// A shorter page fits into one packet in any case.
const MIN_PAGE_BYTES: usize = 1024;

/// A home of 39 KB becomes 6.6 KB in 0.14 ms. Level 1 takes 0.05 ms, for 8.9 KB. Higher levels save nothing.
const PAGE_LEVEL: u32 = 5;

/// Compresses the page of a response, if there is one and the client accepts it.
pub(super) fn compress_page(mut response: ServiceResponse<BoxBody>) -> ServiceResponse<BoxBody> {
    let page = response.response_mut().extensions_mut().remove();
    let Some(WholePage(page)) = page else {
        return response;
    };
    let request = response.request();
    let is_compressed = page.len() >= MIN_PAGE_BYTES
        && request.method() != Method::HEAD
        && !matches!(request.path(), routes::SEARCH | routes::SEARCH_MESSAGES)
        && accepted_coding(request, false) == Some(Coding::Gzip);
    if !is_compressed {
        return response;
    }
    let compressed = gzip(&page, Compression::new(PAGE_LEVEL));
    mark(response.headers_mut(), Coding::Gzip);
    response.map_body(|_, _| PageBody::from(Bytes::from(compressed)).boxed())
}

/// A compressed form of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Coding {
    Brotli,
    Gzip,
}

/// Returns the smallest form of a file by gzip.
pub fn gzip_file(content: &[u8]) -> Vec<u8> {
    gzip(content, Compression::best())
}

fn gzip(content: &[u8], level: Compression) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::with_capacity(content.len() / 4), level);
    let written = encoder.write_all(content).and_then(|()| encoder.finish());
    written.expect("writing to memory does not fail")
}

/// Returns the smallest form of a file by brotli. Takes about 10 µs for each byte.
pub fn brotli_file(content: &[u8]) -> Vec<u8> {
    let params = BrotliEncoderParams {
        quality: 11,
        // No file is longer than the window of 128 KiB, which decides the memory of the encoder.
        lgwin: 17,
        size_hint: content.len(),
        ..BrotliEncoderParams::default()
    };
    let mut compressed = Vec::with_capacity(content.len() / 4);
    let written = brotli::BrotliCompress(&mut &content[..], &mut compressed, &params);
    written.expect("writing to memory does not fail");
    compressed
}

/// A client that names more codings than fit into this many bytes gets no compression. Browsers need 30. The library takes
/// time for each of them, on every route.
const MAX_ACCEPT_ENCODING_BYTES: usize = 256;

/// Returns the compressed form that the client prefers, if it prefers one to no compression.
pub fn accepted_coding(request: &HttpRequest, has_brotli: bool) -> Option<Coding> {
    let named = request.headers().get_all(header::ACCEPT_ENCODING);
    if named.map(HeaderValue::len).sum::<usize>() > MAX_ACCEPT_ENCODING_BYTES {
        return None;
    }
    let brotli = has_brotli.then(Encoding::brotli);
    let supported = [Encoding::gzip(), Encoding::identity()];
    let supported: Vec<Encoding> = supported.into_iter().chain(brotli).collect();
    let accepted = AcceptEncoding::parse(request).ok()?;
    match accepted.negotiate(supported.iter())? {
        Encoding::Known(ContentEncoding::Brotli) => Some(Coding::Brotli),
        Encoding::Known(ContentEncoding::Gzip) => Some(Coding::Gzip),
        _ => None,
    }
}

/// Says how the body is compressed.
pub fn mark(headers: &mut HeaderMap, coding: Coding) {
    let name = match coding {
        Coding::Brotli => "br",
        Coding::Gzip => "gzip",
    };
    headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(name));
}

/// Says that caches must distinguish clients by the compression that they accept. The headers of every page say so.
pub fn vary(headers: &mut HeaderMap) {
    headers.append(header::VARY, HeaderValue::from_static("Accept-Encoding"));
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::super::compression::*;

    #[test]
    fn a_client_gets_the_compressed_form_that_it_prefers() {
        let (brotli, gzip) = (Some(Coding::Brotli), Some(Coding::Gzip));
        for (accepted, with_brotli, without) in [
            ("gzip", gzip, gzip),
            ("gzip, deflate, br, zstd", brotli, gzip),
            ("br;q=1.0, gzip;q=0.5", brotli, gzip),
            ("br;q=0.5, gzip", gzip, gzip),
            ("gzip;q=0", None, None),
            ("identity, gzip;q=0.5", None, None),
            ("br", brotli, None),
            ("", None, None),
        ] {
            let request = TestRequest::default();
            let request = request.insert_header((header::ACCEPT_ENCODING, accepted));
            let request = request.to_http_request();
            assert_eq!(accepted_coding(&request, true), with_brotli, "{accepted}");
            assert_eq!(accepted_coding(&request, false), without, "{accepted}");
        }
        let request = TestRequest::default().to_http_request();
        assert_eq!(accepted_coding(&request, true), None);
    }

    #[test]
    fn a_client_that_names_many_codings_gets_no_compression() {
        for (others, coding) in [(100, Some(Coding::Gzip)), (260, None)] {
            let mut request = TestRequest::default();
            request = request.insert_header((header::ACCEPT_ENCODING, "gzip"));
            for _ in 0..others / 2 {
                request = request.append_header((header::ACCEPT_ENCODING, "br"));
            }
            let request = request.to_http_request();
            assert_eq!(accepted_coding(&request, false), coding, "{others}");
        }
    }
}
