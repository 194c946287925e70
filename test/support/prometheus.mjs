/** A Prometheus of a test's own (Debian: the package prometheus), which scrapes every tenth of a second. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findPort } from "./free-port.mjs";
import { findProgram } from "./program-path.mjs";

/**
 * Finds the program.
 * @param {NodeJS.ProcessEnv} environment
 * @returns {string | undefined} Its path.
 */
export const findPrometheus = (environment = process.env) => findProgram(["prometheus"], environment);

/**
 * Starts it with the job of the deployed rules.
 * @param {string} target The address and port that have /metrics.
 */
export async function startPrometheus(target) {
  const folder = mkdtempSync(join(tmpdir(), "feed-prometheus-"));
  const file = join(folder, "prometheus.json");
  const job = { job_name: "feed-for-excel", static_configs: [{ targets: [target] }] };
  writeFileSync(
    file,
    JSON.stringify({ global: { scrape_interval: "100ms", scrape_timeout: "100ms" }, scrape_configs: [job] }),
  );
  const port = await findPort();
  const words = [`--config.file=${file}`, `--storage.tsdb.path=${join(folder, "data")}`, "--log.level=error"];
  const server = spawn(findPrometheus() ?? "prometheus", [...words, `--web.listen-address=127.0.0.1:${port}`], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  return {
    /**
     * Evaluates an expression now.
     * @param {string} expr
     * @returns {Promise<number[]>} The value of each series; none while it starts.
     * @throws Error with the answer where it is refused.
     */
    async query(expr) {
      const url = `http://127.0.0.1:${port}/api/v1/query?query=${encodeURIComponent(expr)}`;
      const answer = await fetch(url).catch(() => undefined);
      if (answer === undefined || answer.status === 503) return [];
      const { status, error, data } = await answer.json();
      if (status !== "success") throw new Error(`${expr}: ${error}`);
      return data.result.map(({ value: [, text] }) => Number(text));
    },
    async close() {
      const ended = once(server, "exit");
      server.kill("SIGKILL");
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}
