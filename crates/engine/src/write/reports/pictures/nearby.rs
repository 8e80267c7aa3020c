//! A release among its neighbours: risk from left to right, loss from bottom to top, so that better is down and to the left.
//!
//! The full dot is the release; rings are its neighbours, and a line leads through those that none beats in both. Each has the
//! number under which a table beside the picture tells what it is. Places that touch share their numbers.

use equanym_core::options::front;

use crate::words::figure;
use crate::write::pen::{Anchor, Panel, Pen, Picture, Scale, WIDTH};

/// Releases to draw; the first is the one that was made.
#[derive(Debug, Clone, Default)]
pub struct NearbyPicture {
    /// Where each stands.
    pub places: Vec<NearbyPlace>,
}

/// Where a release stands.
#[derive(Debug, Clone, Copy)]
pub struct NearbyPlace {
    /// Its risk, 0 to 1.
    pub risk: f64,
    /// Its loss, 0 to 1.
    pub loss: f64,
}

/// The area of the plot: its edges on the page.
const LEFT: f64 = 46.0;
const RIGHT: f64 = WIDTH - 16.0;
const TOP: f64 = 24.0;
const BOTTOM: f64 = 202.0;
const HEIGHT: f64 = 238.0;

/// Marks that are nearer than this would touch.
const APART: f64 = 12.0;

impl NearbyPicture {
    /// The picture.
    #[must_use]
    pub fn picture(&self) -> Picture {
        let panel = Panel {
            x: Scale::around(self.places.iter().map(|place| place.risk), (LEFT, RIGHT)),
            y: Scale::around(self.places.iter().map(|place| place.loss), (BOTTOM, TOP)),
        };
        let mut pen = Pen::default();
        panel.grid(&mut pen, &panel.x.labelled(figure::percent), &panel.y.labelled(figure::percent));
        pen.text("small", (panel.middle().0, BOTTOM + 32.0), Anchor::Middle, "mean risk of recognition →");
        pen.text("small", (0.0, 11.0), Anchor::Start, "↑ detail lost");
        let at = |place: &NearbyPlace| panel.place((place.risk, place.loss));
        let best: Vec<usize> = front(&self.places.iter().map(|one| Some((one.risk, one.loss))).collect::<Vec<_>>());
        let line: Vec<(f64, f64)> = best.iter().filter_map(|place| self.places.get(*place)).map(at).collect();
        if line.len() > 1 {
            pen.path("front", &line);
        }
        for place in self.places.iter().skip(1) {
            pen.dot("ring near", at(place), 4.5);
        }
        if let Some(own) = self.places.first() {
            pen.dot("after", at(own), 6.0);
        }
        for ((x, y), numbers) in self.together(at) {
            let own = numbers.first() == Some(&1);
            let (x, anchor) = if x > RIGHT - 40.0 { (x - 9.0, Anchor::End) } else { (x + 9.0, Anchor::Start) };
            let words = numbers.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
            pen.text(if own { "small strong after" } else { "small" }, (x, y - 5.0), anchor, &words);
        }
        Picture::new("The release among its neighbours, by risk and loss", self.words(&best), HEIGHT, pen)
    }

    /// The numbers at each place of the page.
    fn together(&self, at: impl Fn(&NearbyPlace) -> (f64, f64)) -> Vec<((f64, f64), Vec<usize>)> {
        let mut together: Vec<((f64, f64), Vec<usize>)> = Vec::new();
        for (number, place) in (1..).zip(&self.places) {
            let (x, y) = at(place);
            let is_near = |(other, _): &&mut ((f64, f64), Vec<usize>)| (x - other.0).hypot(y - other.1) < APART;
            match together.iter_mut().find(is_near) {
                Some((_, numbers)) => numbers.push(number),
                None => together.push(((x, y), vec![number])),
            }
        }
        together
    }

    fn words(&self, best: &[usize]) -> String {
        let told = (1..).zip(&self.places).map(|(number, place): (usize, &NearbyPlace)| {
            let own = if number == 1 { "the release" } else { "neighbour" };
            let stands = if best.contains(&(number - 1)) { ", beaten by none" } else { "" };
            let (risk, loss) = (figure::percent(place.risk), figure::percent(place.loss));
            format!("{number}, {own}: risk {risk}, loss {loss}{stands}")
        });
        told.collect::<Vec<_>>().join("; ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_release_is_marked_and_neighbours_have_numbers() {
        let place = |risk, loss| NearbyPlace { risk, loss };
        let drawn = NearbyPicture { places: vec![place(0.1, 0.4), place(0.2, 0.2), place(0.1, 0.4), place(0.2, 0.9)] };
        let svg = drawn.picture().svg();
        assert!(svg.contains("1, the release: risk 10%, loss 40%, beaten by none"), "{svg}");
        assert!(svg.contains(">1, 3<") && svg.contains(">2<") && svg.contains(">4<") && svg.contains("front"), "{svg}");
        assert!(svg.contains("4, neighbour: risk 20%, loss 90%<"), "{svg}");
    }

    #[test]
    fn odd_numbers_stay_on_the_page() {
        for (risk, loss) in [(0.0, 0.0), (f64::NAN, f64::INFINITY), (1.0, 5.0)] {
            assert!(NearbyPicture { places: vec![NearbyPlace { risk, loss }] }.picture().svg().contains("the release"));
        }
        assert!(NearbyPicture::default().picture().svg().contains("role=\"img\""));
    }
}
