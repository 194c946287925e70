// Compiles the templates of Owl while webpack builds, so that no page has to: it would need a policy that lets it compile code.
const { existsSync, readFileSync } = require("node:fs");
const path = require("node:path");
const { Worker } = require("node:worker_threads");

const PROGRAM = path.join(__dirname, "templates-worker.mjs");
const WRITTEN_IN_SCRIPT = /\btemplate = xml`([^`]*)`/g;
const NAMED_IN_SCRIPT = /`\s*(<templates>[^`]*<\/templates>)\s*`/g;

/**
 * Makes a module of a file of templates: `templates`, functions by name, and `written`, functions by the text of templates
 * without a name. Both include those that stand in the script of the same name beside it.
 */
module.exports = function loadTemplates() {
  const done = this.async();
  const script = this.resourcePath.replace(/\.xml$/, ".esm.js");
  const code = existsSync(script) ? readFileSync(script, "utf8") : "";
  if (code !== "") this.addDependency(script);
  this.addDependency(PROGRAM);
  // In a thread of its own, since Owl's compiler leaves a document and a window behind that a build would take for a page's.
  const found = { documents: listFound(code, NAMED_IN_SCRIPT), texts: listFound(code, WRITTEN_IN_SCRIPT) };
  const worker = new Worker(PROGRAM, { workerData: { file: this.resourcePath, ...found }, stdout: true });
  worker.once("message", (text) => done(null, text));
  worker.once("error", done);
};

const listFound = (code, form) => [...new Set([...code.matchAll(form)].map(([, text]) => text))];
