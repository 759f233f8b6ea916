"""Compares ONNX graphs in onnxruntime with what maydan's evaluators said: python3 onnx_python.py FOLDER, as onnx_runtimes.rs writes it."""

import json
import pathlib
import sys

import numpy
import onnx
import onnxruntime

TOLERANCE = 1e-4
OUTPUTS = ["policy", "value", "moves_left"]

# Largest difference by runtime and output.
largest = {}
networks = sorted(path for path in pathlib.Path(sys.argv[1]).iterdir())
assert networks
for network in networks:
    model = onnx.load(network / "model.onnx")
    onnx.checker.check_model(model, full_check=True)
    properties = {prop.key: prop.value for prop in model.metadata_props}
    assert network.name.startswith(properties["maydan.game"]), properties
    session = onnxruntime.InferenceSession(network / "model.onnx", providers=["CPUExecutionProvider"])
    assert [output.name for output in session.get_outputs()] == OUTPUTS
    shape = json.loads((network / "shape.json").read_text())
    planes = numpy.fromfile(network / "planes", "<f4").reshape(shape)
    whole = session.run(OUTPUTS, {"planes": planes})
    for i, name in enumerate(OUTPUTS):
        found = whole[i]
        assert found.shape[0] == shape[0] and found.ndim == (1 if name == "moves_left" else 2), (name, found.shape)
        one = session.run([name], {"planes": planes[:1]})[0]
        assert one.shape == (1,) + found.shape[1:] and numpy.allclose(one[0], found[0], atol=TOLERANCE)
        references = sorted(network.glob(name + ".*"))
        assert references
        for path in references:
            expected = numpy.fromfile(path, "<f4").reshape(found.shape)
            difference = float(numpy.max(numpy.abs(found - expected) / numpy.maximum(1, numpy.abs(expected))))
            if not difference <= TOLERANCE:
                sys.exit(f"{network.name}: {path.name}: differs by {difference}")
            key = path.name
            largest[key] = max(largest.get(key, 0.0), difference)
print(f"onnxruntime {onnxruntime.__version__}, {len(networks)} networks, {shape[0]} positions each; largest difference")
for key, difference in sorted(largest.items()):
    print(f"  {key:24} {difference:.1e}")
