import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const program = new URL("../../dist/companion/main.mjs", import.meta.url);
if (existsSync(program)) {
  // The program finds the pages by its own place.
  process.argv[1] = fileURLToPath(program);
  await import(program.href);
} else {
  process.stderr.write("Error: The companion is not built. Run: npm run build\n");
  process.exitCode = 1;
}
