//! What hangs together: members of two sides, joined pair by pair.

/// Members of two sides and what they were joined to.
pub(super) struct Links {
    sizes: [usize; 2],
    /// For each member another one that it hangs on, or itself.
    above: Vec<usize>,
}

impl Links {
    pub fn new(sizes: [usize; 2]) -> Self {
        Self { sizes, above: (0..sizes[0] + sizes[1]).collect() }
    }

    /// Joins a member of the first side to one of the second.
    pub fn join(&mut self, first: u32, second: u32) {
        let (one, other) = (self.top(first as usize), self.top(self.sizes[0] + second as usize));
        if let Some(above) = self.above.get_mut(one.max(other)) {
            *above = one.min(other);
        }
    }

    fn top(&mut self, member: usize) -> usize {
        let mut at = member;
        while let Some(above) = self.above.get(at).copied().filter(|above| *above != at) {
            let next = self.above.get(above).copied().unwrap_or(above);
            if let Some(shorter) = self.above.get_mut(at) {
                *shorter = next;
            }
            at = above;
        }
        at
    }

    /// For each member of either side the number of what it hangs together with.
    pub fn parts(mut self) -> [Vec<u32>; 2] {
        let mut numbers = vec![None; self.above.len()];
        let mut next = 0;
        let mut all: Vec<u32> = Vec::with_capacity(self.above.len());
        for member in 0..self.above.len() {
            let top = self.top(member);
            let number = numbers.get_mut(top).map_or(u32::MAX, |number| {
                *number.get_or_insert_with(|| {
                    next += 1;
                    next - 1
                })
            });
            all.push(number);
        }
        let second = all.split_off(self.sizes[0].min(all.len()));
        [all, second]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_joined_over_others_hangs_together() {
        let mut joined = Links::new([3, 3]);
        for (first, second) in [(0, 2), (1, 2), (1, 0)] {
            joined.join(first, second);
        }
        assert_eq!(joined.parts(), [vec![0, 0, 1], vec![0, 2, 0]]);
    }
}
