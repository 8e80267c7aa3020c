//! A finished picture, for a page or as a file of its own.

use maud::{Markup, PreEscaped, html};

use super::{Pen, markup};

/// How wide a picture of a report is: as wide as a telephone shows without shrinking.
pub const WIDTH: f64 = 344.0;

/// Colours and type, light and dark, for the head of a page.
pub const COLOURS: &str = include_str!("colours.css");

/// The look of pictures, for the head of a page; needs [`COLOURS`].
pub const STYLE: &str = include_str!("picture.css");

/// What plots have beyond that: series, axes, the marks of a map; needs [`STYLE`].
pub const PLOT: &str = include_str!("plot.css");

/// Marks with their title and what they show in words.
#[derive(Debug)]
pub struct Picture {
    class: &'static str,
    title: String,
    words: String,
    size: (f64, f64),
    body: String,
}

impl Picture {
    /// A picture of the usual width; `words` tell what it shows.
    #[must_use]
    pub fn new(title: impl Into<String>, words: impl Into<String>, height: f64, pen: Pen) -> Self {
        let (title, words) = (title.into(), words.into());
        Self { class: "picture", title, words, size: (WIDTH, height), body: pen.body }
    }

    /// A plot of another size, which needs [`PLOT`].
    #[must_use]
    pub fn plot(title: impl Into<String>, words: impl Into<String>, (width, height): (f64, f64), pen: Pen) -> Self {
        let size = (width.round(), height.round());
        Self { class: "picture plot", size, ..Self::new(title, words, height, pen) }
    }

    /// The same with another class, for a look of its own.
    #[must_use]
    pub fn of_class(self, class: &'static str) -> Self {
        Self { class, ..self }
    }

    /// What it is called.
    #[must_use]
    pub fn title(&self) -> &str {
        &self.title
    }

    /// What it shows, in words.
    #[must_use]
    pub fn words(&self) -> &str {
        &self.words
    }

    /// The picture within a page that is [written](markup::written) as a whole.
    #[must_use]
    pub fn markup(&self) -> Markup {
        let (width, height) = self.size;
        html! {
            svg class=(self.class) role="img" viewBox={ "0 0 " (width) " " (height) } width=(width) height=(height) { (self.inside()) }
        }
    }

    /// The picture within any page that has its style.
    #[must_use]
    pub fn svg(&self) -> String {
        markup::written(&self.markup())
    }

    /// The picture as a file of its own, light and dark.
    #[must_use]
    pub fn file(&self) -> String {
        let (width, height) = self.size;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"{}\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
             height=\"{height}\" role=\"img\">\n<style>\n{}</style>\n<rect class=\"paper\" width=\"100%\" \
             height=\"100%\"/>\n{}</svg>\n",
            self.class,
            style_of_file(),
            markup::written(&self.inside())
        )
    }

    fn inside(&self) -> Markup {
        html! { title { (self.title) } desc { (self.words) } (PreEscaped(&self.body)) }
    }
}

/// The style of a file: colours stand in it as values, since many programs that show pictures know no variables.
fn style_of_file() -> String {
    let sheet = format!("{STYLE}{PLOT}.picture {{ width: auto; min-width: 0; max-width: none; }}\n");
    let (light, dark) = COLOURS.split_once("@media").unwrap_or((COLOURS, ""));
    let dark: String = sheet.lines().filter_map(|rule| in_dark(rule, dark)).collect();
    format!("{}@media (prefers-color-scheme: dark) {{\n{dark}}}\n", with_values(&sheet, light))
}

/// What a rule is when it is dark: its colours alone, so that nothing else of it comes again behind later rules.
fn in_dark(rule: &str, dark: &str) -> Option<String> {
    let (selector, body) = rule.strip_suffix(" }")?.split_once(" { ")?;
    let values = body.trim_end_matches(';').split("; ").map(|value| (value, with_values(value, dark)));
    let coloured: Vec<String> = values.filter(|(value, dark)| value != dark).map(|(_, dark)| dark).collect();
    (!coloured.is_empty()).then(|| format!("{selector} {{ {}; }}\n", coloured.join("; ")))
}

/// The sheet with the values of these variables in their places.
fn with_values(sheet: &str, colours: &str) -> String {
    let values = colours.lines().filter_map(|line| line.trim().strip_prefix("--")?.strip_suffix(';')?.split_once(": "));
    values.fold(sheet.to_owned(), |sheet, (name, value)| sheet.replace(&format!("var(--{name})"), value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_brings_its_style_and_a_page_does_not() {
        let picture = Picture::new("<t>", "a & b", 20.0, Pen::default());
        let file = picture.file();
        assert!(file.contains("prefers-color-scheme: dark") && file.contains("<title>&lt;t&gt;"));
        assert!(!file.contains("var(") && file.contains("fill: #1c5d69") && file.contains("fill: #7fc3ce"), "{file}");
        let dark = file.split("@media").last().and_then(|dark| dark.split("</style>").next()).unwrap();
        assert!(dark.contains(".picture text { fill: #e4e7e5; }") && !dark.contains("width"), "{dark}");
        let inline = picture.svg();
        assert!(inline.starts_with("<svg class=\"picture\" role=\"img\" viewBox=\"0 0 344 20\""));
        assert!(inline.contains("<desc>a &amp; b</desc>") && !inline.contains("<style"));
    }
}
