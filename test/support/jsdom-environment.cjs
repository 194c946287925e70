const { TestEnvironment } = require("jest-environment-jsdom");

/** Node's globals that its fetch, server and cryptography need, in place of jsdom's own. */
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

/** Replaces ResizeObserver, which Fluent needs and jsdom lacks, since jsdom has no layout. */
class NoSizes {
  observe() {}
  unobserve() {}
  disconnect() {}
}

/** Does not keep the process alive, as no page does: a library may leave its channel open. */
class PageChannel extends BroadcastChannel {
  constructor(name) {
    super(name);
    this.unref();
  }
}

/** Without rules of the page, an element's style follows from its kind, unless it has its own; jsdom computes it anew. */
function rememberStyles(compute) {
  const known = new Map();
  return (element, pseudo) => {
    if (pseudo || element.hasAttribute("style")) return compute(element, pseudo);
    const attributes = ["type", "hidden", "open", "dir"].map((name) => element.getAttribute(name));
    const kind = [element.localName, ...attributes].join();
    if (!known.has(kind)) known.set(kind, compute(element));
    return known.get(kind);
  };
}

/**
 * A page's DOM on Node's own web interfaces: components meet the real companion over real HTTP, and the
 * companion runs in the same process.
 */
module.exports = class PageEnvironment extends TestEnvironment {
  async setup() {
    await super.setup();
    this.global.ResizeObserver = NoSizes;
    this.global.BroadcastChannel = PageChannel;
    // Attributes decide what is hidden. Matching Fluent's thousands of rules at each lookup adds nothing.
    this.global.CSSStyleSheet.prototype.insertRule = () => 0;
    this.global.getComputedStyle = rememberStyles(this.global.getComputedStyle);
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
