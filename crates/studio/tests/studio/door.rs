//! Nobody gets in but the browser of whoever started the studio.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use equanym_studio::Settings;

use super::browser::ServedStudio;

#[test]
fn the_token_is_exchanged_for_a_cookie_and_leaves_the_address() {
    let studio = ServedStudio::start();
    let token = studio.url.split_once("token=").unwrap().1;
    assert!(token.len() >= 32 && studio.url.starts_with("http://127.0.0.1:"), "{}", studio.url);
    let answer = studio.raw("GET", &format!("/?token={token}"), &[("Host", &studio.host())], "");
    let cookie = answer.header("set-cookie").unwrap();
    assert_eq!((answer.status, answer.header("location")), (303, Some("/table")));
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"), "{cookie}");
    assert!(!cookie.contains(token), "the cookie is another secret");
    let cookie = cookie.split(';').next().unwrap();
    assert_eq!(studio.raw("GET", "/table", &[("Host", &studio.host()), ("Cookie", cookie)], "").status, 200);
}

#[test]
fn an_address_lets_one_browser_in_once() {
    let studio = ServedStudio::start();
    let entered = || {
        thread::scope(|scope| {
            let enter = || scope.spawn(|| studio.enter(&studio.url, &[]).header("set-cookie").is_some());
            let tries: Vec<_> = (0..8).map(|_| enter()).collect();
            tries.into_iter().map(|one| one.join().unwrap()).filter(|is_in| *is_in).count()
        })
    };
    assert_eq!((entered(), entered()), (1, 0));
    let told = || studio.told.lock().unwrap().clone();
    let [next]: [String; 1] = told().try_into().unwrap();
    let answer = studio.enter(&next, &[]);
    assert_eq!(answer.status, 303);
    assert_eq!((studio.enter(&next, &[]).status, told().len()), (403, 2));
    // Whoever is in already needs no token.
    let cookie = answer.header("set-cookie").unwrap().split(';').next().unwrap().to_owned();
    let again = studio.enter(&next, &[("Cookie", &cookie)]);
    assert_eq!((again.status, again.header("location"), told().len()), (303, Some("/table"), 2));
    // Neither a look at the head nor another path takes a token.
    let path = told()[1].split_once(&studio.host()).unwrap().1.to_owned();
    for (method, path) in [("HEAD", path.clone()), ("GET", format!("/table{}", &path[1..]))] {
        assert_eq!(studio.raw(method, &path, &[("Host", &studio.host())], "").status, 403, "{method} {path}");
    }
    assert_eq!(studio.enter(&told()[1], &[]).status, 303);
}

#[test]
fn a_file_leads_one_browser_in_and_nobody_else_reads_it() {
    let studio = ServedStudio::start();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = |path: &std::path::Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&studio.page), mode(studio.page.parent().unwrap())), (0o600, 0o700));
    }
    let page = std::fs::read_to_string(&studio.page).unwrap();
    let address = page.split("href=\"").nth(1).unwrap().split('"').next().unwrap();
    assert!(page.contains(&format!("url={address}\"")) && address != studio.url, "{page}");
    let answer = studio.enter(address, &[("Sec-Fetch-Site", "cross-site")]);
    assert!(answer.status == 200 && answer.body.contains("content=\"0; url=/table\""), "{answer:?}");
    assert!(answer.header("set-cookie").is_some() && !answer.body.contains("token"), "{answer:?}");
    assert_eq!(answer.header("referrer-policy"), Some("no-referrer"));
    assert_eq!(studio.enter(address, &[]).status, 403);
    assert!(studio.told.lock().unwrap().is_empty());
    assert_eq!(studio.enter(&studio.url, &[]).status, 303, "the printed address is another one");
}

/// What comes back on a connection until it is closed.
fn rest(mut stream: &TcpStream) -> String {
    stream.set_read_timeout(Some(Duration::from_mins(1))).unwrap();
    let mut bytes = Vec::new();
    match stream.read_to_end(&mut bytes) {
        Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => panic!("it stays open"),
        _ => String::from_utf8_lossy(&bytes).into_owned(),
    }
}

#[test]
fn half_a_request_has_its_time() {
    let studio = ServedStudio::with(&[], Settings { patience: Duration::from_millis(300), ..Settings::default() });
    let (host, cookie) = (studio.host(), studio.cookie());
    let sent = |words: &str| {
        let mut stream = TcpStream::connect(("127.0.0.1", studio.port)).unwrap();
        stream.write_all(words.as_bytes()).unwrap();
        stream
    };
    let head = |path: &str, cookie: &str| {
        format!(
            "POST {path} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nCookie: {cookie}\r\nContent-Length: 900\r\n\
         Content-Type: application/x-www-form-urlencoded\r\n\r\nwhat=text"
        )
    };
    let (form, upload, strange) = (head("/edit", &cookie), head("/upload?name=a.csv", &cookie), head("/edit", ""));
    let get = format!("GET /table HTTP/1.1\r\nHost: {host}\r\nCookie: {cookie}\r\n\r\n");
    // Nothing, half a head, half a form, half a file, half a stranger's form, and nothing after a whole request.
    let words = ["", "POST /edit HTTP/1.1\r\nHost: 127.", &form, &upload, &strange, &get];
    let streams: Vec<TcpStream> = words.into_iter().map(sent).collect();
    let statuses: Vec<String> = streams.iter().map(|stream| rest(stream).chars().skip(9).take(3).collect()).collect();
    assert_eq!(statuses[..2], ["", ""]);
    assert!(
        statuses[2].starts_with('4') && statuses[3] == "303" && statuses[4] == "403" && statuses[5] == "200",
        "{statuses:?}"
    );
    let uploads = studio.page.parent().unwrap().join("upload-0");
    assert!(std::fs::read_dir(uploads).map_or(0, Iterator::count) == 0, "half a file stays");
    assert_eq!(studio.get("/table").status, 200);
}

#[test]
fn strangers_are_turned_away_and_learn_nothing() {
    let studio = ServedStudio::hospital();
    let (host, cookie) = (studio.host(), studio.cookie());
    let name = cookie.split('=').next().unwrap().to_owned();
    let token = studio.url.split_once("token=").unwrap().1.to_owned();
    let wrong = format!("{name}={}", "0".repeat(64));
    let as_cookie = format!("{name}={token}");
    let cases: Vec<(&str, Vec<(&str, &str)>)> = vec![
        ("/table", vec![("Host", &host)]),
        ("/table", vec![("Host", &host), ("Cookie", &wrong)]),
        ("/table", vec![("Host", &host), ("Cookie", &as_cookie)]),
        ("/assets/studio.css", vec![("Host", &host)]),
        ("/events", vec![("Host", &host)]),
        ("/?token=", vec![("Host", &host)]),
        ("/?token=0000", vec![("Host", &host)]),
        // Another site's name that points here, with a cookie that it cannot have.
        ("/table", vec![("Host", "evil.example"), ("Cookie", &cookie)]),
        ("/table", vec![("Host", "127.0.0.1"), ("Cookie", &cookie)]),
        ("/table", vec![("Host", "127.0.0.1.evil.example:80"), ("Cookie", &cookie)]),
        ("/table", vec![("Host", &host), ("Host", "evil.example"), ("Cookie", &cookie)]),
        ("/table", vec![("Cookie", &cookie)]),
    ];
    for (path, headers) in cases {
        let answer = studio.raw("GET", path, &headers, "");
        assert!([400, 403, 421].contains(&answer.status), "{path} {headers:?}: {answer:?}");
        for secret in ["hospital", "admissions", "patient", &token, cookie.split_once('=').unwrap().1] {
            assert!(!answer.body.contains(secret) && !answer.head.contains(secret), "{path} {headers:?}: {answer:?}");
        }
    }
    let with_token = format!("/?token={token}");
    let rebound = studio.raw("GET", &with_token, &[("Host", "evil.example")], "");
    assert_eq!((rebound.status, rebound.header("set-cookie")), (421, None));
    assert_eq!(studio.get("/table").status, 200, "still serving");
}

#[test]
fn changes_come_from_its_own_pages_only() {
    let studio = ServedStudio::hospital();
    let (host, cookie) = (studio.host(), studio.cookie());
    let own = format!("http://{host}");
    let secure = format!("https://{host}");
    let send = |origin: &[(&str, &str)]| {
        let kind = ("Content-Type", "application/x-www-form-urlencoded");
        let headers: Vec<(&str, &str)> =
            [("Host", host.as_str()), ("Cookie", cookie.as_str()), kind].iter().chain(origin).copied().collect();
        studio.raw("POST", "/edit", &headers, "what=limit&limit=0.2&back=/safety").status
    };
    let before = studio.get("/policy.toml").body;
    for origin in ["null", "http://evil.example", "http://127.0.0.1", &secure, ""] {
        assert_eq!(send(&[("Origin", origin)]), 403, "{origin}");
    }
    assert_eq!(send(&[]), 403);
    assert_eq!(send(&[("Origin", &own), ("Origin", "null")]), 403);
    assert_eq!(studio.get("/policy.toml").body, before);
    assert_eq!(send(&[("Origin", &own)]), 303);
    assert!(studio.get("/policy.toml").body.contains("suppression_limit = 0.2"));
    for method in ["PUT", "DELETE", "OPTIONS", "PATCH", "TRACE"] {
        let answer = studio.raw(method, "/edit", &[("Host", &host), ("Cookie", &cookie), ("Origin", &own)], "");
        assert_eq!(answer.status, 405, "{method}");
    }
}

#[test]
fn no_page_frames_it_keeps_it_or_runs_what_stands_in_it() {
    let studio = ServedStudio::hospital();
    for path in
        ["/table", "/columns", "/safety", "/best", "/balance", "/map", "/release", "/assets/studio.js", "/nowhere"]
    {
        let answer = studio.get(path);
        let rules = answer.header("content-security-policy").unwrap();
        assert!(rules.contains("frame-ancestors 'none'") && rules.contains("default-src 'none'"), "{path}: {rules}");
        assert!(!rules.contains("unsafe") && !rules.contains('*') && !rules.contains("http"), "{path}: {rules}");
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(answer.header("x-frame-options"), Some("DENY"));
        assert_eq!(answer.header("cache-control"), Some("no-store"));
        assert_eq!(answer.header("referrer-policy"), Some("same-origin"));
        if answer.header("content-type").is_some_and(|kind| kind.starts_with("text/html")) {
            assert!(!answer.body.contains(" style=") && !answer.body.contains("<style"), "{path}");
            assert!(!answer.body.contains(" onclick=") && !answer.body.contains("<script>"), "{path}");
        }
    }
}

#[test]
fn what_is_too_large_is_refused_and_forgotten() {
    let studio = ServedStudio::hospital();
    let large = format!("what=text&text={}", "x".repeat(3 << 20));
    assert_eq!(studio.post("/edit", &large).status, 413);
    let path = "a/".repeat(100_000);
    let answer = studio.get(&format!("/{path}"));
    assert!((400..500).contains(&answer.status) || answer.status == 0, "{answer:?}");
    // A ladder is counted as it comes in; whoever sends more may not be heard to the end.
    let column = studio.column("zip");
    let before = studio.get("/policy.toml").body;
    let answer = studio.post(&format!("/ladder?column={column}&name=zip.csv"), &"1;2\n".repeat((64 << 20) / 4 + 1));
    assert!([0, 303].contains(&answer.status), "{:?}", (answer.status, answer.head));
    assert_eq!(studio.get("/policy.toml").body, before);
    assert_eq!(studio.get("/table").status, 200);
}

#[test]
fn whoever_says_nothing_keeps_nobody_out() {
    let studio = ServedStudio::hospital();
    let half = |words: &'static str| {
        let mut stream = TcpStream::connect(("127.0.0.1", studio.port)).unwrap();
        stream.write_all(words.as_bytes()).unwrap();
        stream
    };
    let silent: Vec<TcpStream> =
        (0..500).map(|number| half(if number % 2 == 0 { "" } else { "POST /edit HTTP/1.1\r\nHost: 127." })).collect();
    assert_eq!(studio.get("/best").status, 200);
    drop(silent);
    assert_eq!(studio.get("/best").status, 200);
}

#[test]
fn a_thousand_requests_at_once_are_survived() {
    let studio = ServedStudio::hospital();
    let cookie = studio.cookie();
    let host = studio.host();
    let [served, refused] = [AtomicUsize::new(0), AtomicUsize::new(0)];
    thread::scope(|scope| {
        for number in 0..1000 {
            let (studio, cookie, host, served, refused) = (&studio, &cookie, &host, &served, &refused);
            scope.spawn(move || {
                let path = ["/best", "/table", "/safety", "/columns", "/assets/studio.css"][number % 5];
                let headers: &[(&str, &str)] = &[("Host", host), ("Cookie", cookie)];
                // Some are strangers. A system may let some of so many wait in vain: those have no answer.
                let is_stranger = number % 7 == 0;
                let headers = if is_stranger { &headers[..1] } else { headers };
                let answer = studio.raw("GET", path, headers, "");
                match (answer.status, is_stranger) {
                    (200, false) => served.fetch_add(1, Ordering::Relaxed),
                    (403, true) => refused.fetch_add(1, Ordering::Relaxed),
                    (0, _) => 0,
                    _ => panic!("{answer:?}"),
                };
            });
        }
    });
    let (served, refused) = (served.into_inner(), refused.into_inner());
    assert!(served > 600 && refused > 100, "{served} served, {refused} refused");
    assert_eq!(studio.get("/best").status, 200);
}
