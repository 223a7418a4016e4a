//! Debian's nginx with the unchanged `deploy/nginx.conf`, and Redwing behind it on a unix socket.
//! Only ports, paths and the certificate are replaced.

use std::{
    fs,
    io::{self, Write},
    net::{IpAddr, Ipv4Addr, SocketAddr},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

use reqwest::{Client, redirect};
use tokio::io::AsyncWriteExt;

use crate::support::{
    Person,
    certificate::Certificate,
    process::{Home, Process, free_port, signal},
    waiting::eventually,
};

pub const NAME: &str = "redwing.example";
pub const ORIGIN: &str = "https://redwing.example";

/// Address of a visitor. All of 127.0.0.0/8 is this machine.
pub const HERE: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 1);
pub const ELSEWHERE: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 2);
/// Address of another proxy, which nginx trusts to name the visitor's address in `X-Real-IP`.
pub const PROXY: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 3);

/// Surroundings of a site in Debian's `nginx.conf`, with all paths below the test's directory. As
/// root, nginx would run its workers as a user without access to that directory.
const MAIN: &str = "daemon off; pid nginx.pid; worker_processes 1; user root;
events { worker_connections 1024; }
http {
    sendfile on; tcp_nopush on; types_hash_max_size 2048;
    include /etc/nginx/mime.types; default_type application/octet-stream;
    ssl_protocols TLSv1 TLSv1.1 TLSv1.2 TLSv1.3; ssl_prefer_server_ciphers on;
    gzip on; access_log all.log;
    client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi;
    uwsgi_temp_path uwsgi; scgi_temp_path scgi;
    set_real_ip_from 127.0.0.3; real_ip_header X-Real-IP;
    include site.conf;
}
";

/// Site as visitors reach it.
pub struct Front {
    pub http_port: u16,
    https_port: u16,
    certificate: Certificate,
    nginx: Child,
    redwing: Option<Process>,
    settings: Vec<String>,
    home: Home,
}

impl Front {
    /// Returns `None` if there is no nginx.
    pub async fn start(settings: &[&str]) -> Option<Self> {
        let program = find_nginx()?;
        let home = Home::new();
        let dir = home.outside();
        let certificate = Certificate::make(dir, NAME);
        let (http_port, https_port) = (free_port(), free_port());
        write(dir, "site.conf", &site(dir, http_port, https_port));
        write(dir, "nginx.conf", MAIN);
        let nginx = start_nginx(program, dir);
        let mut front = Self {
            http_port,
            https_port,
            certificate,
            nginx,
            redwing: None,
            settings: settings.iter().map(|&setting| setting.into()).collect(),
            home,
        };
        front.start_redwing();
        let visitor = front.client(HERE);
        eventually("nginx answers", async || {
            visitor.get(ORIGIN).send().await.is_ok()
        })
        .await;
        Some(front)
    }

    pub fn start_redwing(&mut self) {
        let listen = format!("unix:{}", self.socket().display());
        let site = ["--public-url", ORIGIN, "--sign-up", "open"];
        let mut command = self.home.command(&["serve", "--listen", &listen]);
        command.args(site).args(&self.settings);
        let log = self.home.outside().join("redwing.log");
        self.redwing = Some(Process::start(command, &log));
    }

    pub fn stop_redwing(&mut self) {
        let redwing = self.redwing.take().expect("it was started");
        assert!(redwing.stop().success());
    }

    /// Returns the socket of Redwing.
    pub fn socket(&self) -> PathBuf {
        self.home.outside().join("redwing.sock")
    }

    /// Returns nginx's access log.
    pub fn access_log(&self) -> String {
        self.log("access.log")
    }

    /// Returns everything that nginx logs elsewhere: errors, and requests that the site does not log.
    pub fn other_logs(&self) -> String {
        ["error.log", "all.log", "nginx.log"]
            .map(|name| self.log(name))
            .concat()
    }

    fn log(&self, name: &str) -> String {
        fs::read_to_string(self.home.outside().join(name)).expect("nginx made it")
    }

    /// Writes the file that certbot would create while it requests a certificate.
    pub fn put_challenge(&self, token: &str, text: &str) {
        let dir = self.home.outside().join("www/.well-known/acme-challenge");
        fs::create_dir_all(&dir).expect("the directory is writable");
        write(&dir, token, text);
    }

    /// Returns a browser at that address, which trusts only the test's certificate.
    pub fn client(&self, from: Ipv4Addr) -> Client {
        // Fails if another test of this process has already installed it.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let certificate = fs::read(&self.certificate.certificate).expect("openssl wrote it");
        let certificate = reqwest::Certificate::from_pem(&certificate).expect("a certificate");
        Client::builder()
            .redirect(redirect::Policy::none())
            .no_proxy()
            .tls_certs_only([certificate])
            .resolve(NAME, SocketAddr::from((HERE, self.https_port)))
            .resolve("other.example", SocketAddr::from((HERE, self.https_port)))
            .local_address(IpAddr::V4(from))
            .build()
            .expect("a client can be built")
    }

    pub fn visitor(&self, from: Ipv4Addr) -> Person {
        Person::at(self.client(from), ORIGIN, ORIGIN)
    }

    /// Sends these bytes on a connection of their own, and returns all that comes until nginx closes it.
    pub async fn send_bytes(&self, request: &str) -> String {
        let address = format!("127.0.0.1:{}", self.https_port);
        let mut connection = tokio::process::Command::new("openssl")
            .args(["s_client", "-quiet", "-servername", NAME, "-connect"])
            .arg(address)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .expect("openssl runs");
        let mut input = connection.stdin.take().expect("a pipe");
        let bytes = request.as_bytes();
        input.write_all(bytes).await.expect("it reads");
        let output = connection.wait_with_output().await.expect("it ends");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// Signs up a user.
    pub async fn sign_up(&self, login: &str) -> Person {
        let mut person = self.visitor(HERE);
        let answer = person.send_sign_up(login).await;
        assert_eq!(answer.status.as_u16(), 303, "{}", answer.html);
        login.clone_into(&mut person.login);
        person
    }
}

impl Drop for Front {
    fn drop(&mut self) {
        // The master process ends its workers before it ends itself.
        signal("TERM", self.nginx.id());
        let _ = self.nginx.wait();
    }
}

fn start_nginx(program: &str, dir: &Path) -> Child {
    let nginx = || {
        let mut nginx = Command::new(program);
        nginx.args(["-e", "stderr", "-c", "nginx.conf", "-p"]);
        nginx.arg(dir).stdin(Stdio::null());
        nginx
    };
    let trial = nginx().arg("-t").output().expect("nginx runs");
    let output_text = String::from_utf8_lossy(&trial.stderr);
    assert!(trial.status.success(), "deploy/nginx.conf: {output_text}");
    let log = fs::File::create(dir.join("nginx.log")).expect("the directory is writable");
    nginx().stderr(log).spawn().expect("nginx runs")
}

/// Returns `deploy/nginx.conf` with the test's ports, socket and certificate. IPv6 is removed,
/// because the test machine may lack it.
fn site(dir: &Path, http_port: u16, https_port: u16) -> String {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/deploy/nginx.conf");
    let site = fs::read_to_string(file).expect("it exists");
    let lines = site.lines().filter(|line| !line.contains("listen [::]"));
    let mut site = lines.collect::<Vec<_>>().join("\n");
    let dir = dir.display().to_string();
    for (original, replacement) in [
        ("listen 80;", format!("listen 127.0.0.1:{http_port};")),
        (
            "listen 80 default_server;",
            format!("listen 127.0.0.1:{http_port} default_server;"),
        ),
        ("listen 443 ", format!("listen 127.0.0.1:{https_port} ")),
        ("/run/redwing/redwing.sock", format!("{dir}/redwing.sock")),
        (
            "/etc/letsencrypt/live/redwing.example/fullchain.pem",
            format!("{dir}/{NAME}.crt"),
        ),
        (
            "/etc/letsencrypt/live/redwing.example/privkey.pem",
            format!("{dir}/{NAME}.key"),
        ),
        (
            "/var/log/nginx/redwing.error.log",
            format!("{dir}/error.log"),
        ),
        ("/var/www/html", format!("{dir}/www")),
        (
            "/var/log/nginx/redwing.access.log",
            format!("{dir}/access.log"),
        ),
    ] {
        assert!(
            site.contains(original),
            "deploy/nginx.conf contains {original}"
        );
        site = site.replace(original, &replacement);
    }
    site
}

fn write(dir: &Path, name: &str, text: &str) {
    fs::write(dir.join(name), text).expect("the directory is writable");
}

/// Returns the path of Debian's nginx. If it is missing, the test is skipped with a visible
/// message; in CI it fails.
fn find_nginx() -> Option<&'static str> {
    let found = ["nginx", "/usr/sbin/nginx"].into_iter().find(|program| {
        Command::new(program)
            .arg("-v")
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|status| status.success())
    });
    if found.is_none() {
        assert!(
            std::env::var_os("CI").is_none_or(|ci| ci != "true"),
            "CI needs nginx: apt install nginx"
        );
        // Written past the test harness, which captures the output of successful tests.
        let line = "\n############ SKIPPED: a test behind nginx. Install it: apt install nginx\n";
        let _ = io::stderr().write_all(line.as_bytes());
    }
    found
}
