//! Map: every strength a point, risk against loss.

use maud::{Markup, html};

use crate::desk::Now;

/// The page.
pub(crate) fn page(_: &Now) -> Markup {
    html! { p class="lead" { "The map of risk and loss is not part of this program yet." } }
}
