/* Included before every C++ file that cargo compiles (see ../config.toml): says what to do when libtorch is not there. */
#if !__has_include(<torch/version.h>)
#error "libtorch 2.11.0 not found: run `make setup`, or set LIBTORCH to the torch folder of an installed torch 2.11.0 wheel"
#else
#include <torch/version.h>
#if TORCH_VERSION_MAJOR != 2 || TORCH_VERSION_MINOR != 11
#error "libtorch of another version found, 2.11.0 expected: run `make setup`, or set LIBTORCH to the torch folder of an installed torch 2.11.0 wheel"
#endif
#endif
