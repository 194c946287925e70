const { TestEnvironment } = require("jest-environment-jsdom");

/** What jsdom has of its own, and what Node's fetch, server and cryptography take only of Node's kind. */
const NODE_KIND = [
  ...[
    "AbortController",
    "AbortSignal",
    "Headers",
    "URL",
    "URLSearchParams",
    "ArrayBuffer",
    "Uint8Array",
    "crypto",
    "performance",
  ],
  ...["setTimeout", "clearTimeout", "setInterval", "clearInterval"],
];

/** Fluent watches sizes, and jsdom, which lays nothing out, has no such watch. */
class NoSizes {
  observe() {}
  unobserve() {}
  disconnect() {}
}

/**
 * A page's DOM on Node's own web interfaces: components meet the real companion over real HTTP, and the
 * companion runs in the same process.
 */
module.exports = class PageEnvironment extends TestEnvironment {
  async setup() {
    await super.setup();
    this.global.ResizeObserver = NoSizes;
    // What counts as hidden is told by attributes. Fluent's thousands of rules, matched anew at each look, tell nothing of it.
    this.global.CSSStyleSheet.prototype.insertRule = () => 0;
    for (const name of Object.getOwnPropertyNames(globalThis)) {
      if (name in this.global && !NODE_KIND.includes(name)) continue;
      Object.defineProperty(this.global, name, { value: globalThis[name], configurable: true, writable: true });
    }
  }

  /** Packages are taken as in Node. */
  exportConditions() {
    return ["node", "node-addons"];
  }
};
