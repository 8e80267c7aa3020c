//! Tables, names and paths of whoever wants to break in.

use equanym_studio::Settings;

use super::browser::ServedStudio;

/// Names and values that are more than they seem.
const HOSTILE: [&str; 8] = [
    "<script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "'); alert(1); ('",
    "javascript:alert(1)",
    "\u{202e}txt.exe\u{2066}",
    "a\u{7}b\u{1b}[31mc",
    "</title></svg><svg onload=alert(1)>",
    "{{7*7}} ${x} %s",
];

fn table() -> String {
    let long = "L".repeat(10_000);
    let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    let mut header: Vec<String> = HOSTILE.iter().map(|name| quoted(name)).collect();
    header.push(quoted(&long));
    let mut text = header.join(",");
    text.push('\n');
    for record in 0..60 {
        let cell = |place: usize| quoted(HOSTILE[(record + place) % (2 + place % 3)]);
        let mut cells: Vec<String> = (0..HOSTILE.len()).map(cell).collect();
        cells.push(quoted(if record % 2 == 0 { &long } else { "short" }));
        text.push_str(&cells.join(","));
        text.push('\n');
    }
    text
}

#[test]
fn names_and_values_are_text() {
    let studio = ServedStudio::with(&[("table.csv", &table())], Settings::default());
    studio.change("/open", "path=table.csv");
    studio.until("/table", "What the columns hold");
    let columns = (0..=HOSTILE.len()).map(|place| format!("/columns/{place}"));
    let pages = ["/table", "/columns", "/safety", "/best", "/balance", "/map", "/release"].map(str::to_owned);
    for path in pages.into_iter().chain(columns) {
        let page = studio.get(&path);
        assert_eq!(page.status, 200, "{path}");
        // The text of the policy is edited as it is.
        let (before, after) = page.body.split_once("<textarea").unwrap_or((&page.body, ""));
        let body = format!("{before}{}", after.split_once("</textarea>").unwrap_or_default().1);
        for forbidden in ["<script>", "<img src=x", "<svg onload", "\u{202e}", "\u{7}", "\u{1b}", "</title></svg>"] {
            assert!(!body.contains(forbidden), "{path} holds {forbidden:?}");
        }
        let longest = body.split('<').map(|piece| piece.matches('L').count()).max();
        assert!(longest < Some(2_000), "{path} shows {longest:?} letters of a name");
    }
    let shown = studio.get("/columns").body;
    assert!(shown.contains("&lt;script&gt;alert(1)&lt;/script&gt;"), "{shown}");
}

#[test]
fn paths_stay_below_the_folder_of_the_start() {
    let studio = ServedStudio::with(&[("table.csv", "a,b\n1,2\n1,2\n")], Settings::default());
    let outside = tempfile::tempdir().unwrap();
    std::fs::write(outside.path().join("secret.csv"), "secret,b\n1,2\n").unwrap();
    let secret = outside.path().join("secret.csv");
    let mut paths = vec![
        "../secret.csv".to_owned(),
        "/etc/passwd".to_owned(),
        "x/../../etc/passwd".to_owned(),
        "file:///etc/passwd".to_owned(),
    ];
    paths.push(secret.to_str().unwrap().to_owned());
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(&secret, studio.folder.path().join("link.csv")).unwrap();
        std::os::unix::fs::symlink(outside.path(), studio.folder.path().join("folder")).unwrap();
        paths.extend(["link.csv".to_owned(), "folder/secret.csv".to_owned()]);
    }
    for path in paths {
        let page = studio.change("/open", &format!("path={}", path.replace('/', "%2F")));
        assert!(page.body.contains("not below the folder"), "{path}: {}", page.body);
        assert!(!page.body.contains("secret</bdi>"), "{path}");
    }
    studio.change("/open", "path=table.csv");
    studio.until("/table", "What the columns hold");
    for out in ["..%2Frelease", "folder%2Frelease", "%2Ftmp%2Frelease", "."] {
        let page = studio.change("/write", &format!("out={out}"));
        assert!(page.body.contains("not below the folder"), "{out}: {}", page.body);
    }
    assert_eq!(std::fs::read_dir(outside.path()).unwrap().count(), 1, "nothing is written elsewhere");
    let stolen = studio.change("/edit", "what=text&back=/release&text=%5Bvariables.a%5D%0Arole%3D%22quasi-identifying%22%0Ahierarchy%3D%7Bfile%3D%22..%2F..%2Fetc%2Fpasswd%22%7D%0A%5Bvariables.b%5D%0Arole%3D%22insensitive%22%0A");
    assert!(stolen.body.contains("not below the folder") && !stolen.body.contains("root:"), "{}", stolen.body);
    for path in
        ["/assets/..%2F..%2FCargo.toml", "/assets/../table.csv", "/../../etc/passwd", "/report/..%2F..%2Ftable.csv"]
    {
        let answer = studio.get(path);
        assert!([400, 404].contains(&answer.status) && !answer.body.contains("1,2"), "{path}: {answer:?}");
    }
}

/// What is handed over lies beside the policy, and nowhere else.
#[cfg(unix)]
#[test]
fn a_link_beside_the_policy_leads_nothing_out() {
    let studio = ServedStudio::with(&[("table.csv", "a,b\n1,2\n1,2\n2,3\n")], Settings::default());
    let outside = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(outside.path(), studio.folder.path().join("hierarchies")).unwrap();
    studio.change("/open", "path=table.csv");
    studio.until("/table", "What the columns hold");
    studio.change("/edit", "what=role&column=0&role=quasi-identifying&back=/columns");
    let page = studio.change("/ladder?column=0&name=a.csv", "1;x;*\n2;x;*\n").body;
    assert!(page.contains("The ladder is used"), "{page}");
    let page = studio.change("/keep", "back=/columns").body;
    assert!(page.contains("is a link that leads out"), "{page}");
    assert_eq!(std::fs::read_dir(outside.path()).unwrap().count(), 0);
    assert!(!studio.folder.path().join("policy.toml").exists(), "nothing is kept by halves");
}

#[test]
fn forms_that_nobody_wrote_change_nothing() {
    let studio = ServedStudio::hospital();
    let before = studio.get("/policy.toml").body;
    for form in [
        "",
        "what=",
        "what=nothing",
        "what=role",
        "what=role&column=99&role=sensitive",
        "what=role&column=0&role=king",
        "what=model&model=99",
        "what=limit&limit=7",
        "what=limit&limit=NaN",
        "what=hold&column=2&level=99",
        "what=hold&column=-1&level=0",
        "what=ladder&column=2&kind=x",
        "what=choose&place=x",
        "what=points&column=2&kind=user&points=inf%20",
        "what=group&column=5&value=9999&label=x",
        "what=text&text=%00",
        "what=text&text=nonsense",
        "what=point&point=999",
        "what=levels&column=2&min=9&max=300",
        "what=new-group&column=5&value=0&label=%20",
        "what=add-model&model=none",
        "what=preferences&alpha=2",
    ] {
        let answer = studio.post("/edit", form);
        assert_eq!(answer.status, 303, "{form}: {answer:?}");
        assert_eq!(studio.get("/policy.toml").body, before, "{form}");
    }
    for (path, body) in [("/upload", "x"), ("/ladder?column=99&name=a.csv", "x;y"), ("/ladder?column=5", "\u{0}")] {
        assert_eq!(studio.post(path, body).status, 303, "{path}");
    }
    assert_eq!(studio.get("/columns/99999999999999999999").status, 400);
    assert_eq!(studio.get("/columns/99").status, 200);
}

#[test]
fn what_cannot_be_opened_is_not_kept() {
    let studio = ServedStudio::start();
    let name = "a-table-that-is-none.parquet";
    let is_kept = || {
        let folders = std::fs::read_dir(std::env::temp_dir()).unwrap().filter_map(Result::ok);
        let studios = folders.filter(|entry| entry.file_name().to_string_lossy().starts_with("equanym-studio-"));
        let uploads = studios.flat_map(|studio| std::fs::read_dir(studio.path()).into_iter().flatten());
        uploads.filter_map(Result::ok).any(|upload| upload.path().join(name).exists())
    };
    for bytes in ["PAR1 and nothing that was ever a table PAR1", "", "PAR1"] {
        studio.change(&format!("/upload?name={name}"), bytes);
        studio.until("/table", "class=\"failed\"");
        assert!(!is_kept(), "{bytes:?}");
    }
    let rows: Vec<String> = (0..100).map(|row| format!("{},{}\n", row % 5, row % 2)).collect();
    studio.change("/upload?name=mine.csv", &format!("age,sex\n{}", rows.concat()));
    studio.until("/table", "What the columns hold");
}
