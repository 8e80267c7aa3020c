//! Which segments move together so that equations hold.
//!
//! A segment that is moved or stretched changes the sums in which its values stand. Others that stand in the same sums answer:
//! its partners, drawn anew for each step, about as many as there are sums. With two coordinates each they can answer
//! any change of these sums, and share it.

use std::ops::Range;

use crate::random::Stream;
use crate::walk::region::Region;
use crate::walk::stored;

/// Partners beyond one for each equation.
const MORE: usize = 4;

/// The segments of a region by the equations in which they stand.
pub(super) struct Crew {
    pub members: Vec<CrewSegment>,
    /// For each equation the segments whose values stand in it.
    standing: Vec<Vec<u32>>,
    /// For each equation its line in the matrix of the present step.
    line_of: Vec<Option<u32>>,
    lines: Vec<u32>,
}

/// A segment.
pub(super) struct CrewSegment {
    /// Its unknowns.
    pub range: Range<usize>,
    /// The equations in which they stand.
    pub equations: Vec<u32>,
    /// Where they stand there: unknown within the segment, place among its equations, factor; by unknown.
    pub terms: Vec<(u32, u32, f64)>,
    /// Where the terms of each unknown begin.
    begins: Vec<usize>,
    /// Whether some equation is about this segment alone.
    pub has_own: bool,
}

impl CrewSegment {
    /// The terms of some unknowns.
    pub(super) fn terms_of(&self, places: Range<usize>) -> &[(u32, u32, f64)] {
        &self.terms[self.begins[places.start]..self.begins[places.end]]
    }
}

impl Crew {
    pub(super) fn new(region: &Region) -> Self {
        let ranges = region.offsets().zip(&region.blocks).map(|(offset, block)| offset..offset + block.data.len());
        let of_range =
            |range| CrewSegment { range, equations: Vec::new(), terms: Vec::new(), begins: Vec::new(), has_own: false };
        let mut members: Vec<CrewSegment> = ranges.map(of_range).collect();
        let segment_of: Vec<u32> =
            (0..).zip(&members).flat_map(|(place, one)| one.range.clone().map(move |_| place)).collect();
        let mut standing = vec![Vec::new(); region.equations.len()];
        for (number, equation) in (0_u32..).zip(&region.equations) {
            for &(unknown, factor) in equation.terms.iter().filter(|(_, factor)| *factor != 0.0) {
                let Some(&place) = segment_of.get(unknown as usize) else { continue };
                let member = &mut members[place as usize];
                if member.equations.last() != Some(&number) {
                    member.equations.push(number);
                    standing[number as usize].push(place);
                }
                let own = unknown - stored(member.range.start);
                member.terms.push((own, stored(member.equations.len() - 1), factor));
            }
        }
        for member in &mut members {
            member.terms.sort_by_key(|term| term.0);
            let before = |place: usize| member.terms.partition_point(|term| (term.0 as usize) < place);
            member.begins = (0..=member.range.len()).map(before).collect();
            member.has_own = member.equations.iter().any(|equation| standing[*equation as usize].len() == 1);
        }
        let line_of = vec![None; standing.len()];
        Self { members, standing, line_of, lines: Vec::new() }
    }

    /// The most equations in which a segment stands.
    pub(super) fn most_equations(&self) -> usize {
        self.members.iter().map(|member| member.equations.len()).max().unwrap_or(0)
    }

    /// Draws the partners of a segment.
    pub(super) fn draw(&self, lead: usize, partners: &mut Vec<usize>, stream: &mut Stream) {
        partners.clear();
        let equations = &self.members[lead].equations;
        let mut take = |equation: u32, stream: &mut Stream| {
            let standing = &self.standing[equation as usize];
            let own = standing.partition_point(|segment| (*segment as usize) < lead);
            let ahead = 1 + stream.below(standing.len().saturating_sub(1));
            let partner = standing[(own + ahead) % standing.len()] as usize;
            if partner != lead && !partners.contains(&partner) {
                partners.push(partner);
            }
        };
        for equation in equations {
            take(*equation, stream);
        }
        for _ in 0..equations.len() + 2 * MORE {
            if let Some(equation) = equations.get(stream.below(equations.len())) {
                take(*equation, stream);
            }
        }
        partners.truncate(equations.len() + MORE);
    }

    /// Numbers the equations of some segments; how many there are.
    pub(super) fn number_lines(&mut self, segments: impl Iterator<Item = usize>) -> usize {
        self.lines.drain(..).for_each(|equation| self.line_of[equation as usize] = None);
        for segment in segments {
            for &equation in &self.members[segment].equations {
                if self.line_of[equation as usize].is_none() {
                    self.line_of[equation as usize] = u32::try_from(self.lines.len()).ok();
                    self.lines.push(equation);
                }
            }
        }
        self.lines.len()
    }

    /// The lines of the equations of a segment that was numbered.
    pub(super) fn lines_of(&self, segment: usize) -> impl Iterator<Item = usize> {
        self.members[segment].equations.iter().map(|equation| self.line_of[*equation as usize].unwrap_or(0) as usize)
    }
}
