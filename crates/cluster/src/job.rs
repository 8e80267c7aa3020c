//! A plan is handed in, watched, and handed in again when an executor is lost.
//!
//! Results do not depend on who works, so a job whose executor is gone is called off and begun anew on those that are left;
//! what was taken of its results is thrown away. Ballista recovers from some losses by itself, but waits for ever when the
//! results that a last stage needs are gone, so nobody waits for that here. When no executor is left, or the scheduler is
//! gone, the run ends after a while. Nothing that others say is repeated, except errors of ours.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use arrow_array::RecordBatch;
use ballista_core::client::BallistaClient;
use ballista_core::extension::BallistaConfigGrpcEndpoint;
use ballista_core::serde::protobuf::execute_query_params::Query;
use ballista_core::serde::protobuf::operator_metric::Metric;
use ballista_core::serde::protobuf::scheduler_grpc_client::SchedulerGrpcClient;
use ballista_core::serde::protobuf::{
    CancelJobParams, CleanJobDataParams, ExecuteQueryParams, GetJobMetricsParams, GetJobStatusParams,
    PartitionLocation, execute_query_result, job_status,
};
use ballista_core::version::insert_version_header;
use datafusion::physical_plan::{ExecutionPlan, SendableRecordBatchStream};
use datafusion_proto::physical_plan::AsExecutionPlan;
use datafusion_proto::protobuf::PhysicalPlanNode;
use equanym_engine::error::{Error, Result};
use futures::StreamExt;
use tokio::time::{sleep, timeout};
use tonic::transport::Channel;

use super::codec::Codec;
use super::door::Door;
use super::job_name::is_job_name;
use super::network::MESSAGE;
use super::reach::Reach;
use super::status::NoAnswer;
use super::{ClusterWorkers, Patience, refusal, status};

/// How often a job may fail without saying why.
const FAILURES: u32 = 3;
/// How long a connection or a short answer may take.
const ANSWER: Duration = Duration::from_secs(5);

type Client = SchedulerGrpcClient<Channel>;
type BatchTaker<'a> = &'a mut dyn FnMut(RecordBatch) -> Result<()>;

/// Why a job is begun anew.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RestartReason {
    /// An executor or a connection is gone.
    Lost,
    /// It failed and did not say why in words of ours.
    Failed,
}

/// How an attempt ended that may be repeated.
type Attempt<T> = std::result::Result<T, BrokenJob>;

enum BrokenJob {
    Again(RestartReason),
    Fatal(Error),
}

impl From<Error> for BrokenJob {
    fn from(error: Error) -> Self {
        Self::Fatal(error)
    }
}

const LOST: BrokenJob = BrokenJob::Again(RestartReason::Lost);

impl ClusterWorkers {
    /// Runs a plan. What `begin` makes takes the batches; it is made anew when the job is.
    pub(super) fn run<T>(
        &self,
        plan: datafusion::error::Result<Arc<dyn ExecutionPlan>>,
        mut begin: impl FnMut() -> Result<T>,
        mut take: impl FnMut(&mut T, RecordBatch) -> Result<()>,
    ) -> Result<T> {
        let plan = plan.and_then(|plan| PhysicalPlanNode::try_from_physical_plan(plan, &Codec::default()));
        let mut bytes = Vec::new();
        let written = plan.and_then(|plan| plan.try_encode(&mut bytes));
        written.map_err(|_| Error::environment("the plan of a job cannot be written down"))?;
        let mut failures = 0;
        for _ in 0..self.patience.attempts {
            let mut made = begin()?;
            match self.tokio.block_on(self.attempt(&bytes, &mut |batch| take(&mut made, batch))) {
                Ok(()) => return Ok(made),
                Err(BrokenJob::Fatal(error)) => return Err(error),
                Err(BrokenJob::Again(again)) => failures += u32::from(again == RestartReason::Failed),
            }
            if failures == FAILURES {
                return Err(Error::environment("executors failed at their work, again and again").hint(
                    "their disks may be full or their memory too small; give them more with --memory, or run without --cluster",
                ));
            }
        }
        let attempts = self.patience.attempts;
        Err(Error::environment(format!("executors were lost in each of {attempts} attempts"))
            .hint("nothing was written; see why they end, or run without --cluster"))
    }

    async fn attempt(&self, plan: &[u8], take: BatchTaker<'_>) -> Attempt<()> {
        let executors = wait_for_executors(&self.reach, &self.patience).await?;
        let mut client = self.reach.client();
        let job = submit(&mut client, plan).await?;
        let done = async {
            let places = self.watch(&mut client, &job, &executors).await?;
            for place in places {
                self.fetch(place, take).await?;
            }
            Ok(())
        };
        let done = done.await;
        if done.is_ok() {
            self.note_spilled(&mut client, &job).await;
        }
        call_off(&mut client, &job, done.is_err()).await;
        done
    }

    /// Waits for the end of a job, as long as those are there who were when it was handed in.
    async fn watch(&self, client: &mut Client, job: &str, began: &BTreeSet<String>) -> Attempt<Vec<PartitionLocation>> {
        let (mut done, mut since) = (0, Instant::now());
        loop {
            let asked = client.get_job_status(GetJobStatusParams { job_id: job.to_owned() });
            let answer = timeout(ANSWER, asked).await.map_err(|_| LOST)?.map_err(|_| LOST)?;
            match answer.into_inner().status.and_then(|status| status.status) {
                Some(job_status::Status::Successful(job)) => return Ok(job.partition_location),
                Some(job_status::Status::Failed(job)) => return Err(failed(&job.error)),
                _ => {}
            }
            let there = status::executors(&self.reach).await.map_err(|_| LOST)?;
            if !began.is_subset(&there) {
                return Err(LOST);
            }
            let now = status::tasks_done(&self.reach, job).await.unwrap_or(done);
            if now != done {
                (done, since) = (now, Instant::now());
            }
            if since.elapsed() > self.patience.idle {
                return Err(LOST);
            }
            sleep(self.patience.between).await;
        }
    }

    /// Takes the results that lie at an executor.
    async fn fetch(&self, place: PartitionLocation, take: BatchTaker<'_>) -> Attempt<()> {
        let asked = results(place, &self.reach.door);
        let mut stream = timeout(self.patience.alone, asked).await.ok().flatten().ok_or(LOST)?;
        loop {
            match timeout(self.patience.alone, stream.next()).await {
                Ok(Some(Ok(batch))) => take(batch)?,
                Ok(None) => return Ok(()),
                Ok(Some(Err(_))) | Err(_) => return Err(LOST),
            }
        }
    }

    /// What the operators of a job wrote to disk because memory ran short, as far as the scheduler knows.
    async fn note_spilled(&self, client: &mut Client, job: &str) {
        let asked = client.get_job_metrics(GetJobMetricsParams { job_id: job.to_owned() });
        let Ok(Ok(answer)) = timeout(ANSWER, asked).await else { return };
        let stages = answer.into_inner().stages;
        let metrics = stages.iter().flat_map(|stage| &stage.operators).flat_map(|operator| &operator.metrics);
        let spilled = metrics.filter_map(|metric| match metric.metric {
            Some(Metric::SpilledBytes(bytes)) => Some(bytes),
            _ => None,
        });
        self.spilled.fetch_add(spilled.sum(), Ordering::Relaxed);
    }
}

/// Waits until there are executors; who they are.
pub(crate) async fn wait_for_executors(reach: &Reach, patience: &Patience) -> Result<BTreeSet<String>> {
    let start = Instant::now();
    loop {
        let answers = match status::executors(reach).await {
            Ok(executors) if !executors.is_empty() => return Ok(executors),
            Err(NoAnswer::Shut(error)) => return Err(error),
            answer => answer.is_ok(),
        };
        if start.elapsed() > patience.alone {
            return Err(nobody(reach, answers, patience.alone));
        }
        sleep(patience.between).await;
    }
}

fn nobody(reach: &Reach, answers: bool, alone: Duration) -> Error {
    let (place, seconds) = (reach.scheduler.url(), alone.as_secs());
    if answers {
        return Error::environment(format!("no executor works for the scheduler at {place}, for {seconds} s"))
            .hint("nothing was written; start executors with `equanym cluster executor`, and run again");
    }
    Error::environment(format!("the scheduler at {place} does not answer, for {seconds} s"))
        .hint("nothing was written; start it with `equanym cluster scheduler`, and run again")
}

/// Hands a plan in; the number of the job.
async fn submit(client: &mut Client, plan: &[u8]) -> Attempt<String> {
    let mut request = tonic::Request::new(ExecuteQueryParams {
        query: Some(Query::PhysicalPlan(plan.to_vec())),
        settings: Vec::new(),
        session_id: "equanym".to_owned(),
        operation_id: String::new(),
    });
    insert_version_header(request.metadata_mut());
    match client.execute_query(request).await.map_err(|status| refused(&status))?.into_inner().result {
        Some(execute_query_result::Result::Success(job)) if is_job_name(&job.job_id) => Ok(job.job_id),
        _ => Err(BrokenJob::Fatal(other_version())),
    }
}

fn refused(status: &tonic::Status) -> BrokenJob {
    match status.code() {
        tonic::Code::FailedPrecondition | tonic::Code::InvalidArgument | tonic::Code::Unimplemented => {
            BrokenJob::Fatal(other_version())
        }
        tonic::Code::OutOfRange | tonic::Code::ResourceExhausted => BrokenJob::Fatal(
            Error::environment("the scheduler refuses a plan of this size")
                .hint("recoded columns have too many distinct values for a cluster; run without --cluster"),
        ),
        _ => LOST,
    }
}

fn other_version() -> Error {
    Error::input("the scheduler does not understand what it is asked")
        .hint("scheduler, executors and this program must be of the same version")
}

/// What a failed job said, if it was ours to say.
fn failed(words: &str) -> BrokenJob {
    if let Some(error) = refusal::find(words) {
        return BrokenJob::Fatal(error);
    }
    if words.contains("Resources exhausted") {
        return BrokenJob::Fatal(Error::environment("the memory limit of an executor does not suffice").hint(
            "start executors with more --memory or fewer --threads, or generalise near-unique columns in the input first",
        ));
    }
    BrokenJob::Again(RestartReason::Failed)
}

/// Lets executors forget a job: what they wrote for it holds values.
async fn call_off(client: &mut Client, job: &str, is_running: bool) {
    if is_running {
        let _ = timeout(ANSWER, client.cancel_job(CancelJobParams { job_id: job.to_owned() })).await;
    }
    let _ = timeout(
        ANSWER,
        client.clean_job_data(CleanJobDataParams { job_id: job.to_owned(), remove_stage_ids: Vec::new() }),
    )
    .await;
}

async fn results(place: PartitionLocation, door: &Door) -> Option<SendableRecordBatchStream> {
    let layout = place.layout();
    let (executor, partition) = (place.executor_meta?, place.partition_id?);
    let port = u16::try_from(executor.port).ok()?;
    let behind = Some(Arc::new(BallistaConfigGrpcEndpoint::new(door.of_ballista(None))));
    let client = BallistaClient::try_new(&executor.host, port, MESSAGE, true, behind, 3, 200, 0, 0);
    client.await.ok()?.fetch_partition(&executor.id, &partition.into(), place.file_id, layout, true).await.ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_words_are_repeated() {
        let ours = Error::input("the input changed");
        let check = |words: &str| match failed(words) {
            BrokenJob::Fatal(error) => Some(error),
            BrokenJob::Again(_) => None,
        };
        assert_eq!(check(&format!("Job failed: {}", refusal::send(&ours))), Some(ours));
        assert_eq!(
            check("Resources exhausted: 7 secret").map(|error| error.to_string().contains("secret")),
            Some(false)
        );
        assert_eq!(check("a secret failed"), None);
    }
}
