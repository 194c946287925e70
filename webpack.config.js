const { existsSync, readFileSync, readdirSync, rmSync } = require("node:fs");
const path = require("node:path");
const CopyPlugin = require("copy-webpack-plugin");
const CustomFunctionsMetadataPlugin = require("custom-functions-metadata-plugin");
const HtmlPlugin = require("html-webpack-plugin");
const MinimizerPlugin = require("minimizer-webpack-plugin");
const { ContextReplacementPlugin, NormalModuleReplacementPlugin } = require("webpack");
const { NoticesPlugin } = require("./src/build/notices.cjs");
const { ReferencePlugin } = require("./src/reference/plugin.cjs");

const source = (...parts) => path.resolve(__dirname, "src", ...parts);
const output = (...parts) => path.resolve(__dirname, "dist", ...parts);

const shared = (name, mode) => ({
  name,
  mode,
  devtool: mode === "production" ? false : "source-map",
  resolve: { extensions: [".ts", ".tsx", ".js"] },
  cache: { type: "filesystem", name: `${name}-${mode}`, buildDependencies: { config: [__filename] } },
  performance: false,
  stats: "errors-warnings",
});

const typescript = { test: /\.tsx?$/, exclude: /node_modules/, loader: "swc-loader" };

/** One file per formula family, known by its tag; each is parsed alone for functions.json. */
const formulas = readdirSync(source("functions"))
  .filter((name) => name.endsWith(".ts"))
  .filter((name) => readFileSync(source("functions", name), "utf8").includes("@customfunction"))
  .map((name) => `./src/functions/${name}`);

/** A tool's worker is named by the tool's folder. */
const workersOfTools = Object.fromEntries(
  readdirSync(source("tools"))
    .filter((name) => existsSync(source("tools", name, "worker.ts")))
    .map((name) => [name, `./src/tools/${name}/worker.ts`]),
);

/** What a build takes away unless it has just written it; whatever else is in the folder may be another build's. */
const FORMER_CHUNK = /^[\w-]+\.[0-9a-f]{8}\.js$/;

/** What the query library's client imports and nothing here uses. */
const UNUSED_OF_QUERY_CORE = /^\.\/(mutationCache|infiniteQueryBehavior)\.js$/;

/** The shared-runtime page: functions.js holds the session, taskpane.js joins it (one session, one cache). */
const addin = (mode) => ({
  ...shared("addin", mode),
  target: ["web", "es2022"],
  entry: {
    functions: "./src/functions/index.ts",
    taskpane: { import: "./src/taskpane/index.ts", dependOn: "functions" },
    // A worker's script, a world of its own; it has no document to load its parts by.
    names: { import: "./src/feed/names/worker.ts", chunkLoading: "import-scripts" },
    ...workersOfTools, // likewise
    offline: "./src/taskpane/offline/worker.ts", // likewise
    "playground-pane": "./src/playground/pane-page.ts", // what stands in Office.js's place in the playground
  },
  // The pane's parts are scripts of their own, which the browser is told to trust. They are named by what is in them,
  // so that a page of before an update never takes one of after it.
  output: {
    path: output("web"),
    filename: "[name].js",
    chunkFilename: "[name].[contenthash:8].js",
    chunkLoadTimeout: 30_000, // as long as a question may take: a part that never comes must not leave its cell waiting
    clean: { keep: (file) => !FORMER_CHUNK.test(file) },
    trustedTypes: "feed",
    uniqueName: "feed", // what the scripts call their list of chunks by; the package's name is longer
    // Where the companion serves them, so that no script has to find that out; it says that they are UTF-8, too.
    publicPath: "/",
    charset: false,
  },
  // The same size as by the default minimizer in a quarter of the time, which is the time a first start takes.
  optimization: {
    chunkIds: "named",
    splitChunks: false, // each script comes whole, by one request
    mangleExports: "size", // a kilobyte less, compressed, of the script that every start waits for
    minimizer: [
      new MinimizerPlugin({
        minify: MinimizerPlugin.swcMinify,
        minimizerOptions: { compress: { passes: 3, ecma: 2022, unsafe_arrows: true, keep_fargs: false }, mangle: true },
        extractComments: false,
      }),
    ],
  },
  module: { rules: [typescript] },
  plugins: [
    new NormalModuleReplacementPlugin(UNUSED_OF_QUERY_CORE, source("feed", "query-cache", "no-mutations.ts")),
    new CustomFunctionsMetadataPlugin({ input: formulas, output: "functions.json" }),
    new ReferencePlugin(),
    new HtmlPlugin({
      template: source("taskpane", "taskpane.html"),
      filename: "taskpane.html",
      chunks: ["functions", "taskpane"],
    }),
    new HtmlPlugin({
      template: source("playground", "pane.html"),
      filename: "playground-pane.html",
      chunks: ["playground-pane", "functions", "taskpane"],
      chunksSortMode: "manual",
    }),
    new CopyPlugin({
      patterns: [
        { from: "assets", to: "assets" },
        "manifest.xml",
        { from: "src/taskpane/commands/shortcuts*.json", to: "[name][ext]" },
        {
          from: "src/taskpane/commands/shortcuts.json",
          to: "shortcuts-en.json",
          transform: (content) => JSON.stringify(JSON.parse(content).resources.default),
        },
        { from: "LICENSE", to: "licences/feed-for-excel.txt" },
      ],
    }),
    new NoticesPlugin({ file: "licences/pages.txt", what: "the add-in's pages and formulas" }),
  ],
});

const playground = (mode) => ({
  ...shared("playground", mode),
  target: ["web", "es2022"],
  entry: { playground: "./src/playground/index.ts" },
  output: { path: output("web"), filename: "[name].js", assetModuleFilename: "playground/[name][ext]" },
  experiments: { css: true },
  optimization: {
    minimize: false, // served on this machine only, and small would cost half a minute of every first start
    concatenateModules: false, // the engine's own text stays as it is
    // Its licence (LGPL) wants it where everybody may put another version in its place.
    splitChunks: { cacheGroups: { engine: { test: ENGINE, name: "playground-engine", chunks: "all", enforce: true } } },
  },
  resolve: {
    extensions: [".ts", ".js"],
    // The package's `browser` field is an immediately invoked script; the module is what can be imported.
    alias: { "@odoo/o-spreadsheet$": require.resolve("@odoo/o-spreadsheet/dist/o_spreadsheet.esm.js") },
  },
  module: {
    rules: [
      typescript,
      { test: /\.xml$/, loader: source("playground", "templates-loader.cjs") },
      { test: /\.woff2$/, type: "asset/resource" },
      // The icons' font comes in five formats; every browser of today picks woff2, so the older ones stay behind.
      { test: /font-awesome.*\.(woff|ttf|eot|svg)$/, type: "asset/resource", generator: { emit: false } },
    ],
  },
  plugins: [
    new HtmlPlugin({ template: source("playground", "playground.html"), filename: "playground.html" }),
    new NoticesPlugin({ file: "licences/playground.txt", what: "the playground", remark: ENGINE_REMARK }),
  ],
});

/** The spreadsheet, its templates, and the library that it is written with. */
const ENGINE = /[\\/]node_modules[\\/]@odoo[\\/].*\.(js|xml)$/;
const ENGINE_REMARK = `The engine, @odoo/o-spreadsheet with @odoo/owl, is under the LGPL 3.0, whose text follows with that of the GPL 3.0. It is
in playground-engine.js alone, unchanged but for how a build's modules call each other, and not minimised; its style sheet is in
playground.css, its templates are compiled. Its source is at the
addresses below, and in the packages of these versions (npm pack @odoo/o-spreadsheet@VERSION).

To use one that you have changed, change playground-engine.js where it is served from (in the package: web/playground-engine.js):
it is a text file, which nothing checks but the list of sums. To use another version with its templates, install that in a
checkout of the project and run npm run package; then all files that begin with "playground" take the place of these.`;

const ENGINE_OF_COMPANION_REMARK = `The engine of "feed refresh" and "feed query", @odoo/o-spreadsheet with @odoo/owl, is under the LGPL 3.0, whose text follows with
that of the GPL 3.0. It is in companion/engine.mjs alone, unchanged but for how a build's modules call each other, and not
minimised. Its source is at the addresses below, and in the packages of these versions (npm pack @odoo/o-spreadsheet@VERSION).

To use one that you have changed, change companion/engine.mjs: it is a text file, which nothing checks but the list of sums. To
use another version, install that in a checkout of the project and run npm run package.`;

/** The companion with all that it needs, so that it runs where nothing is installed beside Node. */
const companion = (mode) => ({
  ...shared("companion", mode),
  target: "node20",
  entry: { main: "./src/companion/index.ts" },
  // What few companions need, such as the client of a shared server, is a part that is loaded then.
  output: {
    path: output("companion"),
    filename: "[name].mjs",
    chunkFilename: ({ chunk }) => (chunk.name === "engine" ? "[name].mjs" : "part-[id].mjs"),
    module: true,
    clean: true,
  },
  experiments: { outputModule: true },
  module: { rules: [typescript], parser: { javascript: { worker: ["Worker from node:worker_threads"] } } },
  optimization: {
    minimize: false, // the log says where an error was thrown; a smaller program would start no faster
    concatenateModules: false, // as the playground's
    splitChunks: {
      minSize: 0, // what two parts share is in neither
      cacheGroups: { defaultVendors: false, engine: { test: ENGINE, name: "engine", chunks: "all", enforce: true } },
    },
  },
  plugins: [
    // A limiter that is not used here loads its database by a name that only a running program knows.
    new ContextReplacementPlugin(/rate-limiter-flexible/, /^$/),
    new NoticesPlugin({
      file: "../web/licences/companion.txt",
      what: "the companion",
      remark: ENGINE_OF_COMPANION_REMARK,
    }),
  ],
});

module.exports = (_environment, { mode = "production" }) => {
  rmSync(output("inputs.sha256"), { force: true }); // until the build succeeds, dist is of no known files
  return [addin(mode), playground(mode), companion(mode)];
};
