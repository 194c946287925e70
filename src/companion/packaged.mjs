#!/usr/bin/env node
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major > 20 || (major === 20 && minor >= 19)) {
  // process.argv[1] stays this file, or the link to it that npm makes: the program finds its pages and its name by that.
  await import("./companion/main.mjs");
} else {
  process.stderr.write(`Error: FEED for Excel needs Node 20.19 or newer; this is ${process.version}.\n`);
  process.exitCode = 1;
}
