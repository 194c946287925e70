/** Runs the companion's tests on a Redis of their own in place of memory; further words go to jest. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { startRedis } from "./redis.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const jest = fileURLToPath(new URL("../../node_modules/jest/bin/jest.js", import.meta.url));
const { url, kill } = await startRedis();
const words = process.argv.length > 2 ? process.argv.slice(2) : ["test/companion"];
const closing = "--setupFilesAfterEnv=./test/support/close-stores.ts";
const { status } = spawnSync(process.execPath, [jest, ...words, closing], {
  cwd: root,
  stdio: "inherit",
  env: { ...process.env, TEST_STORE: url },
});
await kill();
process.exitCode = status ?? 1;
