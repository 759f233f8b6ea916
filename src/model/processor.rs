//! What arithmetic the processor has instructions for.

/// Products of 16-bit numbers (bfloat16).
#[cfg(target_arch = "x86_64")]
pub(crate) fn has_bf16() -> bool {
    std::arch::is_x86_feature_detected!("avx512bf16")
}

/// The instructions with which what is fused in 32 bits gives a row the same bits at every place of a batch. With AVX2
/// alone the last bit depends on the place.
#[cfg(target_arch = "x86_64")]
pub(crate) fn has_avx512() -> bool {
    std::arch::is_x86_feature_detected!("avx512f")
}

/// Products of 8-bit numbers summed up in 32 bits. Older instructions sum them up in 16, where they overflow.
#[cfg(target_arch = "x86_64")]
pub(crate) fn has_int8() -> bool {
    std::arch::is_x86_feature_detected!("avx512vnni") || std::arch::is_x86_feature_detected!("avxvnni")
}

#[cfg(not(target_arch = "x86_64"))]
pub(crate) fn has_bf16() -> bool {
    false
}

#[cfg(not(target_arch = "x86_64"))]
pub(crate) fn has_avx512() -> bool {
    false
}

#[cfg(not(target_arch = "x86_64"))]
pub(crate) fn has_int8() -> bool {
    false
}
