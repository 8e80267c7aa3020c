//! Style, script and sign: part of the program.

use axum::extract::Path;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use equanym_engine::write::pen::{COLOURS, PLOT, STYLE};

const ASSETS: [(&str, &str, &str); 2] = [
    ("studio.js", "text/javascript; charset=utf-8", include_str!("../../assets/studio.js")),
    ("sign.svg", "image/svg+xml", include_str!("../../assets/sign.svg")),
];

const SHEET: &str = include_str!("../../assets/studio.css");

pub(super) async fn asset(Path(name): Path<String>) -> Response {
    if name == "studio.css" {
        // Pages and reports share colours and pictures.
        return ([(CONTENT_TYPE, "text/css; charset=utf-8")], format!("{COLOURS}{STYLE}{PLOT}{SHEET}")).into_response();
    }
    match ASSETS.iter().find(|(known, ..)| *known == name) {
        Some((_, kind, content)) => ([(CONTENT_TYPE, *kind)], *content).into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}
