//! Who gets in: the browser of whoever started the studio, and nobody else.
//!
//! The address that is printed has a token of 256 random bits. It is exchanged for a cookie that no script can read and no other
//! site can send along, and is taken out of the address at once. Every request must come to this machine by its own name, which
//! keeps out pages that let their name point here; show the cookie; and, where it changes something, come from a page of the
//! studio. No page may frame it, run a script or style of its own, or be kept by the browser.
//!
//! Limit: other programs of the same user can read the terminal, the browser and the table anyway.

use std::fmt::Write;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, COOKIE, HOST, HeaderName, HeaderValue, LOCATION, ORIGIN,
    REFERRER_POLICY, SET_COOKIE, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::http::{HeaderMap, Method, Response, StatusCode};
use axum::middleware::Next;
use equanym_engine::error::{Error, Result};
use subtle::ConstantTimeEq;

/// Random bytes of a token.
const BYTES: usize = 32;

/// The page that people come to first.
const FIRST: &str = "/table";

/// What pages may do: use what comes from here, and nothing that stands in the page itself.
const CONTENT: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
                       form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

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
    token: String,
    cookie: String,
}

impl Door {
    pub(crate) fn new(port: u16) -> Result<Self> {
        Ok(Self { port, token: random()?, cookie: random()? })
    }

    /// The address with the token.
    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}/?token={}", self.port, self.token)
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
        if self.is_token(request) || self.is_admitted(headers) { None } else { Some((StatusCode::FORBIDDEN, STRANGER)) }
    }

    fn is_token(&self, request: &Request) -> bool {
        let given = request.uri().query().and_then(|query| query.strip_prefix("token="));
        request.uri().path() == "/"
            && *request.method() == Method::GET
            && given.is_some_and(|it| is_same(it, &self.token))
    }

    fn welcome(&self) -> Response<Body> {
        let cookie = format!("{}={}; Path=/; HttpOnly; SameSite=Strict", self.cookie_name(), self.cookie);
        let mut response = plain(StatusCode::SEE_OTHER, "");
        response.headers_mut().insert(LOCATION, HeaderValue::from_static(FIRST));
        if let Ok(cookie) = HeaderValue::from_str(&cookie) {
            response.headers_mut().insert(SET_COOKIE, cookie);
        }
        response
    }
}

const STRANGER: &str = "This studio belongs to whoever started it. Open the address that `equanym studio` printed.\n";

/// Lets a request in, or not; whatever is answered has the headers.
pub(crate) async fn guard(State(door): State<Arc<Door>>, request: Request, next: Next) -> Response<Body> {
    let mut response = match door.refusal(&request) {
        Some((status, words)) => plain(status, words),
        None if door.is_token(&request) => door.welcome(),
        None => next.run(request).await,
    };
    for (name, value) in HEADERS {
        // A report that was written to be read elsewhere comes with rules of its own.
        response.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
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
