// Compiles the templates of Owl while webpack builds, so that no page has to: it would need a policy that lets it compile code.
const { existsSync, readFileSync } = require("node:fs");
const path = require("node:path");
const { Worker } = require("node:worker_threads");

const PROGRAM = path.join(__dirname, "templates-worker.mjs");
const WRITTEN_IN_SCRIPT = /\btemplate = xml`([^`]*)`/g;

/**
 * Makes a module of a file of templates: `templates`, functions by name, and `written`, functions by the text of templates
 * that stand in the script of the same name beside it.
 */
module.exports = function loadTemplates() {
  const done = this.async();
  const script = this.resourcePath.replace(/\.xml$/, ".esm.js");
  const texts = existsSync(script) ? listWritten(readFileSync(script, "utf8")) : [];
  if (texts.length > 0) this.addDependency(script);
  this.addDependency(PROGRAM);
  // In a thread of its own, since Owl's compiler leaves a document and a window behind that a build would take for a page's.
  const worker = new Worker(PROGRAM, { workerData: { file: this.resourcePath, texts }, stdout: true });
  worker.once("message", (text) => done(null, text));
  worker.once("error", done);
};

const listWritten = (code) => [...new Set([...code.matchAll(WRITTEN_IN_SCRIPT)].map(([, text]) => text))];
