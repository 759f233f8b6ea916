//! Floor 4: the tree: Gumbel root and PUCT, the exact solver, the cache of evaluations.
