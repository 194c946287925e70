#!/usr/bin/env node
import { fileURLToPath } from "node:url";

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major > 20 || (major === 20 && minor >= 19)) {
  const program = new URL("./companion/main.mjs", import.meta.url);
  // The program finds the pages by its own place.
  process.argv[1] = fileURLToPath(program);
  await import(program.href);
} else {
  process.stderr.write(`Error: FEED for Excel needs Node 20.19 or newer; this is ${process.version}.\n`);
  process.exitCode = 1;
}
