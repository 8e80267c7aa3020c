//! A finished drawing, for a page or as a file of its own.

use super::pen::Pen;
use crate::write::reports::html::Html;

/// How wide every picture is: as wide as a telephone shows without shrinking.
pub const WIDTH: f64 = 344.0;

/// Colours and type, light and dark, for the head of a page.
pub const COLOURS: &str = include_str!("colours.css");

/// The look of pictures, for the head of a page; needs [`COLOURS`].
pub const STYLE: &str = include_str!("style.css");

/// A drawing with its title and what it shows in words.
#[derive(Debug)]
pub struct Picture {
    title: String,
    words: String,
    width: f64,
    height: f64,
    body: Html,
}

impl Picture {
    /// A picture of the usual width; `words` tell what it shows.
    #[must_use]
    pub fn new(title: impl Into<String>, words: impl Into<String>, height: f64, pen: Pen) -> Self {
        Self::sized(title, words, (WIDTH, height), pen)
    }

    /// A picture of another width.
    #[must_use]
    pub fn sized(title: impl Into<String>, words: impl Into<String>, (width, height): (f64, f64), pen: Pen) -> Self {
        Self { title: title.into(), words: words.into(), width, height, body: pen.finish() }
    }

    /// What it shows, in words.
    #[must_use]
    pub fn words(&self) -> &str {
        &self.words
    }

    /// The drawing within a page that has [`COLOURS`] and [`STYLE`].
    #[must_use]
    pub fn svg(&self) -> String {
        let mut html = Html::default();
        self.draw(&mut html);
        html.finish()
    }

    /// The drawing as a file of its own, light and dark.
    #[must_use]
    pub fn file(&self) -> String {
        let (width, height) = (self.width, self.height);
        let mut inside = Html::default();
        inside.leaf("title", &[], &self.title);
        inside.leaf("desc", &[], &self.words);
        inside.append(&self.body);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"picture\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
             height=\"{height}\" role=\"img\">\n<style>\n{COLOURS}{STYLE}.picture {{ width: auto; max-width: none; \
             background: var(--paper); }}\n</style>\n{}</svg>\n",
            inside.finish()
        )
    }

    /// Puts the drawing into a page.
    pub(in crate::write::reports) fn draw(&self, html: &mut Html) {
        let view = format!("0 0 {} {}", self.width, self.height);
        let (width, height) = (self.width.to_string(), self.height.to_string());
        let frame = [("class", "picture"), ("role", "img"), ("viewBox", &view), ("width", &width), ("height", &height)];
        html.element("svg", &frame, |html| {
            html.leaf("title", &[], &self.title);
            html.leaf("desc", &[], &self.words);
            html.append(&self.body);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_brings_its_style_and_a_page_does_not() {
        let picture = Picture::new("<t>", "a & b", 20.0, Pen::default());
        assert!(picture.file().contains("prefers-color-scheme: dark") && picture.file().contains("<title>&lt;t&gt;"));
        let inline = picture.svg();
        assert!(inline.starts_with("<svg class=\"picture\" role=\"img\" viewBox=\"0 0 344 20\""));
        assert!(inline.contains("<desc>a &amp; b</desc>") && !inline.contains("<style"));
    }
}
