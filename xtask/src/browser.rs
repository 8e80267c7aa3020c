//! The studio in a real browser: `cargo xtask browser`, and a step of `cargo xtask test`.
//!
//! The program that was built for the tests serves its pages to the system's Chromium, which Python's playwright drives. playwright,
//! pytest and axe-core come from the package index into an environment of their own below the target folder, made once for each
//! list of them; browsers are never downloaded. A machine for continuous integration gets Chromium from the system's packages.
//! Where Python, the libraries or a browser are not to be had, one line says so, and nothing else fails.
//!
//! `EQUANYM_SHOTS=FOLDER` keeps a picture of every page. `cargo xtask bench studio` measures in the same browser.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::python::{libraries, pythons, target};
use crate::{cargo, packages, succeeds};

/// What the tests are, from the root.
const TESTS: &str = "crates/studio/tests/browser";

/// Names that Chromium goes by.
const BROWSERS: &[&str] = &["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];

/// A browser and a Python that drives it.
struct Driver {
    python: PathBuf,
    browser: String,
}

/// Tests the program that `build` builds, under a pytest that `run` runs; what cannot be tested here is said and passes.
pub fn test(root: &Path, mut build: Command, run: impl FnOnce(&mut Command) -> bool) -> bool {
    let driver = match driver(root) {
        Ok(driver) => driver,
        Err(why) => {
            println!("browser: skipped, {why}; the studio's pages were not looked at in a browser");
            return true;
        }
    };
    if !succeeds(&mut build) {
        return false;
    }
    let mut pytest = driver.command(root);
    pytest.args(["-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", TESTS, TESTS]);
    pytest.env("EQUANYM_PROGRAM", target(root).join("debug/equanym"));
    run(&mut pytest)
}

/// Measures the program as people install it, in the browser.
pub fn bench(root: &Path, options: &[&str]) -> bool {
    let driver = match driver(root) {
        Ok(driver) => driver,
        Err(why) => {
            eprintln!("bench studio: {why}");
            return false;
        }
    };
    let is_dev = options.contains(&"--dev");
    let (profile, folder): (&[&str], _) = if is_dev { (&[], "debug") } else { (&["--release"], "release") };
    let mut build = cargo(root);
    build.args(["build", "--locked", "--package", "equanym", "--bin", "equanym"]).args(profile);
    let mut run = driver.command(root);
    run.arg("benches/studio.py").args(options.iter().filter(|option| **option != "--dev"));
    run.env("EQUANYM_PROGRAM", target(root).join(folder).join("equanym"));
    succeeds(&mut build) && succeeds(&mut run)
}

impl Driver {
    fn command(&self, root: &Path) -> Command {
        let mut command = Command::new(&self.python);
        command.current_dir(root).env("EQUANYM_BROWSER", &self.browser).env("PYTHONDONTWRITEBYTECODE", "1");
        command
    }
}

/// A browser and what drives it, or why there is none.
fn driver(root: &Path) -> Result<Driver, String> {
    let browser = browser().or_else(|| {
        packages::install("browser", "chromium fonts-dejavu-core");
        browser()
    });
    let browser = browser.ok_or("there is no Chromium")?;
    let python = pythons().into_iter().next().ok_or("there is no Python from 3.10 on with `venv`")?;
    let list = Path::new(TESTS).join("requirements.txt");
    let environment = libraries(&root.join(&list), &python, &target(root).join("browser"))
        .ok_or_else(|| format!("the libraries of its tests cannot be installed ({})", list.display()))?;
    Ok(Driver {
        python: std::path::absolute(environment.join("bin/python")).map_err(|error| error.to_string())?,
        browser,
    })
}

/// The browser that `EQUANYM_BROWSER` names, or one of the system's that can be started.
fn browser() -> Option<String> {
    let named = std::env::var("EQUANYM_BROWSER").ok().filter(|name| !name.is_empty());
    let starts = |name: &String| {
        let mut command = Command::new(name);
        command.arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    named.into_iter().chain(BROWSERS.iter().filter_map(|name| on_path(name))).find(starts)
}

/// A program on the path, in full: playwright wants to know where it lies.
fn on_path(name: &str) -> Option<String> {
    let folders = std::env::var_os("PATH")?;
    let found = std::env::split_paths(&folders).map(|folder| folder.join(name)).find(|file| file.is_file())?;
    found.into_os_string().into_string().ok()
}
