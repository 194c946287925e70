import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import { findProgram } from "../support/program-path.mjs";

/** The alert rules that administrators get. */
export const RULES = join(__dirname, "../../src/firm/deploy/alerts.yaml");

/** Prometheus' own tool for its rules. */
export const PROMTOOL = findProgram(["promtool"]) ?? "promtool";

export interface Rule {
  alert: string;
  expr: string;
  for: string;
  labels: { severity: string };
  annotations: { summary: string; runbook: string };
}

export const rules: Rule[] = parse(readFileSync(RULES, "utf8")).groups[0].rules;
export const NAMES = rules.map(({ alert }) => alert);

/**
 * Lists the alarms that fire, as promtool evaluates the rules.
 * @param series By name with labels: a value a minute, in promtool's form.
 * @param minutes When to look.
 */
export function listFiring(series: Readonly<Record<string, string>>, minutes: number): string[] {
  const test = {
    interval: "1m",
    input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
    // No alarm is expected, so that its report lists all that fire.
    alert_rule_test: NAMES.map((alertname) => ({ eval_time: `${minutes}m`, alertname, exp_alerts: [] })),
  };
  const folder = mkdtempSync(join(tmpdir(), "feed-firing-"));
  const file = join(folder, "tests.json");
  writeFileSync(file, JSON.stringify({ rule_files: [RULES], evaluation_interval: "1m", tests: [test] }));
  try {
    execFileSync(PROMTOOL, ["test", "rules", file], { stdio: "pipe" });
    return [];
  } catch (error) {
    const { stdout, stderr } = error as { stdout: Buffer; stderr: Buffer };
    const report = `${stdout}${stderr}`;
    const failed = NAMES.filter((name) => new RegExp(`alertname: ${name},`).test(report));
    if (failed.length === 0) throw new Error(report);
    return failed;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
