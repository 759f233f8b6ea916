// Compares ONNX graphs in onnxruntime-web with what maydan's evaluators said: node onnx_web.cjs FOLDER, as onnx_runtimes.rs writes it.
const fs = require("fs");
const path = require("path");
const ort = require("onnxruntime-web");

const TOLERANCE = 1e-4;

function floats(file) {
  const bytes = fs.readFileSync(file);
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
}

async function main(root) {
  ort.env.wasm.numThreads = 1;
  const networks = fs.readdirSync(root).sort();
  const largest = {};
  for (const network of networks) {
    const folder = path.join(root, network);
    const session = await ort.InferenceSession.create(fs.readFileSync(path.join(folder, "model.onnx")), { executionProviders: ["wasm"] });
    const shape = JSON.parse(fs.readFileSync(path.join(folder, "shape.json"), "utf8"));
    const planes = new ort.Tensor("float32", floats(path.join(folder, "planes")), shape);
    const outputs = await session.run({ planes });
    const references = fs.readdirSync(folder).filter((file) => /^(policy|value|moves_left)\./.test(file));
    if (references.length === 0) throw new Error(`${network}: nothing to compare with`);
    for (const file of references) {
      const expected = floats(path.join(folder, file));
      const found = outputs[file.split(".")[0]].data;
      if (found.length !== expected.length) throw new Error(`${network}: ${file}: ${found.length} numbers, expected ${expected.length}`);
      let difference = 0;
      for (let i = 0; i < found.length; i++) {
        const apart = Math.abs(found[i] - expected[i]) / Math.max(1, Math.abs(expected[i]));
        if (!(apart <= TOLERANCE)) throw new Error(`${network}: ${file}: number ${i} differs by ${apart}`);
        difference = Math.max(difference, apart);
      }
      largest[file] = Math.max(largest[file] ?? 0, difference);
    }
  }
  console.log(`onnxruntime-web ${ort.env.versions.web}, ${networks.length} networks; largest difference`);
  for (const [file, difference] of Object.entries(largest)) console.log(`  ${file.padEnd(24)} ${difference.toExponential(1)}`);
}

main(process.argv[2]).catch((error) => {
  console.error(error.message);
  process.exit(1);
});
