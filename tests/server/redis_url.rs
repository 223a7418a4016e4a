//! A Redis that the settings name, with the built binary. A Redis that could lose data is refused;
//! password, database number and TLS work.

use std::{
    io::{self, Read, Write},
    os::unix::net::UnixStream,
    process::Command,
    thread,
};

use crate::support::{
    certificate::Certificate,
    process::{Home, Process, free_port},
    redis::{RedisServer, find_program},
    waiting::eventually_blocking,
};

const PASSWORD: &str = "a password/with?odd&signs";
const PASSWORD_IN_A_URL: &str = "a%20password%2Fwith%3Fodd%26signs";

fn serve(home: &Home, url: &str, settings: &[&str]) -> Process {
    let mut arguments = vec!["--redis-url", url];
    arguments.extend(settings);
    home.serve(&arguments)
}

/// Returns the answer of the server at this address over its unix socket.
fn send_commands(url: &str, commands: &str) -> io::Result<String> {
    let mut stream = UnixStream::connect(url.replace("redis+unix://", ""))?;
    write!(stream, "{commands}\r\nQUIT\r\n")?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    Ok(answer)
}

/// Returns the databases that hold keys, on a server with that password.
fn keyspace(redis: &RedisServer) -> String {
    let commands = format!("AUTH \"{PASSWORD}\"\r\nINFO keyspace");
    send_commands(&redis.url(), &commands).expect("it answers")
}

#[test]
fn a_redis_that_would_lose_data_is_refused_with_the_remedy() {
    let home = Home::new();
    for (settings, reason) in [
        (["--appendonly", "no"], "appendonly is off"),
        (
            ["--maxmemory-policy", "allkeys-lru"],
            "maxmemory-policy evicts",
        ),
        (["--cluster-enabled", "yes"], "one node of a cluster"),
    ] {
        let redis = RedisServer::with(&settings);
        let output_text = home.refusal(&["--redis-url", &redis.url()]);
        assert!(
            output_text.contains(reason) && output_text.contains("--allow-lossy-redis"),
            "{output_text}"
        );
    }
}

/// While Redis loads its data, it reports its append-only file as off.
#[test]
fn redwing_waits_for_a_redis_that_loads_its_data() {
    let mut redis = RedisServer::with(&[
        "--key-load-delay",
        "2000",
        "--loading-process-events-interval-bytes",
        "1024",
    ]);
    let url = redis.url();
    let ask = |commands: &str| send_commands(&url, commands).unwrap_or_default();
    ask("EVAL \"for i = 1, 1000 do redis.call('SET', 'k' .. i, string.rep('x', 2000)) end\" 0");
    ask("BGREWRITEAOF");
    eventually_blocking("the data is in the base file", || {
        let output_text = ask("INFO persistence");
        let done = ["aof_rewrite_in_progress:0", "aof_rewrite_scheduled:0"];
        done.iter().all(|line| output_text.contains(line))
    });
    redis.kill();
    thread::scope(|scope| {
        scope.spawn(|| redis.restart());
        eventually_blocking("it loads its data", || ask("PING").starts_with("-LOADING"));
        // Fails if it refuses the server.
        let redwing = serve(&Home::new(), &url, &[]);
        assert!(ask("PING").starts_with("-LOADING"), "it still does");
        assert!(redwing.stop().success());
    });
}

#[tokio::test]
async fn a_redis_that_would_lose_data_is_accepted_by_a_setting_and_logged() {
    let home = Home::new();
    let redis = RedisServer::with(&["--appendonly", "no"]);
    let redwing = serve(&home, &redis.url(), &["--allow-lossy-redis"]);
    redwing.sign_up("robin").await;
    assert!(
        redwing.log().contains("may lose data: appendonly is off"),
        "{}",
        redwing.log()
    );
    assert!(redwing.stop().success());
}

#[tokio::test]
async fn a_redis_that_appears_later_and_would_lose_data_is_refused() {
    let home = Home::new();
    let mut redis = RedisServer::with(&["--appendonly", "no"]);
    redis.kill();
    let redwing = serve(&home, &redis.url(), &[]);
    redis.restart();
    assert!(!redwing.ended().success());
}

#[tokio::test]
async fn no_server_is_embedded_if_a_redis_is_configured() {
    let home = Home::new();
    let redis = RedisServer::start();
    let redwing = serve(&home, &redis.url(), &[]);
    redwing.sign_up("robin").await;
    assert!(!home.path().join("redis").exists());
}

#[tokio::test]
async fn password_and_database_number_are_used_and_never_logged() {
    let home = Home::new();
    let redis = RedisServer::with(&["--requirepass", PASSWORD]);
    let url = format!("{}?db=3&pass={PASSWORD_IN_A_URL}", redis.url());
    let redwing = serve(&home, &url, &["--log", "trace"]);
    redwing.sign_up("robin").await;
    let keyspace = keyspace(&redis);
    assert!(
        keyspace.contains("db3:") && !keyspace.contains("db0:"),
        "{keyspace}"
    );
    let log = redwing.log();
    assert!(
        !log.contains(PASSWORD) && !log.contains(PASSWORD_IN_A_URL),
        "{log}"
    );
}

#[test]
fn a_wrong_password_is_named_as_the_reason() {
    let home = Home::new();
    let redis = RedisServer::with(&["--requirepass", PASSWORD]);
    let output = home.run(&["check", "--redis-url", &redis.url()]);
    let output_text = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success());
    assert!(output_text.to_lowercase().contains("auth"), "{output_text}");
}

#[tokio::test]
async fn tls_works_and_certificates_are_checked() {
    if !knows_tls() {
        eprintln!("SKIPPED: TLS TO REDIS, because this redis-server was built without TLS");
        return;
    }
    let home = Home::new();
    let files = home.outside();
    let Certificate { key, certificate } = Certificate::make(files, "localhost");
    let [key, certificate] = [key, certificate].map(|file| file.display().to_string());
    let port = free_port().to_string();
    let redis = RedisServer::with(&[
        "--tls-port",
        &port,
        "--bind",
        "127.0.0.1",
        "--tls-auth-clients",
        "no",
        "--requirepass",
        PASSWORD,
        "--tls-cert-file",
        &certificate,
        "--tls-key-file",
        &key,
        "--tls-ca-cert-file",
        &certificate,
    ]);
    let url = format!("rediss://:{PASSWORD_IN_A_URL}@localhost:{port}/3");

    let stranger = home.run(&["check", "--redis-url", &url]);
    assert!(
        !stranger.status.success(),
        "an unknown certificate is refused"
    );

    let mut command = home.command(&["serve", "--listen", "127.0.0.1:0", "--redis-url", &url]);
    command.env("SSL_CERT_FILE", &certificate);
    let redwing = Process::start(command, &files.join("redwing.log"));
    redwing.sign_up("robin").await;
    assert!(keyspace(&redis).contains("db3:"));
}

/// Returns whether the server supports TLS. Such a server asks for its certificate and ends without
/// one.
fn knows_tls() -> bool {
    let mut command = Command::new(find_program());
    let output = command
        .args(["--port", "0", "--tls-port", "1"])
        .output()
        .expect("it runs");
    let output_text = [output.stdout, output.stderr].concat();
    String::from_utf8_lossy(&output_text).contains("tls-cert-file")
}
