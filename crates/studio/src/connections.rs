//! Connections: how many there are, and how long they may take.
//!
//! Anybody on this machine can connect. The head of a request has [`PATIENCE`] to come, and so has a connection on which nothing is
//! asked; what is in a request may take longer by a second for every [`PACE`] bytes. At most [`MOST`] connections are open. Where all
//! places are taken, whoever has shown no cookie within [`GRACE`] makes room; the others are waited for.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use futures::StreamExt;
use futures::stream::unfold;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::AbortHandle;
use tokio::time::{Instant, sleep, timeout_at};

/// How long the head of a request may take.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

/// Bytes of a request's content that buy a second more.
const PACE: u64 = 64 << 10;

/// The most connections.
const MOST: usize = 256;

/// How long somebody may be here without a cookie where others wait.
const GRACE: Duration = Duration::from_secs(1);

/// How long whoever waits for a place waits before looking again.
const TICK: Duration = Duration::from_millis(10);

/// A connection that is open.
struct Connection {
    task: AbortHandle,
    begun: Instant,
    badge: Badge,
}

/// Whether somebody on a connection has shown the cookie.
#[derive(Clone, Default)]
pub(crate) struct Badge(Arc<AtomicBool>);

impl Badge {
    /// The cookie was shown.
    pub(crate) fn admit(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    fn is_admitted(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Serves whoever connects, until it is dropped.
pub(crate) async fn serve(listener: TcpListener, app: Router, patience: Duration) {
    let mut open: VecDeque<Connection> = VecDeque::new();
    loop {
        make_room(&mut open).await;
        // The system may have no file left for a connection: then it is as if all places were taken.
        let Ok((stream, _)) = listener.accept().await else {
            sleep(TICK).await;
            continue;
        };
        let badge = Badge::default();
        let task = tokio::spawn(hear(stream, app.clone(), badge.clone(), patience)).abort_handle();
        open.push_back(Connection { task, begun: Instant::now(), badge });
    }
}

/// Waits until a place is free, or frees it.
async fn make_room(open: &mut VecDeque<Connection>) {
    loop {
        open.retain(|connection| !connection.task.is_finished());
        if open.len() < MOST {
            return;
        }
        let lingers = |it: &Connection| !it.badge.is_admitted() && it.begun.elapsed() > GRACE;
        match open.iter().position(lingers).and_then(|place| open.remove(place)) {
            Some(stranger) => stranger.task.abort(),
            None => sleep(TICK).await,
        }
    }
}

/// Answers the requests of one connection.
async fn hear(stream: TcpStream, app: Router, badge: Badge, patience: Duration) {
    let app = TowerToHyperService::new(app);
    let answer = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(badge.clone());
        app.call(request.map(|body| in_time(Body::new(body), patience)))
    });
    let mut server = http1::Builder::new();
    server.timer(TokioTimer::new()).header_read_timeout(patience);
    // Whoever breaks off knows.
    let _ = server.serve_connection(TokioIo::new(stream), answer).await;
}

/// Content that fails once it takes too long.
fn in_time(body: Body, patience: Duration) -> Body {
    let begun = Instant::now();
    let pieces = unfold((body.into_data_stream(), 0), move |(mut rest, come)| async move {
        let deadline = begun + patience + Duration::from_secs(come / PACE);
        let piece = match timeout_at(deadline, rest.next()).await {
            Ok(piece) => piece?.map_err(|_| std::io::ErrorKind::UnexpectedEof),
            Err(_) => Err(std::io::ErrorKind::TimedOut),
        };
        let come = come + piece.as_ref().map_or(0, |piece| piece.len() as u64);
        Some((piece.map_err(std::io::Error::from), (rest, come)))
    });
    Body::from_stream(pieces)
}
