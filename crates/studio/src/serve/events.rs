//! What the pages hear without asking: that something changed, and how far the engine has come.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures::Stream;
use futures::stream::unfold;

use crate::desk::Desk;

/// How often progress is told.
const TICK: Duration = Duration::from_millis(200);

/// How often a page hears that the studio is still there.
const STILL: Duration = Duration::from_secs(15);

pub(super) async fn events(State(desk): State<Arc<Desk>>) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let bell = desk.bell.subscribe();
    let told = String::new();
    let stream = unfold((desk, bell, told), |(desk, mut bell, mut told)| async move {
        loop {
            match tokio::time::timeout(TICK, bell.changed()).await {
                // The studio ends.
                Ok(Err(_)) => return None,
                Ok(Ok(())) => {
                    let number = *bell.borrow_and_update();
                    return Some((Ok(Event::default().event("change").data(number.to_string())), (desk, bell, told)));
                }
                Err(_) => {
                    let words = desk.told().unwrap_or_default();
                    if words != told {
                        told.clone_from(&words);
                        return Some((Ok(Event::default().event("progress").data(words)), (desk, bell, told)));
                    }
                }
            }
        }
    });
    Sse::new(stream).keep_alive(KeepAlive::new().interval(STILL))
}
