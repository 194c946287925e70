// Lets Node run the sources as they are: the tests' own compiler, without the tests.
const { transformFileSync } = require("@swc/core");

require.extensions[".ts"] = (module, path) =>
  module._compile(transformFileSync(path, { module: { type: "commonjs" } }).code, path);
