//! The studio: a local web page on which people see the choices, and choose.
//!
//! One table, one policy, seven pages from the table to its release. The policy file is the truth: each control changes its
//! text, the text is read as `release` reads it, and what is shown follows from that alone. So the page can show at each moment
//! the command that does the same.
//!
//! | Room | Promise |
//! |---|---|
//! | `door` | nobody gets in but the browser of whoever started it |
//! | `folders` | which files may be read and made; uploads lie in a private folder that goes with the process |
//! | `desk/` | the table, the policy and its history |
//! | `ask` | questions to the engine: the newest wins, older ones are stopped, answers are kept |
//! | `number` | numbers as people read them |
//! | `serve/` | what is asked, page by page and change by change; how many may ask, and how long that may take |
//! | `pages/`, `parts/` | the pages, and what several of them are made of; whatever comes from a table is escaped there |
//!
//! Nothing here decides: questions go to the engine, and no member of a family is named. All assets are in the program, and no
//! page asks anybody else for anything.

mod ask;
mod connections;
mod desk;
mod door;
mod folders;
mod number;
mod pages;
mod parts;
mod serve;

use std::future::Future;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use equanym_engine::error::{Error, Result};
use equanym_engine::machine::{Resources, private_file};
use equanym_engine::write::abandon_unfinished;
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};

use connections::PATIENCE;
use desk::Desk;
use door::Door;
use folders::Folders;

/// What a studio is started with.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The table to begin with.
    pub data: Option<PathBuf>,
    /// The policy to begin with; otherwise one is drafted.
    pub policy: Option<PathBuf>,
    /// The port; another free one is taken where it is 0, or where the usual one is in use and none was asked for.
    pub port: Option<u16>,
    /// The folder below which tables are opened and releases written; the current one where there is none.
    pub folder: Option<PathBuf>,
    /// Threads and memory.
    pub resources: Resources,
    /// How long the head of a request may take.
    pub patience: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        let resources = Resources::default();
        Self { data: None, policy: None, port: None, folder: None, resources, patience: PATIENCE }
    }
}

/// The port that is tried first.
const PORT: u16 = 8470;

/// A studio that listens.
pub struct Studio {
    runtime: Runtime,
    listener: TcpListener,
    patience: Duration,
    door: Arc<Door>,
    desk: Arc<Desk>,
}

impl Studio {
    /// Opens the door, on this machine only. Each address lets one browser in, once; `tell` hears of the next one then.
    pub fn open(settings: Settings, tell: impl Fn(&str) + Send + Sync + 'static) -> Result<Self> {
        let failed = |_| Error::environment("the system refuses to start another thread").hint("raise its limits");
        let runtime = Builder::new_multi_thread().worker_threads(2).enable_all().build().map_err(failed)?;
        let listener = runtime.block_on(listen(settings.port))?;
        let port = listener.local_addr().map_err(|error| refused(&error))?.port();
        let door = Arc::new(Door::new(port, Box::new(tell))?);
        let patience = settings.patience;
        let folders = Folders::new(settings.folder.as_deref(), settings.data.as_deref())?;
        let desk = Desk::new(folders, settings);
        Ok(Self { runtime, listener, patience, door, desk })
    }

    /// The address to open, with the token.
    #[must_use]
    pub fn url(&self) -> String {
        self.door.url()
    }

    /// A page in a file that leads one browser in, once. Nobody else may read it; it is gone when the studio is.
    pub fn page(&self) -> Result<PathBuf> {
        let path = self.desk.folders.private().join("open.html");
        private_file::write_new(&path, self.door.page()?.as_bytes(), true)?;
        Ok(path)
    }

    /// Serves until a signal ends it, or whoever waits for `end`. Then searches stop, uploads and unfinished releases are gone.
    pub fn serve(self, end: impl Future<Output = ()> + Send + 'static) {
        let Self { runtime, listener, patience, door, desk } = self;
        let app = serve::router(&desk, &door);
        runtime.block_on(async {
            let server = connections::serve(listener, app, patience);
            futures::future::select(Box::pin(server), Box::pin(ended(end))).await;
        });
        desk.stop_all();
        // Held until the end, so that no release is completed after its files were removed.
        let _unfinished = abandon_unfinished();
        desk.folders.remove();
        runtime.shutdown_background();
    }
}

async fn listen(asked: Option<u16>) -> Result<TcpListener> {
    let bind = |port| TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, port)));
    let taken = match asked {
        Some(port) => bind(port).await,
        None => match bind(PORT).await {
            Err(_) => bind(0).await,
            listening => listening,
        },
    };
    taken.map_err(|error| match asked {
        Some(port) => Error::environment(format!("port {port} cannot be used: {}", error.kind()))
            .hint("leave --port out, and a free one is taken"),
        None => refused(&error),
    })
}

fn refused(error: &std::io::Error) -> Error {
    Error::environment(format!("the studio cannot listen on this machine: {}", error.kind()))
}

/// Ctrl-C, termination, a closed terminal, or the end that whoever started it waits for.
async fn ended(end: impl Future<Output = ()> + Send + 'static) {
    use futures::future::{FutureExt, select_all};
    let mut ends: Vec<futures::future::BoxFuture<'static, ()>> = vec![end.boxed()];
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        for kind in [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()] {
            if let Ok(mut signal) = signal(kind) {
                ends.push(async move { signal.recv().await.unwrap_or_default() }.boxed());
            }
        }
    }
    #[cfg(not(unix))]
    ends.push(tokio::signal::ctrl_c().map(drop).boxed());
    select_all(ends).await;
}
