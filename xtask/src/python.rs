//! The Python package: `cargo xtask wheel`, its tests as a step of `cargo xtask test`, and `cargo xtask bench python`.
//!
//! `wheel` has maturin, from the package index, build the wheel that people install; it takes a Python and the network once. The tests pack the
//! extension module that was built together with everything else (`crates/python/pack.py`), install it into a fresh virtual environment
//! and run pytest there. The libraries that the tests use are kept in an environment of their own below the target folder, by
//! what `requirements.txt` lists. Where Python or these libraries are not to be had, that is said, and nothing else fails.

use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::succeeds;

/// Pythons that may run the package, by the names they go by.
const PYTHONS: &[&str] =
    &["python3.12", "python3.13", "python3.14", "python3.15", "python3.11", "python3.10", "python3", "python"];

/// Builds the wheel that people install, into `target/wheels`.
pub fn wheel(root: &Path) -> bool {
    let folder = target(root).join("python");
    let Some(python) = pythons().into_iter().next() else {
        eprintln!("wheel: there is no Python from 3.10 on");
        return false;
    };
    let environment = folder.join("maturin");
    if !environment.join("bin/maturin").is_file() && !made(&python, &environment, &["maturin>=1.9,<2"]) {
        eprintln!("wheel: maturin cannot be installed");
        return false;
    }
    let mut maturin = Command::new(environment.join("bin/maturin"));
    maturin.current_dir(root).args(["build", "--release", "--locked"]);
    maturin.arg("--interpreter").arg(environment.join("bin/python")).arg("--out").arg(target(root).join("wheels"));
    succeeds(&mut maturin)
}

/// Measures the package that people install beside the program in it.
pub fn bench(root: &Path) -> bool {
    if !wheel(root) {
        return false;
    }
    let environment = target(root).join("python/bench");
    let _ = fs::remove_dir_all(&environment);
    let Some(wheel) = newest(&target(root).join("wheels")) else { return false };
    let is_made =
        pythons().first().is_some_and(|python| made(python, &environment, &["pyarrow", &wheel.to_string_lossy()]));
    let mut run = Command::new(environment.join("bin/python"));
    run.current_dir(root).arg("benches/python.py").arg(environment.join("bin/equanym"));
    is_made && succeeds(&mut run)
}

/// Tests the package that `build` builds, under a pytest that `run` runs; what cannot be tested here is said and passes.
pub fn test(root: &Path, mut build: Command, run: impl FnOnce(&mut Command) -> bool) -> bool {
    let pythons = pythons();
    let Some(python) = pythons.first().filter(|_| cfg!(target_os = "linux")) else {
        println!("Python: skipped, this is not Linux, or there is no Python from 3.10 on with `venv`");
        return true;
    };
    if !succeeds(&mut build) {
        return false;
    }
    let folder = target(root).join("python");
    let list = root.join("crates/python/tests/requirements.txt");
    let Some(libraries) = libraries(&list, python, &folder) else {
        println!(
            "Python: skipped, the libraries of its tests cannot be installed (crates/python/tests/requirements.txt)"
        );
        return true;
    };
    let Some(wheel) = packed(root, python, &folder) else { return false };
    let environment = folder.join("fresh");
    if !fresh(python, &environment, &wheel) {
        return false;
    }
    // Those of the libraries are found behind those of the environment.
    let Some(site) = site(&environment) else { return false };
    let Some(theirs) = site_of(&libraries) else { return false };
    if fs::write(site.join("libraries.pth"), format!("{}\n", theirs.display())).is_err() {
        return false;
    }
    let mut pytest = Command::new(environment.join("bin/python"));
    pytest.current_dir(root).args(["-m", "pytest", "-q", "-p", "no:cacheprovider"]);
    pytest.env("EQUANYM_PROGRAM", program(root)).env("EQUANYM_LIBRARIES", &libraries);
    let passed = run(&mut pytest);
    let others = pythons.iter().skip(1).take(1);
    others.map(|other| alone(root, other, &folder, &wheel)).fold(passed, |one, other| one & other)
}

/// The tests that take nothing but the package, under another Python.
fn alone(root: &Path, python: &Path, folder: &Path, wheel: &Path) -> bool {
    let environment = folder.join("other");
    let mut run = Command::new(environment.join("bin/python"));
    run.current_dir(root).arg("crates/python/tests/alone.py");
    fresh(python, &environment, wheel) && succeeds(&mut run)
}

/// The program that was built for the tests.
fn program(root: &Path) -> PathBuf {
    target(root).join("debug/equanym")
}

/// Packs the extension module into a wheel.
fn packed(root: &Path, python: &Path, folder: &Path) -> Option<PathBuf> {
    let wheels = folder.join("wheels");
    let _ = fs::remove_dir_all(&wheels);
    fs::create_dir_all(&wheels).ok()?;
    let mut pack = Command::new(python);
    pack.arg(root.join("crates/python/pack.py")).arg(target(root).join("debug/lib_equanym.so")).arg(&wheels);
    if !succeeds(&mut pack) {
        return None;
    }
    fs::read_dir(&wheels).ok()?.flatten().map(|entry| entry.path()).next()
}

/// The file of a folder that was written last.
fn newest(folder: &Path) -> Option<PathBuf> {
    let files = fs::read_dir(folder).ok()?.flatten();
    Some(files.max_by_key(|file| file.metadata().and_then(|about| about.modified()).ok())?.path())
}

/// An environment with a wheel and nothing else.
fn fresh(python: &Path, environment: &Path, wheel: &Path) -> bool {
    let _ = fs::remove_dir_all(environment);
    made(python, environment, &["--no-index", "--no-deps", &wheel.to_string_lossy()])
}

/// The environment with the libraries that tests use, made once for each list of them.
pub fn libraries(list: &Path, python: &Path, folder: &Path) -> Option<PathBuf> {
    let mut hasher = DefaultHasher::new();
    (fs::read_to_string(list).ok()?, python).hash(&mut hasher);
    let environment = folder.join(format!("libraries-{:016x}", hasher.finish()));
    if environment.join("complete").is_file() {
        return Some(environment);
    }
    let _ = fs::remove_dir_all(&environment);
    if !made(python, &environment, &["--requirement", &list.to_string_lossy()]) {
        return None;
    }
    fs::write(environment.join("complete"), "").ok()?;
    Some(environment)
}

/// A virtual environment with what pip is asked for.
fn made(python: &Path, environment: &Path, asked: &[&str]) -> bool {
    let mut venv = Command::new(python);
    venv.args(["-m", "venv"]).arg(environment);
    let mut pip = Command::new(environment.join("bin/python"));
    // Where PyPI cannot be reached, that is soon known.
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--retries", "1", "--timeout", "15"]);
    pip.args(asked);
    succeeds(&mut venv) && succeeds(&mut pip)
}

/// The folder of an environment in which packages lie.
fn site(environment: &Path) -> Option<PathBuf> {
    let versions = fs::read_dir(environment.join("lib")).ok()?.flatten();
    versions.map(|entry| entry.path().join("site-packages")).find(|site| site.is_dir())
}

fn site_of(libraries: &Path) -> Option<PathBuf> {
    site(libraries)?.canonicalize().ok()
}

/// The Pythons at hand that can run the package and make environments, one of each version.
pub fn pythons() -> Vec<PathBuf> {
    let mut versions: Vec<String> = Vec::new();
    let mut found = Vec::new();
    for name in PYTHONS.iter().map(PathBuf::from).chain(of_pyenv()) {
        let code = "import sys, venv, ensurepip; assert sys.version_info >= (3, 10); \
                    print(sys.executable, '%d.%d' % sys.version_info[:2])";
        let output = Command::new(name).args(["-c", code]).stderr(Stdio::null()).output();
        let Some(told) = output.ok().filter(|output| output.status.success()) else { continue };
        let told = String::from_utf8_lossy(&told.stdout).into_owned();
        if let Some((path, version)) = told.trim().rsplit_once(' ')
            && !versions.iter().any(|known| known == version)
        {
            versions.push(version.to_owned());
            found.push(PathBuf::from(path));
        }
    }
    found
}

/// The Pythons that pyenv has, which may not be on the path, newest first.
fn of_pyenv() -> Vec<PathBuf> {
    let home = || Some(PathBuf::from(std::env::var_os("HOME")?).join(".pyenv"));
    let folder = std::env::var_os("PYENV_ROOT").map(PathBuf::from).or_else(home);
    let versions = folder.and_then(|folder| fs::read_dir(folder.join("versions")).ok());
    let version = |path: &PathBuf| -> Vec<u32> {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        name.split('.').filter_map(|part| part.parse().ok()).collect()
    };
    let mut found: Vec<PathBuf> = versions.into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    found.sort_by_key(|path| std::cmp::Reverse(version(path)));
    found.into_iter().map(|path| path.join("bin/python3")).collect()
}

/// The folder that everything is built in.
pub fn target(root: &Path) -> PathBuf {
    root.join(std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into()))
}
