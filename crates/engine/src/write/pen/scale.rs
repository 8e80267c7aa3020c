//! An axis of a plot: which values it shows, and where each of them stands on the page.

/// Values from `low` to `high` between two edges of the page.
#[derive(Debug, Clone, Copy)]
pub struct Scale {
    /// The value at the first edge.
    pub low: f64,
    /// The value at the second edge.
    pub high: f64,
    /// The first edge.
    pub from: f64,
    /// The second edge.
    pub to: f64,
}

impl Scale {
    /// From the least to the most between two edges.
    #[must_use]
    pub fn new((low, high): (f64, f64), (from, to): (f64, f64)) -> Self {
        Self { low, high, from, to }
    }

    /// Around these values, with some room. It begins at 0 unless they are all far from there.
    pub fn around(values: impl Iterator<Item = f64> + Clone, (from, to): (f64, f64)) -> Self {
        let values = values.filter(|value| value.is_finite());
        let (least, most) = (values.clone().fold(f64::INFINITY, f64::min), values.fold(0.0, f64::max));
        let room = (most - least).max(most * 0.02) * 0.08;
        let is_far = least.is_finite() && least > most / 3.0;
        Self { low: if is_far { (least - room).max(0.0) } else { 0.0 }, high: most + room, from, to }
    }

    /// Where a value stands; what is no number stands at the first edge.
    #[must_use]
    pub fn place(&self, value: f64) -> f64 {
        let span = self.high - self.low;
        let share = if span > 0.0 && value.is_finite() { (value - self.low) / span } else { 0.0 };
        self.from + (self.to - self.from) * share.clamp(0.0, 1.0)
    }

    /// A few round values.
    #[must_use]
    pub fn ticks(&self) -> Vec<f64> {
        let step = ticks(self.high - self.low).get(1).copied().filter(|step| *step > 0.0).unwrap_or(1.0);
        let first = (self.low / step).ceil();
        (0_u8..8).map(|place| (first + f64::from(place)) * step).take_while(|value| *value <= self.high).collect()
    }

    /// The same with what is written beside them.
    pub fn labelled(&self, written: impl Fn(f64) -> String) -> Vec<(f64, String)> {
        self.ticks().into_iter().map(|value| (value, written(value))).collect()
    }
}

/// Up to six round values from 0 to the most.
#[must_use]
pub fn ticks(most: f64) -> Vec<f64> {
    if !most.is_finite() || most <= 0.0 {
        return vec![0.0];
    }
    let unit = 10_f64.powf((most / 5.0).log10().floor());
    let step = [1.0, 2.0, 2.5, 5.0, 10.0].map(|part| part * unit).into_iter().find(|step| most / step <= 5.0);
    let step = step.unwrap_or(most);
    (0_u8..=6).map(|place| f64::from(place) * step).take_while(|value| *value <= most * 1.0001).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scale_begins_at_nothing_unless_all_is_far_from_there() {
        let near = Scale::around([0.1, 1.0].into_iter(), (10.0, 110.0));
        assert!(near.low.abs() < 1e-9 && near.high > 1.0 && near.place(0.0) < 10.1, "{near:?}");
        let far = Scale::around([0.9, 1.0].into_iter(), (110.0, 10.0));
        assert!(far.low > 0.8 && far.place(1.0) < far.place(0.9), "{far:?}");
        assert!(far.ticks().iter().all(|tick| (far.low..=far.high).contains(tick)) && far.ticks().len() > 2, "{far:?}");
    }

    #[test]
    fn what_is_no_number_stays_on_the_page() {
        for values in [&[][..], &[0.0], &[f64::NAN, f64::INFINITY], &[f64::NAN, 3.0]] {
            let scale = Scale::around(values.iter().copied(), (5.0, 50.0));
            for value in [f64::NAN, f64::NEG_INFINITY, -1.0, 1e300] {
                assert!((5.0..=50.0).contains(&scale.place(value)), "{scale:?} {value}");
            }
            assert!(!scale.ticks().is_empty(), "{scale:?}");
        }
    }

    #[test]
    fn scales_have_few_round_values() {
        assert_eq!(ticks(1.0), [0.0, 0.2, 0.4, 0.6, 0.8, 1.0].map(|tick: f64| (tick * 5.0).round() * 0.2));
        assert_eq!(ticks(135.0), [0.0, 50.0, 100.0]);
        for odd in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert_eq!(ticks(odd), [0.0]);
        }
        for most in [1e-9, 0.3, 7.0, 1234.5, 1e12] {
            assert!((2..=7).contains(&ticks(most).len()), "{most}");
        }
    }
}
