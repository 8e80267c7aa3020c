//! The same regions through hopsy, where a Python that has it is at hand.
//!
//! Python is `python3`, or what the variable `PYTHON` names. Each sampler runs in a process of its own with a time limit,
//! because rounding a polytope cannot be interrupted from within. The points come back as doubles and are judged by the
//! same code as ours.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use equanym_core::walk::region::Region;

use super::efficiency::{Efficiency, RECORDS};
use super::polytope;
use crate::facts::Facts;
use crate::failure::Result;

const SCRIPT: &str = include_str!("sample_with_hopsy.py");

/// The samplers that are tried: hopsy's for uniform laws that get anywhere on such regions, without and with rounding.
pub const SAMPLERS: [&str; 4] = [
    "UniformCoordinateHitAndRunProposal",
    "UniformHitAndRunProposal",
    "DikinWalkProposal",
    "rounded:UniformCoordinateHitAndRunProposal",
];

/// How the name of a sampler begins when the polytope is rounded first.
pub const ROUNDED: &str = "rounded:";

/// A Python with hopsy.
pub struct Hopsy {
    python: String,
    folder: PathBuf,
    /// Its version.
    pub version: String,
}

/// What a sampler of hopsy did.
pub struct Outcome {
    pub sampler: &'static str,
    /// Seconds before the first step: rounding.
    pub setup: f64,
    pub efficiency: Efficiency,
}

impl Hopsy {
    /// Looks for it.
    pub fn find() -> Option<Self> {
        let python = std::env::var("PYTHON").unwrap_or_else(|_| "python3".to_owned());
        let ask = "import hopsy, importlib.metadata as m; print(m.version('hopsy'))";
        let answer = Command::new(&python).args(["-W", "ignore", "-c", ask]).stderr(Stdio::null()).output().ok()?;
        let version = String::from_utf8_lossy(&answer.stdout).trim().to_owned();
        let folder = std::env::temp_dir().join(format!("equanym-hopsy-{}", std::process::id()));
        (answer.status.success() && !version.is_empty()).then_some(Self { python, folder, version })
    }

    /// Lets a sampler walk; `None` when it does not come to an end within the limit, or fails.
    pub fn measure(
        &self,
        region: &Region,
        sampler: &'static str,
        budget: f64,
        limit: Duration,
    ) -> Result<Option<Outcome>> {
        std::fs::create_dir_all(&self.folder)?;
        let outcome = self.run(region, sampler, budget, limit);
        std::fs::remove_dir_all(&self.folder)?;
        outcome
    }

    fn run(&self, region: &Region, sampler: &'static str, budget: f64, limit: Duration) -> Result<Option<Outcome>> {
        let [script, input, output, said] =
            ["sample_with_hopsy.py", "region.txt", "points.bin", "said.txt"].map(|name| self.folder.join(name));
        std::fs::write(&script, SCRIPT)?;
        std::fs::write(&input, polytope::text(region))?;
        let mut child = Command::new(&self.python)
            .args([script.as_os_str(), input.as_os_str(), sampler.as_ref()])
            .args([budget.to_string(), RECORDS.to_string()])
            .arg(&output)
            // One thread, as ours.
            .env("OMP_NUM_THREADS", "1")
            .stdout(std::fs::File::create(&said)?)
            .stderr(Stdio::null())
            .spawn()?;
        let start = Instant::now();
        let status = loop {
            if let Some(status) = child.try_wait()? {
                break status;
            }
            if start.elapsed() > limit {
                child.kill()?;
                child.wait()?;
                return Ok(None);
            }
            std::thread::sleep(Duration::from_millis(20));
        };
        if !status.success() {
            return Ok(None);
        }
        let facts = Facts::parse(&std::fs::read_to_string(&said)?);
        let number = |name: &str| facts.number(name).unwrap_or(f64::NAN);
        let judge = |name: &str| -> Result<Efficiency> {
            let points = read_points(&output.with_extension(format!("bin.{name}")), region.size())?;
            let [steps, seconds] = ["steps", "seconds"].map(|what| number(&format!("{name}_{what}")));
            Ok(Efficiency::of(&points, steps, seconds))
        };
        let (fine, coarse) = (judge("fine")?, judge("coarse")?);
        let efficiency = if fine.least().is_limit { coarse } else { fine };
        Ok(Some(Outcome { sampler, setup: number("setup"), efficiency }))
    }
}

fn read_points(file: &Path, size: usize) -> Result<Vec<Vec<f64>>> {
    let bytes = std::fs::read(file)?;
    let numbers: Vec<f64> = bytes.as_chunks::<8>().0.iter().map(|bytes| f64::from_le_bytes(*bytes)).collect();
    Ok(numbers.chunks_exact(size.max(1)).map(<[f64]>::to_vec).collect())
}
