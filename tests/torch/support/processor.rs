//! What the processor of this machine can do.

/// Whether what is fused in 32 bits rounds alike at every place of a batch; without it `auto` leaves that out.
#[cfg(target_arch = "x86_64")]
pub fn has_avx512() -> bool {
    std::arch::is_x86_feature_detected!("avx512f")
}

#[cfg(not(target_arch = "x86_64"))]
pub fn has_avx512() -> bool {
    false
}
