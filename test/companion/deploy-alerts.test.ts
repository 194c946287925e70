import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { createMetrics } from "../../src/companion/reporting/metrics";
import { createMemoryPubSub } from "../../src/companion/stores/memory";
import { NAMES, rules } from "./alert-rules";
import { createProvider } from "./test-configuration";

const ROOT = join(__dirname, "../..");
const DASHBOARD = join(ROOT, "src/companion/deploy/grafana-dashboard.json");

let metrics: string;

beforeAll(async () => {
  const stores = { standing: () => "shared" as const, pubSub: createMemoryPubSub() };
  const created = createMetrics({ provider: () => createProvider(), stores, certificateEndMs: () => Date.now() });
  created.notifyToken(Date.now());
  metrics = await created.read();
  created.close();
});

/** The names of metrics in an expression; Prometheus itself adds "up". */
function listUnknown(expr: string): string[] {
  const named = expr.match(/\b(feed|process|nodejs)_\w+/g) ?? [];
  return named.filter((name) => !new RegExp(`^${name}[{ ]`, "m").test(metrics));
}

describe("the alert rules", () => {
  it("are ten, each with severity, summary and a chapter of the runbook", () => {
    const runbook = readFileSync(join(ROOT, "docs/runbook.md"), "utf8");
    expect(NAMES).toHaveLength(10);
    for (const { alert, for: after, labels, annotations } of rules) {
      expect(annotations.runbook).toBe(`docs/runbook.md#${alert.toLowerCase()}`);
      const row = `| [${alert}](#${alert.toLowerCase()}) | ${labels.severity} | ${after.replace("m", "")} minutes |`;
      for (const part of [`\n## ${alert}\n`, row]) expect(runbook).toContain(part);
      expect(annotations.summary).toMatch(/\.$/);
    }
  });

  it("use metrics that a companion has", () => {
    expect(rules.flatMap(({ expr }) => listUnknown(expr))).toEqual([]);
  });
});

describe("the Grafana dashboard", () => {
  const { panels, title } = JSON.parse(readFileSync(DASHBOARD, "utf8"));
  const targets: { expr: string }[] = panels.flatMap(({ targets }: { targets: { expr: string }[] }) => targets);

  it("has panels of metrics that a companion has, each with a place of its own", () => {
    expect(title).toBe("FEED for Excel");
    expect(targets.filter(({ expr }) => expr === "")).toEqual([]);
    expect(targets.flatMap(({ expr }) => listUnknown(expr))).toEqual([]);
    const places = panels.map(({ gridPos: { x, y } }: { gridPos: { x: number; y: number } }) => `${x} ${y}`);
    expect(new Set(places).size).toBe(panels.length);
    const runbook = readFileSync(join(ROOT, "docs/runbook.md"), "utf8");
    const titles: string[] = panels.map((panel: { title: string }) => panel.title);
    const named = [...runbook.matchAll(/\*([A-Z][\w ]+)\*/g)].map(([, name = ""]) => name);
    expect(named.filter((name) => !titles.includes(name) && !name.startsWith("The server"))).toEqual([]);
  });
});
