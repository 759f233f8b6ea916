// The one switch of libtorch that tch does not have: fusion of traced graphs by oneDNN.
#include <torch/csrc/jit/codegen/onednn/interface.h>

extern "C" bool maydan_enable_fusion() noexcept {
    try {
        torch::jit::RegisterLlgaFuseGraph::setEnabled(true);
        return true;
    } catch (...) {
        return false; // A libtorch built without oneDNN.
    }
}
