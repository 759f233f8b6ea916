//! What arithmetic the processor has instructions for, as far as oneDNN may use them.

use std::env;

/// The variable with which a user keeps oneDNN from instructions, and its former name.
const MOST: [&str; 2] = ["ONEDNN_MAX_CPU_ISA", "DNNL_MAX_CPU_ISA"];

/// Sets of instructions that have none of 512 bits, by oneDNN's names; from the fourth on they sum 8-bit products.
const NARROW: [&str; 5] = ["SSE41", "AVX", "AVX2", "AVX2_VNNI", "AVX2_VNNI_2"];

/// Products of 16-bit numbers (bfloat16).
#[cfg(target_arch = "x86_64")]
pub(crate) fn has_bf16() -> bool {
    let without = [&NARROW[..], &["AVX512_CORE", "AVX512_CORE_VNNI"]].concat();
    std::arch::is_x86_feature_detected!("avx512bf16") && !is_kept_to(&without)
}

/// The instructions with which what is fused in 32 bits gives a row the same bits at every place of a batch. With AVX2
/// alone the last bit depends on the place.
#[cfg(target_arch = "x86_64")]
pub(crate) fn has_avx512() -> bool {
    std::arch::is_x86_feature_detected!("avx512f") && !is_kept_to(&NARROW)
}

/// Products of 8-bit numbers summed up in 32 bits. Older instructions sum them up in 16, where they overflow.
#[cfg(target_arch = "x86_64")]
pub(crate) fn has_int8() -> bool {
    let there = std::arch::is_x86_feature_detected!("avx512vnni") || std::arch::is_x86_feature_detected!("avxvnni");
    there && !is_kept_to(&["SSE41", "AVX", "AVX2", "AVX512_CORE"])
}

/// Whether oneDNN is kept to one of these sets of instructions.
#[cfg(target_arch = "x86_64")]
fn is_kept_to(sets: &[&str]) -> bool {
    let most = MOST.iter().find_map(|name| env::var(name).ok());
    most.is_some_and(|most| sets.iter().any(|set| most.eq_ignore_ascii_case(set)))
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
