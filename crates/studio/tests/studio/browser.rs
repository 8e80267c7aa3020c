//! A studio on a thread of its own, and a browser that sends exactly what it is told.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use equanym_studio::{Settings, Studio};
use tempfile::TempDir;
use tokio::sync::oneshot;

/// A studio that is served.
pub struct ServedStudio {
    /// The first address.
    pub url: String,
    /// The addresses that were told since.
    pub told: Arc<Mutex<Vec<String>>>,
    /// The page that leads a browser in.
    pub page: PathBuf,
    cookie: OnceLock<String>,
    pub port: u16,
    pub folder: TempDir,
    end: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// What came back.
#[derive(Debug, Clone)]
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl Answer {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.head
            .lines()
            .filter_map(|line| line.split_once(": "))
            .find(|(key, _)| key.eq_ignore_ascii_case(name))
            .map(|(_, value)| value)
    }
}

impl ServedStudio {
    /// A studio in a folder of its own with these files.
    pub fn with(files: &[(&str, &str)], settings: Settings) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        let settings = Settings { port: Some(0), folder: Some(folder.path().to_owned()), ..settings };
        let told = Arc::new(Mutex::new(Vec::new()));
        let hears = Arc::clone(&told);
        let studio = Studio::open(settings, move |next| hears.lock().unwrap().push(next.to_owned())).unwrap();
        let (url, page) = (studio.url(), studio.page().unwrap());
        let port = url.split(':').nth(2).unwrap().split('/').next().unwrap().parse().unwrap();
        let (end, ended) = oneshot::channel();
        let thread = thread::spawn(move || {
            studio.serve(async move { drop(ended.await) });
        });
        Self { url, told, page, cookie: OnceLock::new(), port, folder, end: Some(end), thread: Some(thread) }
    }

    pub fn start() -> Self {
        Self::with(&[], Settings::default())
    }

    /// Ends it, and waits until it has ended.
    pub fn end(&mut self) {
        drop(self.end.take());
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
    }

    /// Sends bytes, gives what comes back.
    pub fn send(&self, request: &[u8]) -> Answer {
        let Ok(mut stream) = TcpStream::connect(("127.0.0.1", self.port)) else {
            return Answer { status: 0, head: String::new(), body: String::new() };
        };
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        // Whoever is refused may not be read to the end.
        let _ = stream.write_all(request);
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        Answer { status, head: head.to_owned(), body: body.to_owned() }
    }

    /// A request with these headers beside those that any client sends.
    pub fn raw(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        let headers: Vec<String> = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        let headers = headers.concat();
        let length = body.len();
        self.send(
            format!("{method} {path} HTTP/1.1\r\nConnection: close\r\nContent-Length: {length}\r\n{headers}\r\n{body}")
                .as_bytes(),
        )
    }

    pub fn host(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// The cookie that the first token is exchanged for.
    pub fn cookie(&self) -> String {
        let exchange = || {
            let answer = self.enter(&self.url, &[]);
            assert_eq!(answer.status, 303, "{answer:?}");
            answer.header("set-cookie").unwrap().split(';').next().unwrap().to_owned()
        };
        self.cookie.get_or_init(exchange).clone()
    }

    /// A browser without a cookie at an address.
    pub fn enter(&self, url: &str, headers: &[(&str, &str)]) -> Answer {
        let path = url.split_once(&self.host()).unwrap().1;
        self.raw("GET", path, &[&[("Host", self.host().as_str())], headers].concat(), "")
    }

    pub fn get(&self, path: &str) -> Answer {
        self.raw("GET", path, &[("Host", &self.host()), ("Cookie", &self.cookie())], "")
    }

    pub fn post(&self, path: &str, body: &str) -> Answer {
        let origin = format!("http://{}", self.host());
        let headers = [
            ("Host", self.host()),
            ("Cookie", self.cookie()),
            ("Origin", origin),
            ("Content-Type", "application/x-www-form-urlencoded".to_owned()),
        ];
        let headers: Vec<(&str, &str)> = headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
        self.raw("POST", path, &headers, body)
    }

    /// A change, and the page that it leads to.
    pub fn change(&self, path: &str, body: &str) -> Answer {
        let answer = self.post(path, body);
        assert_eq!(answer.status, 303, "{answer:?}");
        self.get(answer.header("location").unwrap())
    }

    /// A page once it shows something.
    pub fn until(&self, path: &str, shows: &str) -> Answer {
        let begun = Instant::now();
        loop {
            let answer = self.get(path);
            if answer.body.contains(shows) {
                return answer;
            }
            assert!(begun.elapsed() < Duration::from_mins(1), "{path} does not show {shows:?}: {}", answer.body);
            thread::sleep(Duration::from_millis(30));
        }
    }

    /// Opens the made-up hospital.
    pub fn hospital() -> Self {
        let served = Self::start();
        served.change("/open", "hospital=yes");
        served.until("/table", "What the columns hold");
        served
    }

    /// The place of a column.
    pub fn column(&self, name: &str) -> usize {
        let page = self.get("/columns").body;
        let columns: Vec<&str> = page.split("<article class=\"column\"").skip(1).collect();
        columns.iter().position(|one| one.contains(&format!("<bdi>{name}</bdi>"))).unwrap()
    }
}

impl Drop for ServedStudio {
    fn drop(&mut self) {
        drop(self.end.take());
        // Uploads are gone when it has ended.
        drop(self.thread.take().map(JoinHandle::join));
    }
}
