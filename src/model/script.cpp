// What tch has no names for of TorchScript: modules whose weights are constants, which libtorch can fuse.
#include <sstream>
#include <string>

#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/serialization/import.h>

namespace {

struct Answer {
    bool done;
    std::string bytes;
};

} // namespace

// The file of a module as that of the same in evaluation mode, with weights of 16 bits if so asked, as constants: the bytes
// of `answer`; or what libtorch says against it. The answer is to be freed.
extern "C" Answer* maydan_freeze(const char* content, size_t length, bool bf16) noexcept {
    try {
        try {
            std::istringstream in(std::string(content, length));
            torch::jit::Module module = torch::jit::load(in, at::kCPU);
            module.eval();
            if (bf16) {
                module.to(at::kBFloat16);
            }
            std::ostringstream out;
            torch::jit::freeze(module).save(out);
            return new Answer{true, std::move(out).str()};
        } catch (const std::exception& error) {
            return new Answer{false, error.what()};
        }
    } catch (...) {
        return nullptr;
    }
}

extern "C" bool maydan_answer(const Answer* answer, const char** bytes, size_t* length) noexcept {
    *bytes = answer->bytes.data();
    *length = answer->bytes.size();
    return answer->done;
}

extern "C" void maydan_free(Answer* answer) noexcept { delete answer; }
