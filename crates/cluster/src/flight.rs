//! What others fetch from an executor: results of stages, by the name of their job.
//!
//! Ballista joins the name to its folder as it comes, so it is looked at first: a name that leads out of the folder is
//! refused. Of all that Arrow Flight knows, only the two ways to fetch are served.

use arrow_flight::flight_service_server::{FlightService, FlightServiceServer};
use arrow_flight::{
    Action, Criteria, Empty, FlightData, FlightDescriptor, FlightInfo, HandshakeRequest, PollInfo, SchemaResult, Ticket,
};
use ballista_core::serde::decode_protobuf;
use ballista_core::serde::scheduler::Action as Fetch;
use ballista_executor::flight_service::BallistaFlightService;
use tonic::service::Routes;
use tonic::{Request, Response, Status, Streaming};

use super::job_name::is_job_name;
use super::network::MESSAGE;

type BallistaFlight = BallistaFlightService;
type Answer<T> = Result<Response<T>, Status>;

/// Ballista's service, behind a look at the name.
struct Results(BallistaFlight);

/// The results in a folder, to be served.
pub(crate) fn results(folder: String) -> Routes {
    let service = FlightServiceServer::new(Results(BallistaFlight::new(folder)));
    Routes::new(service.max_decoding_message_size(MESSAGE).max_encoding_message_size(MESSAGE))
}

/// Whether a request names a job as jobs are named.
fn is_proper(request: &[u8]) -> bool {
    matches!(decode_protobuf(request), Ok(Fetch::FetchPartition { job_id, .. }) if is_job_name(job_id.as_str()))
}

fn improper() -> Status {
    Status::invalid_argument("")
}

fn unknown<T>() -> Answer<T> {
    Err(Status::unimplemented(""))
}

#[tonic::async_trait]
impl FlightService for Results {
    type DoActionStream = <BallistaFlight as FlightService>::DoActionStream;
    type DoExchangeStream = <BallistaFlight as FlightService>::DoExchangeStream;
    type DoGetStream = <BallistaFlight as FlightService>::DoGetStream;
    type DoPutStream = <BallistaFlight as FlightService>::DoPutStream;
    type HandshakeStream = <BallistaFlight as FlightService>::HandshakeStream;
    type ListActionsStream = <BallistaFlight as FlightService>::ListActionsStream;
    type ListFlightsStream = <BallistaFlight as FlightService>::ListFlightsStream;

    async fn do_get(&self, request: Request<Ticket>) -> Answer<Self::DoGetStream> {
        if is_proper(&request.get_ref().ticket) { self.0.do_get(request).await } else { Err(improper()) }
    }

    async fn do_action(&self, request: Request<Action>) -> Answer<Self::DoActionStream> {
        if is_proper(&request.get_ref().body) { self.0.do_action(request).await } else { Err(improper()) }
    }

    async fn handshake(&self, _: Request<Streaming<HandshakeRequest>>) -> Answer<Self::HandshakeStream> {
        unknown()
    }

    async fn list_flights(&self, _: Request<Criteria>) -> Answer<Self::ListFlightsStream> {
        unknown()
    }

    async fn get_flight_info(&self, _: Request<FlightDescriptor>) -> Answer<FlightInfo> {
        unknown()
    }

    async fn poll_flight_info(&self, _: Request<FlightDescriptor>) -> Answer<PollInfo> {
        unknown()
    }

    async fn get_schema(&self, _: Request<FlightDescriptor>) -> Answer<SchemaResult> {
        unknown()
    }

    async fn do_put(&self, _: Request<Streaming<FlightData>>) -> Answer<Self::DoPutStream> {
        unknown()
    }

    async fn do_exchange(&self, _: Request<Streaming<FlightData>>) -> Answer<Self::DoExchangeStream> {
        unknown()
    }

    async fn list_actions(&self, _: Request<Empty>) -> Answer<Self::ListActionsStream> {
        unknown()
    }
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};
    use std::path::Path;
    use std::sync::Arc;

    use arrow_array::{BinaryArray, RecordBatch};
    use arrow_ipc::writer::StreamWriter;
    use ballista_core::client::BallistaClient;
    use ballista_core::extension::BallistaConfigGrpcEndpoint;
    use ballista_core::serde::scheduler::{PartitionId, ShuffleLayout};

    use super::*;
    use crate::access::DoorKeys;
    use crate::door::Door;
    use crate::{network, operator};

    /// Results of a stage, as Ballista writes them.
    fn write(folder: &Path) {
        let column = Arc::new(BinaryArray::from_iter_values([b"x"]));
        let batch = RecordBatch::try_new(operator::rows_schema(), vec![column]).unwrap();
        fs::create_dir_all(folder.join("1/0")).unwrap();
        let file = File::create(folder.join("1/0/data.arrow")).unwrap();
        let mut writer = StreamWriter::try_new(file, &batch.schema()).unwrap();
        writer.write(&batch).unwrap();
        writer.finish().unwrap();
    }

    #[test]
    fn no_name_of_a_job_leads_out_of_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        let (results_folder, outside) = (folder.path().join("results"), folder.path().join("outside"));
        write(&results_folder.join("job"));
        write(&outside);
        let keys = DoorKeys { secret: Some(folder.path().join("secret")), ..DoorKeys::default() };
        let door = Door::of_member(&keys).unwrap();
        let (address, listener) = network::listen([127, 0, 0, 1].into(), 0).unwrap();
        let tokio = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        let (served, text) = (door.clone(), results_folder.to_string_lossy().into_owned());
        tokio.spawn(async move { served.serve(results(text), listener, std::future::pending()).await });
        let fetch = |job: &str| {
            tokio.block_on(async {
                let behind = Some(Arc::new(BallistaConfigGrpcEndpoint::new(door.of_ballista(None))));
                let client =
                    BallistaClient::try_new("127.0.0.1", address.port(), MESSAGE, true, behind, 1, 1, 0, 0).await;
                let part = PartitionId { job_id: job.into(), stage_id: 1, partition_id: 0 };
                let is_flight = true;
                client.unwrap().fetch_partition("a", &part, None, ShuffleLayout::Passthrough, is_flight).await.is_ok()
            })
        };
        assert!(fetch("job"));
        for way_out in ["../outside", outside.to_str().unwrap(), "job/../../outside", ""] {
            assert!(!fetch(way_out), "{way_out}");
        }
    }
}
