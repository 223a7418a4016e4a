//! HTTP/1.1 on a listener: the HTTP library, with a gate in front of each connection.

use std::{
    any::Any,
    fmt::Debug,
    future::ready,
    io,
    net::{SocketAddr, TcpListener},
    os::unix::net::UnixListener,
    sync::Arc,
    thread::available_parallelism,
    time::Duration,
};

use actix_codec::{AsyncRead, AsyncWrite};
use actix_http::{
    HttpService, KeepAlive, Request, Response, ServiceConfig, body::MessageBody,
    error::DispatchError,
};
use actix_service::{
    IntoServiceFactory, ServiceFactory, ServiceFactoryExt, fn_service, map_config,
};
use actix_web::{
    Error,
    dev::{AppConfig, Server},
    rt::net::{TcpStream, UnixStream},
};

use super::{connections::Connections, gate::Gate};
use crate::config::Config;

/// How long a client may take to read the response that ends its connection.
const LEAVING: Duration = Duration::from_secs(1);

pub enum Listener {
    Tcp(TcpListener),
    Unix(UnixListener),
}

/// Serves the app that `app` creates, once per thread. Runs when the server is polled.
pub fn serve<F, I, S, B>(
    listener: Listener,
    config: &Arc<Config>,
    connections: Connections,
    app: F,
) -> io::Result<Server>
where
    F: Fn() -> I + Clone + Send + 'static,
    I: IntoServiceFactory<S, Request>,
    S: ServiceFactory<Request, Config = AppConfig, Error = Error> + 'static,
    S::InitError: Debug,
    S::Response: Into<Response<B>>,
    B: MessageBody + 'static,
{
    let threads = match config.threads {
        0 => available_parallelism().map_or(1, usize::from),
        threads => threads,
    };
    let server = Server::build()
        .workers(threads)
        .max_concurrent_connections(config.limits.max_connections.div_ceil(threads))
        .shutdown_timeout(config.timeouts.shutdown.as_secs().max(1))
        .disable_signals();
    let stopping = server.graceful_shutdown_signal();
    let stopping = move || {
        let stopping = stopping.clone();
        async move { stopping.notified().await }
    };
    let config = Arc::clone(config);
    let server = match listener {
        Listener::Tcp(listener) => server.listen("pages", listener, move || {
            let http = http(app(), &config, connections.clone(), stopping.clone());
            gates(&config, &connections, peer).and_then(http)
        })?,
        Listener::Unix(listener) => server.listen_uds("pages", listener, move || {
            let http = http(app(), &config, connections.clone(), stopping.clone());
            gates(&config, &connections, |_: &UnixStream| None).and_then(http)
        })?,
    };
    Ok(server.run())
}

/// Returns the peer's address. Sends each write at once.
fn peer(stream: &TcpStream) -> Option<SocketAddr> {
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "a connection had ended by itself");
    }
    stream.peer_addr().ok()
}

/// Creates the gate of each socket, together with the peer's address.
fn gates<T: AsyncRead + Unpin + 'static>(
    config: &Config,
    connections: &Connections,
    peer: fn(&T) -> Option<SocketAddr>,
) -> impl ServiceFactory<
    T,
    Config = (),
    Response = (Gate<T>, Option<SocketAddr>),
    Error = DispatchError,
    InitError = (),
> + use<T> {
    let keep_alive = config.timeouts.keep_alive;
    let alike = ServiceConfig::new(
        KeepAlive::Os,
        config.timeouts.request_head,
        LEAVING,
        false,
        None,
    );
    let buffers = connections.buffers().clone();
    fn_service(move |socket: T| {
        let peer = peer(&socket);
        let gate = Gate::new(socket, alike.clone(), keep_alive, buffers.clone());
        ready(Ok((gate, peer)))
    })
}

/// Creates the HTTP service for connections behind gates.
fn http<T, I, S, B, G, W>(
    app: I,
    config: &Config,
    connections: Connections,
    stopping: G,
) -> impl ServiceFactory<
    (Gate<T>, Option<SocketAddr>),
    Config = (),
    Response = (),
    Error = DispatchError,
    InitError = (),
> + use<T, I, S, B, G, W>
where
    T: AsyncRead + AsyncWrite + Unpin + 'static,
    I: IntoServiceFactory<S, Request>,
    S: ServiceFactory<Request, Config = AppConfig, Error = Error> + 'static,
    S::InitError: Debug,
    S::Response: Into<Response<B>>,
    B: MessageBody + 'static,
    G: Fn() -> W + 'static,
    W: Future<Output = ()> + 'static,
{
    let app = app.into_factory().map_err(|error| error.error_response());
    HttpService::build()
        .graceful_shutdown_signal(stopping)
        .keep_alive(KeepAlive::Os)
        .client_request_timeout(config.timeouts.request_head)
        .client_disconnect_timeout(LEAVING)
        .on_connect_ext(move |gate: &Gate<T>, data: &mut _| {
            let socket: &dyn Any = gate.socket();
            connections.list(socket, gate.activity(), data);
        })
        .h1(map_config(app, |()| AppConfig::default()))
}
