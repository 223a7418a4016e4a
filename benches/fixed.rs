//! The reference server: the actix-web set-up of the site, answering one fixed page. It is this
//! program again, in a process of its own.

use std::{
    env, fs,
    io::{BufRead, BufReader},
    net::{SocketAddr, TcpListener},
    path::Path,
    process::{Child, Command, Stdio},
    time::Duration,
};

use actix_web::{
    App, HttpResponse, HttpServer,
    http::header::ContentType,
    web::{self, Bytes},
};

use super::{leftovers, redis::Outcome};

/// The argument that makes this program serve a page.
pub const ARGUMENT: &str = "--serve-fixed";

/// Process that serves one page. Dropping the value ends it.
pub struct FixedPageServer {
    pub address: SocketAddr,
    child: Child,
}

impl FixedPageServer {
    /// Starts a server for these bytes, which are stored in a file in `directory`.
    pub fn start(page: &[u8], directory: &Path) -> Outcome<Self> {
        let file = directory.join("page.html");
        fs::write(&file, page)?;
        let mut child = Command::new(env::current_exe()?)
            .arg(ARGUMENT)
            .arg(&file)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()?;
        leftovers::note(&child, directory.join("fixed.pid"));
        let mut said = String::new();
        let output = child.stdout.take().ok_or("its output is not piped")?;
        BufReader::new(output).read_line(&mut said)?;
        Ok(Self {
            address: said.trim().parse()?,
            child,
        })
    }
}

impl Drop for FixedPageServer {
    fn drop(&mut self) {
        // Both calls fail only if the process has already ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Serves a file's bytes until the process is killed.
pub fn serve(file: &str) -> Outcome<()> {
    let page = Bytes::from(fs::read(file)?);
    let listener = TcpListener::bind("127.0.0.1:0")?;
    println!("{}", listener.local_addr()?);
    let server = HttpServer::new(move || {
        let page = page.clone();
        let show = move || {
            let page = page.clone();
            async {
                HttpResponse::Ok()
                    .content_type(ContentType::html())
                    .body(page)
            }
        };
        App::new().route("/", web::get().to(show))
    })
    .workers(std::thread::available_parallelism()?.get())
    .keep_alive(Duration::from_secs(60))
    .tcp_nodelay(true)
    .listen(listener)?;
    actix_web::rt::System::new().block_on(server.run())?;
    Ok(())
}
