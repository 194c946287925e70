import { replaceFunction } from "./formula-code";

// Loaded ahead of the engine, which looks for the page's Function when it makes a formula.
replaceFunction(globalThis);
