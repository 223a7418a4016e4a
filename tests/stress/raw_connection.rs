//! A connection on which a test writes every byte itself, at its own speed.

use std::{io, net::Ipv4Addr, os::fd::AsRawFd, time::Duration};

use reqwest::header::HeaderMap;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpSocket, TcpStream},
    time::timeout,
};

use crate::support::{Form, Person, request::encode, waiting::eventually};

/// Time limit for an answer or for the end of a connection. It is shorter than the keep-alive time and the time for a
/// request head of the sites here, so that these cannot end a connection instead.
const PATIENCE: Duration = Duration::from_secs(50);

pub struct RawConnection(TcpStream);

/// Answer with a declared length.
pub struct Answer {
    pub status: u16,
    pub headers: HeaderMap,
    pub html: String,
}

impl RawConnection {
    pub async fn open(base: &str) -> Self {
        let address = base.trim_start_matches("http://");
        let stream = timeout(PATIENCE, TcpStream::connect(address)).await;
        Self(stream.expect("in time").expect("the site listens"))
    }

    /// Opens a connection from this address of the machine.
    pub async fn open_from(from: Ipv4Addr, base: &str) -> Self {
        let address = base
            .trim_start_matches("http://")
            .parse()
            .expect("an address");
        let socket = TcpSocket::new_v4().expect("a socket");
        socket.bind((from, 0).into()).expect("a free port");
        let stream = timeout(PATIENCE, socket.connect(address)).await;
        Self(stream.expect("in time").expect("the site listens"))
    }

    /// Opens a connection on which both systems hold few bytes that the test does not read: the buffers of the site
    /// follow from the size of a segment.
    pub async fn open_with_little_room(base: &str) -> Self {
        const ROOM: u32 = 4096;
        let segment: libc::c_int = 536;
        let address = base.trim_start_matches("http://");
        let address = address.parse().expect("an address");
        let socket = TcpSocket::new_v4().expect("a socket");
        socket.set_recv_buffer_size(ROOM).expect("a size");
        // SAFETY: the option is an integer of the given size, and the socket is open.
        let set = unsafe {
            libc::setsockopt(
                socket.as_raw_fd(),
                libc::IPPROTO_TCP,
                libc::TCP_MAXSEG,
                (&raw const segment).cast(),
                size_of_val(&segment) as libc::socklen_t,
            )
        };
        assert_eq!(set, 0, "the size of a segment can be set");
        let stream = timeout(PATIENCE, socket.connect(address)).await;
        Self(stream.expect("in time").expect("the site listens"))
    }

    pub async fn send(&mut self, bytes: impl AsRef<[u8]>) {
        let sent = timeout(PATIENCE, self.0.write_all(bytes.as_ref())).await;
        sent.expect("in time").expect("the connection is open");
    }

    /// Requests a path and leaves the connection open.
    pub async fn get(&mut self, path: &str) {
        let head = format!("GET {path} HTTP/1.1\r\nHost: x\r\n\r\n");
        self.send(head).await;
    }

    /// Sends the head of a request, and waits until the site asks for the body.
    pub async fn begin(&mut self, head: &str) {
        let head = head.trim_end();
        self.send(format!("{head}\r\nExpect: 100-continue\r\n\r\n"))
            .await;
        assert_eq!(self.answer().await.status, 100);
    }

    pub async fn answer(&mut self) -> Answer {
        let read = timeout(PATIENCE, self.read_answer()).await;
        read.expect("an answer in time").expect("a whole answer")
    }

    async fn read_answer(&mut self) -> io::Result<Answer> {
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            head.push(self.0.read_u8().await?);
        }
        let head = String::from_utf8(head).map_err(io::Error::other)?;
        let (first, rest) = head.split_once("\r\n").expect("a status line");
        let status = first[9..12].parse().map_err(io::Error::other)?;
        let mut headers = HeaderMap::new();
        for (name, value) in rest.lines().filter_map(|line| line.split_once(": ")) {
            let name: reqwest::header::HeaderName = name.parse().map_err(io::Error::other)?;
            headers.append(name, value.parse().map_err(io::Error::other)?);
        }
        let length = headers.get("content-length");
        let length = length.and_then(|length| length.to_str().ok()?.parse().ok());
        let mut body = vec![0; length.unwrap_or(0)];
        self.0.read_exact(&mut body).await?;
        Ok(Answer {
            status,
            headers,
            html: String::from_utf8(body).map_err(io::Error::other)?,
        })
    }

    /// Closes the sending side, as a client that leaves.
    pub async fn leave(&mut self) {
        self.0.shutdown().await.expect("the connection is open");
    }

    /// Reads until the site closes the connection.
    pub async fn ended(&mut self) -> Vec<u8> {
        let mut rest = Vec::new();
        // A reset counts as an end too.
        let read = timeout(PATIENCE, self.0.read_to_end(&mut rest)).await;
        let _reset_or_closed = read.expect("the site closes the connection");
        rest
    }

    /// Writes the same bytes repeatedly without reading, until writing fails.
    pub async fn ended_by_repeating(&mut self, bytes: &[u8]) {
        eventually("the site closes the connection", async || {
            let said = self.0.try_write(bytes);
            said.is_err_and(|error| error.kind() != io::ErrorKind::WouldBlock)
        })
        .await;
    }
}

/// Returns a form of a page as a request: its head with the person's cookies, and its body.
pub fn parts(person: &Person, form: &Form) -> (String, String) {
    let body = encode(&form.fields);
    let head = format!(
        "POST {} HTTP/1.1\r\nHost: x\r\nOrigin: {}\r\nCookie: {}\r\n\
         Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n\r\n",
        form.action,
        person.origin(),
        person.cookies.header().unwrap_or_default(),
        body.len()
    );
    (head, body)
}
