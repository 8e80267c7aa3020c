//! Our operator on its way over the network, beside those of Ballista.

use std::sync::Arc;

use ballista_core::serde::BallistaPhysicalExtensionCodec;
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::TaskContext;
use datafusion::physical_plan::ExecutionPlan;
use datafusion_proto::physical_plan::{PhysicalExtensionCodec, PhysicalProtoConverterExtension};

use super::operator::WorkExec;
use super::permit::Permit;

/// How our operator begins; Ballista's own are messages that cannot begin so.
const MARK: &[u8] = b"\xffequanym\x01";

/// Writes and reads our operator and leaves the others to Ballista.
#[derive(Debug, Default)]
pub(crate) struct Codec {
    others: BallistaPhysicalExtensionCodec,
    /// What the work that is read may do; none where no work is done.
    permit: Option<Arc<Permit>>,
}

impl Codec {
    /// For an executor.
    #[must_use]
    pub(crate) fn with_permit(permit: Permit) -> Self {
        Self { others: BallistaPhysicalExtensionCodec::default(), permit: Some(Arc::new(permit)) }
    }
}

impl PhysicalExtensionCodec for Codec {
    fn try_decode(
        &self,
        bytes: &[u8],
        inputs: &[Arc<dyn ExecutionPlan>],
        context: &TaskContext,
        converter: &dyn PhysicalProtoConverterExtension,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let Some(work) = bytes.strip_prefix(MARK) else {
            return self.others.try_decode(bytes, inputs, context, converter);
        };
        let [input] = inputs else {
            return Err(DataFusionError::Internal("WorkExec has one input".to_owned()));
        };
        Ok(Arc::new(WorkExec::new(Arc::new(work.to_vec()), Arc::clone(input), self.permit.clone())))
    }

    fn try_encode(
        &self,
        node: Arc<dyn ExecutionPlan>,
        bytes: &mut Vec<u8>,
        converter: &dyn PhysicalProtoConverterExtension,
    ) -> Result<()> {
        let Some(ours) = node.downcast_ref::<WorkExec>() else {
            return self.others.try_encode(node, bytes, converter);
        };
        bytes.extend_from_slice(MARK);
        bytes.extend_from_slice(&ours.work);
        Ok(())
    }
}
