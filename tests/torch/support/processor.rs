//! What the processor of this machine can do.

/// Whether what is fused in 32 bits rounds alike at every place of a batch; without it `auto` leaves that out.
pub fn has_avx512() -> bool {
    #[cfg(target_arch = "x86_64")]
    return std::arch::is_x86_feature_detected!("avx512f");
    #[cfg(not(target_arch = "x86_64"))]
    false
}
