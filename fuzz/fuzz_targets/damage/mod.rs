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

/// Bytes before the footer of a file of games: eight of a mark, then the checksums of what is before and behind.
#[allow(dead_code, reason = "bundles have no seal")]
const SEAL: usize = 16;

/// Computes the checksums anew; whether the file still has a place for them.
#[allow(dead_code, reason = "bundles have no seal")]
pub fn sealed(bytes: &mut [u8]) -> bool {
    let Some(trailer) = bytes.len().checked_sub(8) else { return false };
    let length = u32::from_le_bytes([bytes[trailer], bytes[trailer + 1], bytes[trailer + 2], bytes[trailer + 3]]);
    let Some(footer) = trailer.checked_sub(length as usize).filter(|&footer| footer >= SEAL) else { return false };
    let seal = footer - SEAL;
    let (before, after) = (crc32fast::hash(&bytes[..seal]), crc32fast::hash(&bytes[footer..]));
    bytes[seal..seal + 8].copy_from_slice(b"maydan\x00\x01");
    bytes[seal + 8..seal + 12].copy_from_slice(&before.to_le_bytes());
    bytes[seal + 12..footer].copy_from_slice(&after.to_le_bytes());
    true
}
