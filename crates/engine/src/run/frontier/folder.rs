//! The map as files: a page, a drawing, a table, and one policy for each point of the front.
//!
//! They appear together in a folder of their own, or not at all, and nothing is overwritten. Each policy is read back and compared
//! with the one that its point was computed with before it is written: who releases by it releases that point.

use std::path::{Path, PathBuf};

use equanym_core::report::NamedLevels;

use super::point::in_words;
use super::{Frontier, Outcome, Point};
use crate::error::{Error, Result};
use crate::policy::{Policy, PolicySetting, moved};
use crate::read::Data;
use crate::read::text_file;
use crate::write::reports::pictures::map::{MapPicture, MapPoint};
use crate::write::sink::staging::{Staging, write_file};

/// Writes all files; `policies` is the folder from which the policy names its hierarchy files.
pub(super) fn write(map: &Frontier, target: &Path, data: Data<'_>, policies: &Path) -> Result<()> {
    let staging = Staging::plain(target, data.path().unwrap_or(Path::new("")))?;
    let put = |name: &str, text: &str| write_file(&staging.folder().join(name), text.as_bytes());
    put("frontier.html", &map.html())?;
    put("frontier.svg", &map.picture().file())?;
    put("frontier.csv", &csv(map)?)?;
    for &place in &map.front {
        put(&map.policy_name(place), &policy(map, place, target, policies)?)?;
    }
    staging.commit()
}

/// The policy of a point, for the folder of the map.
fn policy(map: &Frontier, place: usize, target: &Path, policies: &Path) -> Result<String> {
    let (Some(text), Some(point)) = (map.policies.get(place), map.points.get(place)) else {
        return Err(Error::internal());
    };
    let renamed = |name: &str| from(target, &policies.join(name)).unwrap_or_else(|| name.to_owned());
    let moved = moved(text, renamed)?;
    let parent = target.parent().unwrap_or(Path::new(""));
    // The folder of the map is not there yet; one of the same depth is.
    let again = Policy::parse(&moved, &|name| text_file::read(&parent.join(name.strip_prefix("../").unwrap_or(name))))?;
    // A population has another name there, too.
    let without_models = |policy| Policy { privacy: Vec::new(), ..policy };
    let before = Policy::parse(text, &|name| text_file::read(&policies.join(name)))?;
    if without_models(again) != without_models(before) {
        return Err(Error::internal());
    }
    let costs = point.plotted.map_or_else(String::new, |at| {
        format!("# {}: {}; {}: {}.\n", map.axes.risk.measures, at.risk, map.axes.loss.measures, at.loss)
    });
    Ok(format!("# Point {place} of a risk–utility map: {}, {}.\n{costs}\n{moved}", point.method(), point.in_words()))
}

/// The name of a file as seen from a folder that is about to be made.
fn from(folder: &Path, file: &Path) -> Option<String> {
    let parent = folder.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let (parent, file) = (parent.canonicalize().ok()?, file.canonicalize().ok()?);
    let shared = parent.components().zip(file.components()).take_while(|(one, other)| one == other).count();
    let up = std::iter::repeat_n("..", parent.components().count() - shared + 1).collect::<PathBuf>();
    up.join(file.components().skip(shared).collect::<PathBuf>()).to_str().map(str::to_owned)
}

/// The points as a table, one line each.
fn csv(map: &Frontier) -> Result<String> {
    let mut settings: Vec<String> = Vec::new();
    let mut variables: Vec<&str> = Vec::new();
    for point in &map.points {
        let new = point.settings.iter().map(PolicySetting::name).filter(|name| !settings.contains(name));
        settings.extend(new.collect::<Vec<_>>());
        let levels = point.levels().map_or(&[][..], |levels| levels.0.as_slice());
        let new = levels.iter().map(|(name, _)| name.as_str()).filter(|name| !variables.contains(name));
        variables.extend(new.collect::<Vec<_>>());
    }
    let mut writer = csv::Writer::from_writer(Vec::new());
    let own = [
        "safe",
        "on_front",
        "risk",
        "loss",
        "linked_by",
        "guaranteed",
        "released",
        "suppressed",
        "smallest_class",
        "why_not",
    ];
    let levels = variables.iter().map(|name| format!("level of {name}"));
    let header = ["point".to_owned()].into_iter().chain(settings.clone()).chain(own.map(str::to_owned)).chain(levels);
    writer.write_record(header).map_err(|_| Error::internal())?;
    for (place, point) in map.points.iter().enumerate() {
        let cell = |name: &String| point.settings.iter().find(|one| one.name() == *name).map(in_words);
        let cells = settings.iter().map(|name| cell(name).unwrap_or_default());
        let row = [place.to_string()].into_iter().chain(cells).chain(point.cells(map.front.contains(&place)));
        let level =
            |name: &&str| point.levels().and_then(|levels| Some(levels.0.iter().find(|one| one.0 == **name)?.1));
        let levels = variables.iter().map(|name| level(name).map_or_else(String::new, |level| level.to_string()));
        writer.write_record(row.chain(levels)).map_err(|_| Error::internal())?;
    }
    let bytes = writer.into_inner().map_err(|_| Error::internal())?;
    String::from_utf8(bytes).map_err(|_| Error::internal())
}

impl Point {
    fn levels(&self) -> Option<&NamedLevels> {
        if let Outcome::Safe(release) = &self.outcome { Some(&release.node) } else { None }
    }

    /// What is known of it, as cells.
    fn cells(&self, on_front: bool) -> [String; 10] {
        let (risk, loss) =
            self.plotted.map(|place| (place.risk.to_string(), place.loss.to_string())).unwrap_or_default();
        let [safe, on_front] = [matches!(self.outcome, Outcome::Safe(_)), on_front].map(|flag| flag.to_string());
        match &self.outcome {
            Outcome::Safe(one) => {
                let [linked, guaranteed] = [one.linkage.by.in_words().to_owned(), one.guaranteed.to_string()];
                let counts = [one.released, one.suppressed, one.classes.min].map(|count| count.to_string());
                let [released, suppressed, smallest] = counts;
                let why_not = self.why_unplotted.unwrap_or_default().to_owned();
                [safe, on_front, risk, loss, linked, guaranteed, released, suppressed, smallest, why_not]
            }
            Outcome::Unsafe(refusal) => {
                let none = String::new;
                let why_not = refusal.why_not.clone();
                [safe, on_front, risk, loss, none(), none(), none(), none(), none(), why_not]
            }
        }
    }
}

impl Frontier {
    /// The name of the file with the policy of a point.
    #[must_use]
    pub fn policy_name(&self, place: usize) -> String {
        let digits = self.points.len().saturating_sub(1).to_string().len();
        format!("policy-{place:0digits$}.toml")
    }

    /// What is drawn.
    pub(super) fn map(&self) -> MapPicture<'_> {
        let mut methods: Vec<&str> = Vec::new();
        for point in &self.points {
            if !methods.contains(&point.method()) {
                methods.push(point.method());
            }
        }
        let points = self.points.iter().enumerate();
        let points = points.map(|(place, point)| MapPoint {
            place,
            method: methods.iter().position(|name| *name == point.method()).unwrap_or(0),
            parameters: point.in_words(),
            costs: point.costs(),
            on_front: self.front.contains(&place),
            suppressed: if let Outcome::Safe(release) = &point.outcome { Some(release.suppressed) } else { None },
            levels: point.levels().map(|levels| levels.0.as_slice()).unwrap_or_default(),
            linked: point.linked(),
            why_unplotted: point.why_unplotted,
            why_not: if let Outcome::Unsafe(refusal) = &point.outcome { Some(&refusal.why_not) } else { None },
            policy: self.policy_name(place),
        });
        let points = points.collect();
        let (risk, loss) = (self.axes.risk.measures, self.axes.loss.measures);
        MapPicture { points, methods, front: self.places(), risk, loss, records: self.records }
    }
}
