// Runs while webpack builds; what it loads is TypeScript, which Node does not read by itself.
const { readFileSync } = require("node:fs");
const path = require("node:path");
const { transformFileSync } = require("@swc/core");

const SOURCES = path.resolve(__dirname, "..");
const ENTRY = path.join(__dirname, "index.ts");
const STYLE = path.join(__dirname, "reference.css");
const MANIFEST = path.resolve(SOURCES, "..", "manifest.xml");

/** Completes functions.json and writes the reference beside it. */
class ReferencePlugin {
  apply(compiler) {
    const { Compilation, sources } = compiler.webpack;
    compiler.hooks.thisCompilation.tap("ReferencePlugin", (compilation) => {
      const stage = Compilation.PROCESS_ASSETS_STAGE_ADDITIONS;
      compilation.hooks.processAssets.tap({ name: "ReferencePlugin", stage }, (assets) => {
        if (!assets["functions.json"]) return;
        const generated = JSON.parse(assets["functions.json"].source().toString());
        const { createReference, files } = loadReference();
        for (const file of [...files, STYLE, MANIFEST]) compilation.fileDependencies.add(file);
        compilation.deleteAsset("functions.json");
        const texts = { ...createReference(generated, readOrigin()), "reference/reference.css": readFileSync(STYLE) };
        for (const [name, text] of Object.entries(texts)) compilation.emitAsset(name, new sources.RawSource(text));
      });
    });
  }
}

/** Loads the sources anew each time, since they change while webpack watches. */
function loadReference() {
  const isOurs = (file) => file.startsWith(SOURCES) && file.endsWith(".ts");
  const listLoaded = () => Object.keys(require.cache).filter(isOurs);
  for (const file of listLoaded()) delete require.cache[file];
  require.extensions[".ts"] = (module, file) =>
    module._compile(transformFileSync(file, { module: { type: "commonjs" } }).code, file);
  return { ...require(ENTRY), files: listLoaded() };
}

/** Reads the add-in's origin from the manifest. */
function readOrigin() {
  const [, address] = /<SourceLocation DefaultValue="([^"]+)"/.exec(readFileSync(MANIFEST, "utf8")) ?? [];
  return new URL(address).origin;
}

module.exports = { ReferencePlugin };
