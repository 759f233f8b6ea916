//! Floor 8: the loop: generations, the run directory, resume.
