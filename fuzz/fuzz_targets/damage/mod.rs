//! A whole file made wrong in places. From bytes alone a fuzzer would never get past the checksums of a file.

/// `whole` with some bytes replaced: each four bytes of `edits` are a place and the new byte. A single byte at the end
/// cuts the file short.
pub fn damaged(whole: &[u8], edits: &[u8]) -> Vec<u8> {
    let mut bytes = whole.to_vec();
    let edits = edits.chunks_exact(4);
    let cut = edits.remainder();
    for edit in edits {
        let place = u32::from_le_bytes([edit[0], edit[1], edit[2], 0]) as usize;
        bytes[place % whole.len()] = edit[3];
    }
    if let &[kept] = cut {
        bytes.truncate(whole.len() * usize::from(kept) / 256);
    }
    bytes
}
