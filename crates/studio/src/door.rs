//! Who gets in: the browser of whoever started the studio, and nobody else.
//!
//! The address that is printed has a token of 256 random bits. It lets one browser in, once: it is exchanged for a cookie that no
//! script can read and no other site can send along, and is taken out of the address at once. The next address is told then, to
//! whoever started the studio. The browser that the studio itself opens gets a token of its own by a file that nobody else may read:
//! what stands on a command line, every user of the machine sees.
//!
//! Every request must come to this machine by its own name, which keeps out pages that let their name point here; show the cookie;
//! and, where it changes something, come from a page of the studio. No page may frame it, run a script or style of its own, or be
//! kept by the browser.
//!
//! Limit: other programs of the same user can read the terminal, the browser and the table anyway.

use std::fmt::Write;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, COOKIE, HOST, HeaderName, HeaderValue, ORIGIN,
    REFERRER_POLICY, SET_COOKIE, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::http::{HeaderMap, Method, Response, StatusCode};
use axum::middleware::Next;
use axum::response::{Html, IntoResponse, Redirect};
use equanym_engine::error::{Error, Result};
use maud::{DOCTYPE, html};
use subtle::ConstantTimeEq;

use crate::connections::Badge;

/// Random bytes of a token.
const BYTES: usize = 32;

/// The page that people come to first.
const FIRST: &str = "/table";

/// What pages may do: use what comes from here, and nothing that stands in the page itself.
const CONTENT: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
                       form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// Where the page lies that led to a request, as browsers tell it.
const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Headers of every answer. Within the studio a page says where it comes from: otherwise browsers would send forms from nowhere.
const HEADERS: [(HeaderName, &str); 7] = [
    (CONTENT_SECURITY_POLICY, CONTENT),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (X_FRAME_OPTIONS, "DENY"),
    (REFERRER_POLICY, "same-origin"),
    (CACHE_CONTROL, "no-store"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// The door of a studio.
pub(crate) struct Door {
    port: u16,
    cookie: String,
    tokens: Mutex<Tokens>,
    /// Told when somebody has come in by the address that was printed: the next address.
    tell: Tell,
}

/// Hears of addresses.
pub(crate) type Tell = Box<dyn Fn(&str) + Send + Sync>;

/// What lets a browser in, once.
struct Tokens {
    /// By the address that is printed.
    printed: String,
    /// By the file that is opened.
    filed: Option<String>,
}

impl Door {
    pub(crate) fn new(port: u16, tell: Tell) -> Result<Self> {
        let tokens = Mutex::new(Tokens { printed: random()?, filed: None });
        Ok(Self { port, cookie: random()?, tokens, tell })
    }

    /// The address that lets the next browser in.
    pub(crate) fn url(&self) -> String {
        self.address(&self.tokens().printed)
    }

    /// A page that leads a browser in.
    pub(crate) fn page(&self) -> Result<String> {
        let token = random()?;
        let page = leading(&self.address(&token));
        self.tokens().filed = Some(token);
        Ok(page)
    }

    fn address(&self, token: &str) -> String {
        format!("http://127.0.0.1:{}/?token={token}", self.port)
    }

    fn tokens(&self) -> MutexGuard<'_, Tokens> {
        self.tokens.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ports do not keep cookies apart: two studios need names of their own.
    fn cookie_name(&self) -> String {
        format!("equanym-studio-{}", self.port)
    }

    /// The names by which a browser on this machine may call it.
    fn is_own(&self, host: &str) -> bool {
        ["127.0.0.1", "localhost"].iter().any(|name| host == format!("{name}:{}", self.port))
    }

    fn is_admitted(&self, headers: &HeaderMap) -> bool {
        let name = self.cookie_name();
        let cookies = headers.get_all(COOKIE).iter().filter_map(|header| header.to_str().ok());
        let mut pairs = cookies.flat_map(|header| header.split(';')).filter_map(|pair| pair.trim().split_once('='));
        pairs.any(|(key, value)| key == name && is_same(value, &self.cookie))
    }

    /// Why a request is turned away.
    fn refusal(&self, request: &Request) -> Option<(StatusCode, &'static str)> {
        let headers = request.headers();
        let host = single(headers, &HOST);
        let Some(host) = host.filter(|host| self.is_own(host)) else {
            return Some((StatusCode::MISDIRECTED_REQUEST, "This is another machine's name.\n"));
        };
        let writes = match *request.method() {
            Method::GET | Method::HEAD => false,
            Method::POST => true,
            _ => return Some((StatusCode::METHOD_NOT_ALLOWED, "There is nothing of that kind here.\n")),
        };
        if writes && single(headers, &ORIGIN) != Some(format!("http://{host}").as_str()) {
            return Some((StatusCode::FORBIDDEN, "Changes are made from pages of the studio only.\n"));
        }
        None
    }

    /// Takes the token of a request; it opens no second time.
    fn takes_token(&self, request: &Request) -> bool {
        let given = request.uri().query().and_then(|query| query.strip_prefix("token="));
        let Some(given) = given.filter(|_| request.uri().path() == "/" && *request.method() == Method::GET) else {
            return false;
        };
        let mut tokens = self.tokens();
        if tokens.filed.as_deref().is_some_and(|filed| is_same(given, filed)) {
            tokens.filed = None;
            return true;
        }
        // Without a new token nobody comes in: the old one would open again.
        let next = if is_same(given, &tokens.printed) { random().ok() } else { None };
        let Some(next) = next else { return false };
        tokens.printed = next;
        drop(tokens);
        (self.tell)(&self.url());
        true
    }

    /// Hands the cookie over and leads to the first page. A browser that comes from elsewhere, as from a file, would not send the
    /// cookie along where it is led by a header: it is led by a page of the studio.
    fn welcome(&self, headers: &HeaderMap) -> Response<Body> {
        let cookie = format!("{}={}; Path=/; HttpOnly; SameSite=Strict", self.cookie_name(), self.cookie);
        let comes_from_elsewhere =
            single(headers, &SEC_FETCH_SITE).is_some_and(|site| site != "none" && site != "same-origin");
        let mut response = if comes_from_elsewhere {
            Html(leading(FIRST)).into_response()
        } else {
            Redirect::to(FIRST).into_response()
        };
        // The next page shall not hear of the token, dead as it is.
        response.headers_mut().insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
        if let Ok(cookie) = HeaderValue::from_str(&cookie) {
            response.headers_mut().insert(SET_COOKIE, cookie);
        }
        response
    }
}

const STRANGER: &str = "This studio belongs to whoever started it. Open the address that `equanym studio` printed last: \
                        each lets one browser in, once.\n";

/// Lets a request in, or not; whatever is answered has the headers.
pub(crate) async fn guard(State(door): State<Arc<Door>>, request: Request, next: Next) -> Response<Body> {
    let mut response = match door.refusal(&request) {
        Some((status, words)) => plain(status, words),
        None if door.takes_token(&request) => door.welcome(request.headers()),
        None if door.is_admitted(request.headers()) => {
            request.extensions().get().into_iter().for_each(Badge::admit);
            next.run(request).await
        }
        None => plain(StatusCode::FORBIDDEN, STRANGER),
    };
    for (name, value) in HEADERS {
        // A report that was written to be read elsewhere comes with rules of its own.
        response.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}

/// A page that leads to an address at once.
fn leading(address: &str) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="referrer" content="no-referrer";
                meta http-equiv="refresh" content=(format!("0; url={address}"));
                title { "equanym" }
            }
            body { p { a href=(address) { "Open the studio" } } }
        }
    };
    page.into_string()
}

fn plain(status: StatusCode, words: &'static str) -> Response<Body> {
    let mut response = Response::new(Body::from(words));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    response
}

/// A header that is there once.
fn single<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    let mut all = headers.get_all(name).iter();
    let first = all.next()?;
    if all.next().is_some() { None } else { first.to_str().ok() }
}

/// Whether two secrets are the same; takes as long whether or not they are.
fn is_same(given: &str, secret: &str) -> bool {
    given.as_bytes().ct_eq(secret.as_bytes()).into()
}

fn random() -> Result<String> {
    let mut bytes = [0; BYTES];
    getrandom::fill(&mut bytes).map_err(|_| Error::environment("the system gives no random numbers"))?;
    let mut text = String::with_capacity(2 * BYTES);
    for byte in bytes {
        let _ = write!(text, "{byte:02x}");
    }
    Ok(text)
}
