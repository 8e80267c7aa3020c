//! How much of each column's detail is lost, as bars.

use crate::words::figure;
use crate::write::pen::{Pen, Picture, bars};

/// The columns of a release.
#[derive(Debug, Clone)]
pub struct DetailPicture<'a> {
    /// The columns, in their order.
    pub columns: Vec<LostShare<'a>>,
}

/// What a column lost.
#[derive(Debug, Clone)]
pub struct LostShare<'a> {
    /// Its name.
    pub name: &'a str,
    /// The share that is lost, 0 to 1.
    pub share: f64,
}

impl DetailPicture<'_> {
    /// The picture: a bar for each column.
    #[must_use]
    pub fn picture(&self) -> Picture {
        let mut pen = Pen::default();
        for (place, column) in self.columns.iter().enumerate() {
            let bar = (("after", column.share), figure::percent(column.share));
            bars::row(&mut pen, place as f64 * bars::height(1), column.name, &[bar]);
        }
        let words = self.columns.iter().map(|one| format!("{}: {}", one.name, figure::percent(one.share)));
        let height = self.columns.len() as f64 * bars::height(1);
        Picture::new("Detail lost, by column", words.collect::<Vec<_>>().join("; "), height, pen)
    }
}
