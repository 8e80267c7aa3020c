//! The root of a function between two places where its signs differ.
//!
//! By Chandrupatla's method: steps of inverse quadratic interpolation where these are safe, and otherwise halves. It never
//! leaves the interval, takes about ten steps where bisection takes fifty, and depends on nothing but the function.
//!
//! Source: Chandrupatla 1997.

/// Some root; one of both ends where the signs do not differ.
pub(super) fn between(low: f64, high: f64, function: impl Fn(f64) -> f64) -> f64 {
    let (mut one, mut other) = (CurvePoint::at(low, &function), CurvePoint::at(high, &function));
    let mut step = 0.5;
    for _ in 0..200 {
        let next = CurvePoint::at(one.place + step * (other.place - one.place), &function);
        let before = if (next.value > 0.0) == (one.value > 0.0) { one } else { std::mem::replace(&mut other, one) };
        one = next;
        let best = if one.value.abs() < other.value.abs() { one } else { other };
        let smallest = 2.0 * f64::EPSILON * best.place.abs() / (other.place - before.place).abs();
        if smallest > 0.5 || best.value == 0.0 || one.place.total_cmp(&other.place).is_eq() {
            return best.place;
        }
        step = interpolated(one, other, before).unwrap_or(0.5).clamp(smallest, 1.0 - smallest);
    }
    one.place
}

#[derive(Clone, Copy)]
struct CurvePoint {
    place: f64,
    value: f64,
}

impl CurvePoint {
    fn at(place: f64, function: &impl Fn(f64) -> f64) -> Self {
        Self { place, value: function(place) }
    }
}

/// Where the parabola through three points has its root, as a share of the way from the first to the second; none where it
/// may lead astray.
fn interpolated(one: CurvePoint, other: CurvePoint, third: CurvePoint) -> Option<f64> {
    let place = (one.place - other.place) / (third.place - other.place);
    let value = (one.value - other.value) / (third.value - other.value);
    let is_safe = value * value < place && (1.0 - value) * (1.0 - value) < 1.0 - place;
    is_safe.then(|| {
        let first = one.value / (other.value - one.value) * third.value / (other.value - third.value);
        let second = (third.place - one.place) / (other.place - one.place) * one.value / (third.value - one.value)
            * other.value
            / (third.value - other.value);
        first + second
    })
}
