//! A page body that is sent in parts. A connection copies each part and keeps a buffer of the
//! largest, and there are many connections.

use std::{
    convert::Infallible,
    pin::Pin,
    task::{Context, Poll},
};

use actix_web::{
    body::{BodySize, MessageBody},
    web::Bytes,
};

/// actix-web buffers two of these (32 KiB) before it writes.
const PART_BYTES: usize = 16 * 1024;

pub(super) struct PageBody(Bytes);

impl From<Bytes> for PageBody {
    fn from(html: Bytes) -> Self {
        Self(html)
    }
}

impl MessageBody for PageBody {
    type Error = Infallible;

    fn size(&self) -> BodySize {
        BodySize::Sized(self.0.len() as u64)
    }

    fn poll_next(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, Infallible>>> {
        let part = PART_BYTES.min(self.0.len());
        let part = (part > 0).then(|| self.0.split_to(part));
        Poll::Ready(part.map(Ok))
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;

    use super::super::page_body::*;

    #[tokio::test]
    async fn the_parts_form_the_page_and_are_bounded() {
        for bytes in [0, 1, PART_BYTES, PART_BYTES + 1, 5 * PART_BYTES - 1] {
            let html: String = (0..bytes)
                .map(|at| char::from(b'a' + (at % 26) as u8))
                .collect();
            let mut body = PageBody::from(Bytes::from(html.clone()));
            assert_eq!(body.size(), BodySize::Sized(bytes as u64));
            let mut given = Vec::new();
            while let Some(Ok(part)) =
                poll_fn(|context| Pin::new(&mut body).poll_next(context)).await
            {
                assert!((1..=PART_BYTES).contains(&part.len()));
                given.extend_from_slice(&part);
            }
            assert_eq!(given, html.as_bytes());
        }
    }
}
