//! Policy logits of a batch, as the evaluator's arithmetic left them: most of them belong to illegal actions and are
//! never looked at, so none is moved or converted before someone asks for it.

/// Logits over the whole action space, `[B, A]`; illegal actions are not masked.
#[derive(Clone, Debug, PartialEq)]
pub struct Logits {
    /// The numbers, one of these two: of 32 bits, or the upper halves of such.
    f32s: Vec<f32>,
    bf16s: Vec<i16>,
    /// Numbers from one row to the next.
    row: usize,
    /// Size A of the action space.
    actions: usize,
    /// Actions are numbered by plane and square; squares of a plane.
    squares: usize,
    /// Numbers from one square to the next, and from one plane to the next.
    steps: [usize; 2],
}

impl Default for Logits {
    fn default() -> Self {
        Logits { f32s: Vec::new(), bf16s: Vec::new(), row: 0, actions: 0, squares: 1, steps: [1, 1] }
    }
}

impl Logits {
    /// Size A of the action space.
    pub fn actions(&self) -> usize {
        self.actions
    }

    /// Number of rows B.
    pub fn rows(&self) -> usize {
        (self.f32s.len() + self.bf16s.len()).checked_div(self.row).unwrap_or(0)
    }

    /// The logit of an action by its index.
    ///
    /// # Panics
    /// When there is no such row or action.
    #[inline]
    pub fn get(&self, row: usize, action: usize) -> f32 {
        assert!(action < self.actions, "an index of the action space");
        let place = action % self.squares * self.steps[0] + action / self.squares * self.steps[1];
        self.number(row * self.row + place)
    }

    /// All logits of a row, `[A]`.
    pub fn to_vec(&self, row: usize) -> Vec<f32> {
        (0..self.actions).map(|action| self.get(row, action)).collect()
    }

    /// Forgets everything and takes logits in the order of the actions, `[B, A]`.
    pub fn in_order(&mut self, actions: usize) -> &mut Vec<f32> {
        self.clear(actions, actions, actions.max(1), [1, actions]);
        &mut self.f32s
    }

    /// Forgets everything and takes rows of `row` numbers, of 32 bits or of 16, that begin with logits by square and
    /// then by plane, `[B, H, W, P]`.
    #[cfg(feature = "torch")]
    pub(super) fn by_square(&mut self, row: usize, squares: usize, planes: usize) -> (&mut Vec<f32>, &mut Vec<i16>) {
        self.clear(row, squares * planes, squares, [planes, 1]);
        (&mut self.f32s, &mut self.bf16s)
    }

    /// Number `at` of a row as it was taken, whatever it stands for.
    #[cfg(feature = "torch")]
    pub(super) fn raw(&self, row: usize, at: usize) -> f32 {
        self.number(row * self.row + at)
    }

    #[inline]
    fn number(&self, at: usize) -> f32 {
        match self.bf16s.get(at) {
            Some(&half) => f32::from_bits(u32::from(half as u16) << 16),
            None => self.f32s[at],
        }
    }

    fn clear(&mut self, row: usize, actions: usize, squares: usize, steps: [usize; 2]) {
        self.f32s.clear();
        self.bf16s.clear();
        (self.row, self.actions, self.squares, self.steps) = (row, actions, squares, steps);
    }
}
