// Makes Node run the TypeScript sources by the tests' compiler, outside of the tests.
const { transformFileSync } = require("@swc/core");

require.extensions[".ts"] = (module, path) =>
  module._compile(transformFileSync(path, { module: { type: "commonjs" } }).code, path);
