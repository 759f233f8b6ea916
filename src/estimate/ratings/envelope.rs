//! Sparse symmetric systems of equations, by Cholesky's decomposition within the envelope of the matrix (Jennings,
//! Computer Journal 9, 1966): each row is kept from its first entry on, and the factor has no entry before it.

/// A symmetric positive definite matrix; the lower triangle is kept.
#[derive(Clone, Debug)]
pub(super) struct Envelope {
    /// Column of each row's first entry.
    first: Vec<usize>,
    /// From there to the diagonal.
    rows: Vec<Vec<f64>>,
}

impl Envelope {
    /// A matrix of zeros with room for these entries, each the row and the column.
    pub(super) fn new(size: usize, entries: impl Iterator<Item = (usize, usize)>) -> Self {
        let mut first: Vec<usize> = (0..size).collect();
        for (i, j) in entries {
            let (row, column) = (i.max(j), i.min(j));
            first[row] = first[row].min(column);
        }
        let rows = first.iter().enumerate().map(|(row, &first)| vec![0.0; row - first + 1]).collect();
        Envelope { first, rows }
    }

    pub(super) fn clear(&mut self) {
        self.rows.iter_mut().for_each(|row| row.fill(0.0));
    }

    /// Adds to an entry that there is room for, and to its mirror image.
    pub(super) fn add(&mut self, i: usize, j: usize, value: f64) {
        let (row, column) = (i.max(j), i.min(j));
        self.rows[row][column - self.first[row]] += value;
    }

    /// Puts the factor in the place of the matrix.
    pub(super) fn factor(&mut self) {
        for i in 0..self.rows.len() {
            let (above, rest) = self.rows.split_at_mut(i);
            let (row, start) = (&mut rest[0], self.first[i]);
            for j in start..i {
                let from = start.max(self.first[j]);
                let (own, other) = (&row[from - start..j - start], &above[j][from - self.first[j]..j - self.first[j]]);
                let sum: f64 = own.iter().zip(other).map(|(a, b)| a * b).sum();
                row[j - start] = (row[j - start] - sum) / above[j][j - self.first[j]];
            }
            let (diagonal, left) = row.split_last_mut().expect("a row ends with its diagonal");
            *diagonal = (*diagonal - left.iter().map(|entry| entry * entry).sum::<f64>()).max(f64::MIN_POSITIVE).sqrt();
        }
    }

    /// Solves the equations of the [factored](Envelope::factor) matrix in place.
    pub(super) fn solve(&self, values: &mut [f64]) {
        for (i, row) in self.rows.iter().enumerate() {
            let (diagonal, left) = row.split_last().expect("a row ends with its diagonal");
            let sum: f64 = left.iter().zip(&values[self.first[i]..i]).map(|(a, b)| a * b).sum();
            values[i] = (values[i] - sum) / diagonal;
        }
        for (i, row) in self.rows.iter().enumerate().rev() {
            let (diagonal, left) = row.split_last().expect("a row ends with its diagonal");
            values[i] /= diagonal;
            let value = values[i];
            left.iter().zip(&mut values[self.first[i]..i]).for_each(|(a, b)| *b -= a * value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An arrow and a chain: what the matrix does to a vector is undone.
    #[test]
    fn solving_undoes_the_matrix() {
        let entries = [(1, 0), (3, 1), (3, 2), (5, 0), (5, 4)];
        let mut matrix = Envelope::new(6, entries.into_iter());
        let mut full = [[0.0; 6]; 6];
        let values = entries.iter().zip(1..).map(|(&(i, j), k)| (i, j, -1.0 / f64::from(k)));
        for (i, j, value) in values.chain((0..6).map(|i| (i, i, 3.0 + i as f64))) {
            matrix.add(i, j, value);
            full[i][j] = value;
            full[j][i] = value;
        }
        let expected = [1.0, -2.0, 3.0, 0.5, 0.0, 7.0];
        let mut found = full.map(|row| row.iter().zip(&expected).map(|(a, b)| a * b).sum());
        matrix.factor();
        matrix.solve(&mut found);
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-12, "{found} {expected}");
        }
    }
}
