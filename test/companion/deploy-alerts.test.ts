import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { createMetrics } from "../../src/companion/reporting/metrics";
import { createMemoryPubSub } from "../../src/companion/stores/memory";
import { findPromtool } from "../support/promtool.mjs";
import { listFiring, NAMES, RULES, rules } from "./alert-rules";
import { createProvider } from "./test-configuration";

const ROOT = join(__dirname, "../..");
const DASHBOARD = join(ROOT, "src/companion/deploy/grafana-dashboard.json");
const JOB = 'instance="one",job="feed-for-excel"';

/** The series of a companion where all is well, in promtool's form, for an hour. */
const HEALTHY: Readonly<Record<string, string>> = {
  [`up{${JOB}}`]: "1x60",
  [`feed_store{standing="shared",${JOB}}`]: "1x60",
  [`feed_store{standing="apart",${JOB}}`]: "0x60",
  [`feed_store{standing="joining",${JOB}}`]: "0x60",
  [`feed_provider_requests_total{outcome="2xx",${JOB}}`]: "0+100x60",
  [`feed_provider_requests_total{outcome="5xx",${JOB}}`]: "0+1x60",
  [`feed_provider_requests_total{outcome="failed",${JOB}}`]: "0x60",
  [`feed_provider_seconds_bucket{outcome="2xx",le="5",${JOB}}`]: "0+99x60",
  [`feed_provider_seconds_bucket{outcome="2xx",le="30",${JOB}}`]: "0+100x60",
  [`feed_provider_seconds_bucket{outcome="2xx",le="+Inf",${JOB}}`]: "0+100x60",
  [`feed_provider_pause_seconds{family="rankings",${JOB}}`]: "0x20 60 30 0x38",
  [`feed_reads_oldest_seconds{${JOB}}`]: "10x60",
  [`feed_refused_total{code="FEED_RATE_LIMITED",${JOB}}`]: "0+10x60",
  [`feed_read_seconds_count{family="rankings",status="2xx",${JOB}}`]: "0+1000x60",
  [`feed_sign_ins_total{result="admitted",${JOB}}`]: "0+20x60",
  [`feed_sign_ins_total{result="unreachable",${JOB}}`]: "0x60",
  [`feed_sign_ins_total{result="limited",${JOB}}`]: "0x60",
  [`feed_sign_ins_total{result="ended",${JOB}}`]: "0+5x60",
  [`feed_certificate_left_seconds{${JOB}}`]: "7776000x60",
  [`process_resident_memory_bytes{${JOB}}`]: "400000000x60",
};

/** What goes wrong, by its alarm: the series that differ. */
const FAULTS: Readonly<Record<string, Record<string, string>>> = {
  FeedInstanceDown: { [`up{${JOB}}`]: "0x60" },
  FeedStoreApart: {
    [`feed_store{standing="shared",${JOB}}`]: "0x60",
    [`feed_store{standing="apart",${JOB}}`]: "1x60",
  },
  FeedProviderFails: { [`feed_provider_requests_total{outcome="failed",${JOB}}`]: "0+50x60" },
  FeedProviderSlow: { [`feed_provider_seconds_bucket{outcome="2xx",le="5",${JOB}}`]: "0+80x60" },
  FeedProviderPauses: { [`feed_provider_pause_seconds{family="rankings",${JOB}}`]: "60x60" },
  FeedReadsWait: { [`feed_reads_oldest_seconds{${JOB}}`]: "45x60" },
  FeedReadsRefused: { [`feed_refused_total{code="FEED_RATE_LIMITED",${JOB}}`]: "0+100x60" },
  FeedSignInFails: { [`feed_sign_ins_total{result="unreachable",${JOB}}`]: "0+3x60" },
  FeedCertificateEnds: { [`feed_certificate_left_seconds{${JOB}}`]: "864000-60x60" },
  FeedMemoryHigh: { [`process_resident_memory_bytes{${JOB}}`]: "900000000x60" },
};

let folder: string;
let metrics: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "feed-alerts-"));
  const stores = { standing: () => "shared" as const, pubSub: createMemoryPubSub() };
  const created = createMetrics({ provider: () => createProvider(), stores, certificateEndMs: () => Date.now() });
  created.notifyToken(Date.now());
  metrics = await created.read();
  created.close();
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The names of metrics in an expression; Prometheus itself adds "up". */
function listUnknown(expr: string): string[] {
  const named = expr.match(/\b(feed|process|nodejs)_\w+/g) ?? [];
  return named.filter((name) => !new RegExp(`^${name}[{ ]`, "m").test(metrics));
}

/** Which alarms fire after half an hour. */
const listChanged = (promtool: string, changed: Record<string, string>): string[] =>
  listFiring(promtool, { ...HEALTHY, ...changed }, 30);

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

  const promtool = findPromtool();
  if (promtool === undefined) {
    // Debian's package prometheus has the tool; the two tests above hold the form without it.
    it("have a fault each to try them by, where promtool is installed", () => {
      expect(Object.keys(FAULTS)).toEqual(NAMES);
    });
  } else {
    it("are valid, and none fires while all is well", () => {
      execFileSync(promtool, ["check", "rules", RULES], { stdio: "pipe" });
      expect(listChanged(promtool, {})).toEqual([]);
    });

    it.each(NAMES)("fire %s for its fault, and no other", (name) => {
      expect(listChanged(promtool, FAULTS[name]!)).toEqual([name]);
    });
  }
});

describe("the Grafana dashboard", () => {
  const { panels, title } = JSON.parse(readFileSync(DASHBOARD, "utf8"));
  const targets: { expr: string }[] = panels.flatMap(({ targets }: { targets: { expr: string }[] }) => targets);

  it("has panels of metrics that a companion has, each with a place of its own", () => {
    expect(title).toBe("FEED for Excel");
    expect(targets.flatMap(({ expr }) => listUnknown(expr))).toEqual([]);
    const places = panels.map(({ gridPos: { x, y } }: { gridPos: { x: number; y: number } }) => `${x} ${y}`);
    expect(new Set(places).size).toBe(panels.length);
    const runbook = readFileSync(join(ROOT, "docs/runbook.md"), "utf8");
    const titles: string[] = panels.map((panel: { title: string }) => panel.title);
    const named = [...runbook.matchAll(/\*([A-Z][\w ]+)\*/g)].map(([, name = ""]) => name);
    expect(named.filter((name) => !titles.includes(name) && !name.startsWith("The server"))).toEqual([]);
  });

  it("has expressions that Prometheus can parse, where promtool is installed", () => {
    const tool = findPromtool();
    const groups = [{ name: "panels", rules: targets.map(({ expr }, at) => ({ record: `panel_${at}`, expr })) }];
    const file = join(folder, "panels.json");
    writeFileSync(file, JSON.stringify({ groups }));
    if (tool !== undefined) execFileSync(tool, ["check", "rules", file], { stdio: "pipe" });
    expect(targets.every(({ expr }) => expr.length > 0)).toBe(true);
  });
});
