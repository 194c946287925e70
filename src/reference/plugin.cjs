// Runs while webpack builds; what it loads is TypeScript, which Node does not read by itself.
const { existsSync, readdirSync, readFileSync } = require("node:fs");
const path = require("node:path");
const { transformFileSync } = require("@swc/core");

const SOURCES = path.resolve(__dirname, "..");
const ROOT = path.resolve(SOURCES, "..");
const ENTRY = path.join(__dirname, "index.ts");
const STYLE = path.join(__dirname, "reference.css");
const SCRIPT = path.join(__dirname, "script.ts");
const PURE = "../feed/formula-separators";
const MANIFEST = path.join(ROOT, "manifest.xml");
const PICTURES = path.join(ROOT, "docs", "pictures");

/** Completes functions.json and writes the reference and the documents beside it. */
class ReferencePlugin {
  apply(compiler) {
    const { Compilation, sources } = compiler.webpack;
    compiler.hooks.thisCompilation.tap("ReferencePlugin", (compilation) => {
      const stage = Compilation.PROCESS_ASSETS_STAGE_ADDITIONS;
      compilation.hooks.processAssets.tap({ name: "ReferencePlugin", stage }, (assets) => {
        if (!assets["functions.json"]) return;
        const generated = JSON.parse(assets["functions.json"].source().toString());
        const { createReference, documents, files } = loadReference();
        for (const file of [...files, STYLE, SCRIPT, path.join(__dirname, `${PURE}.ts`), MANIFEST])
          compilation.fileDependencies.add(file);
        compilation.deleteAsset("functions.json");
        const texts = { ...createReference(generated, readOrigin(), documents), ...readNeighbours() };
        // The minimizer takes each script for one without imports and exports.
        for (const [name, text] of Object.entries(texts))
          compilation.emitAsset(name, new sources.RawSource(text), { minimized: true });
      });
    });
  }
}

/** Loads the sources anew each time, since they change while webpack watches. */
function loadReference() {
  const isOurs = (file) => file.startsWith(SOURCES) && /\.(ts|json)$/.test(file);
  const listLoaded = () => Object.keys(require.cache).filter(isOurs);
  for (const file of listLoaded()) delete require.cache[file];
  require.extensions[".ts"] = (module, file) =>
    module._compile(transformFileSync(file, { module: { type: "commonjs" } }).code, file);
  const { createReference, DOCUMENT_PATHS } = require(ENTRY);
  const paths = DOCUMENT_PATHS.filter((name) => existsSync(path.join(ROOT, name))); // a tool's page goes with it
  const read = (name) => [name, readFileSync(path.join(ROOT, name), "utf8")];
  return {
    createReference,
    documents: Object.fromEntries(paths.map(read)),
    files: [...listLoaded(), ...paths.map((name) => path.join(ROOT, name))],
  };
}

/** The files that the pages load, by path below their origin. */
function readNeighbours() {
  const pictures = readdirSync(PICTURES).map((name) => [`pictures/${name}`, readFileSync(path.join(PICTURES, name))]);
  const toScript = (file) => transformFileSync(file, { module: { type: "es6" } }).code;
  const files = {
    "reference.css": readFileSync(STYLE),
    "script.js": toScript(SCRIPT).replace(PURE, "./formula-separators.js"),
    "formula-separators.js": toScript(path.join(__dirname, `${PURE}.ts`)),
    ...Object.fromEntries(pictures),
  };
  return Object.fromEntries(Object.entries(files).map(([name, content]) => [`reference/${name}`, content]));
}

/** Reads the add-in's origin from the manifest. */
function readOrigin() {
  const [, address] = /<SourceLocation DefaultValue="([^"]+)"/.exec(readFileSync(MANIFEST, "utf8")) ?? [];
  return new URL(address).origin;
}

module.exports = { ReferencePlugin };
