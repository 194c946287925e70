import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const SUITE = join(__dirname, "../../node_modules/@modelcontextprotocol/conformance/dist/index.js");

interface Check {
  id: string;
  status: string;
  errorMessage?: string;
}

/** Runs a scenario of the official conformance suite against a server; a warning counts as failed. */
export async function runConformance(url: string, scenario: string) {
  const folder = mkdtempSync(join(tmpdir(), "feed-conformance-"));
  try {
    const words = [SUITE, "server", "--url", url, "--scenario", scenario, "--output-dir", folder];
    await once(spawn(process.execPath, words, { stdio: "ignore" }), "exit");
    const [path] = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
      name.endsWith("checks.json"),
    );
    const checks: Check[] = JSON.parse(readFileSync(join(folder, path!), "utf8"));
    const failed = checks.filter(({ status }) => status === "FAILURE" || status === "WARNING");
    return {
      passed: checks.filter(({ status }) => status === "SUCCESS").length,
      failed: failed.map(({ id, errorMessage }) => `${id}: ${errorMessage}`),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
