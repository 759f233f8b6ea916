// What oneDNN does within libtorch and tch has no names for: fusion of traced graphs, and convolutions of 8-bit numbers.
#include <ATen/ATen.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/csrc/jit/codegen/onednn/interface.h>

namespace {

using at::Tensor;
using torch::jit::Stack;

c10::List<int64_t> both(int64_t number) { return c10::List<int64_t>({number, number}); }

Tensor call(const char* name, const char* overload, Stack stack) {
    c10::Dispatcher::singleton().findSchemaOrThrow(name, overload).callBoxed(&stack);
    return stack.front().toTensor();
}

template <class F> Tensor* answer(F f) noexcept {
    try {
        return new Tensor(f());
    } catch (...) {
        return nullptr;
    }
}

} // namespace

// Whether graphs that libtorch compiles from now on are fused. False from a libtorch that was built without oneDNN.
extern "C" bool maydan_set_fusion(bool fused) noexcept {
    try {
        torch::jit::RegisterLlgaFuseGraph::setEnabled(fused);
        return true;
    } catch (...) {
        return false;
    }
}

// Kernels of 8 bits laid out for convolutions of `input`-shaped numbers, each of which stands for `step`; null on failure.
extern "C" Tensor* maydan_pack(const Tensor* kernels, const Tensor* kernel_steps, double step, const Tensor* input) noexcept {
    return answer([&] {
        const int64_t padding = kernels->size(2) / 2, none = 0, groups = 1;
        return call("onednn::qconv_prepack", "",
                    {*kernels, *kernel_steps, step, none, both(1), both(padding), both(1), groups,
                     c10::List<int64_t>(input->sizes().vec())});
    });
}

// relu(convolution(input) + bias [+ sum]) in 8 bits; null on failure. `sum`, where it is not null, is written over and is the answer.
extern "C" Tensor* maydan_convolve(const Tensor* input, double input_step, const Tensor* packed, const Tensor* kernel_steps,
                                   const Tensor* kernel_zeros, const Tensor* bias, int64_t padding, double step,
                                   const Tensor* sum, double sum_step, int64_t sum_zero) noexcept {
    return answer([&] {
        const int64_t none = 0, groups = 1, bytes = static_cast<int64_t>(at::kByte);
        const c10::List<std::optional<at::Scalar>> no_scalars;
        if (sum == nullptr) {
            return call("onednn::qconv2d_pointwise", "",
                        {*input, input_step, none, *packed, *kernel_steps, *kernel_zeros, *bias, both(1), both(padding),
                         both(1), groups, step, none, bytes, "relu", no_scalars, ""});
        }
        return call("onednn::qconv2d_pointwise", "binary",
                    {*input, input_step, none, *packed, *kernel_steps, *kernel_zeros, *sum, *bias, both(1), both(padding),
                     both(1), groups, step, none, bytes, sum_step, sum_zero, "sum", 1.0, "relu", no_scalars, ""});
    });
}
