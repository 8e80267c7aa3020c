//! A scheduler as it is reached: its address, the door before it, and one connection that is made when it is needed.

use ballista_core::serde::protobuf::scheduler_grpc_client::SchedulerGrpcClient;
use equanym_engine::error::Result;
use tonic::transport::Channel;

use super::door::Door;
use super::network::{MESSAGE, Scheduler};

/// A scheduler that can be called.
#[derive(Clone)]
pub(crate) struct Reach {
    pub(crate) scheduler: Scheduler,
    pub(crate) door: Door,
    channel: Channel,
}

impl Reach {
    /// The way to a scheduler. Must be made where tokio runs.
    pub(crate) fn to(scheduler: Scheduler, door: Door) -> Result<Self> {
        let channel = door.endpoint(&scheduler.host, scheduler.port)?.connect_lazy();
        Ok(Self { scheduler, door, channel })
    }

    /// The connection.
    #[must_use]
    pub(crate) fn channel(&self) -> Channel {
        self.channel.clone()
    }

    /// What understands Ballista's calls.
    #[must_use]
    pub(crate) fn client(&self) -> SchedulerGrpcClient<Channel> {
        let client = SchedulerGrpcClient::new(self.channel());
        client.max_encoding_message_size(MESSAGE).max_decoding_message_size(MESSAGE)
    }
}
