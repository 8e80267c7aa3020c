//! Style, script and sign: part of the program.

use axum::extract::Path;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};

const ASSETS: [(&str, &str, &str); 3] = [
    ("studio.css", "text/css; charset=utf-8", include_str!("../../assets/studio.css")),
    ("studio.js", "text/javascript; charset=utf-8", include_str!("../../assets/studio.js")),
    ("sign.svg", "image/svg+xml", include_str!("../../assets/sign.svg")),
];

pub(super) async fn asset(Path(name): Path<String>) -> Response {
    match ASSETS.iter().find(|(known, ..)| *known == name) {
        Some((_, kind, content)) => ([(CONTENT_TYPE, *kind)], *content).into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}
