import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "@jest/globals";
import { findPromtool } from "../support/program-path.mjs";
import { listFiring, NAMES, RULES } from "./alert-rules";

const DASHBOARD = join(__dirname, "../../src/companion/deploy/grafana-dashboard.json");
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

it("each alarm has a fault to try it by", () => {
  expect(Object.keys(FAULTS)).toEqual(NAMES);
});

/** Debian's package prometheus has it. */
const promtool = findPromtool();
if (promtool !== undefined) {
  /** Which alarms fire after half an hour. */
  const listChanged = (changed: Record<string, string>): string[] =>
    listFiring(promtool, { ...HEALTHY, ...changed }, 30);

  it("the alert rules are valid, and none fires while all is well", () => {
    execFileSync(promtool, ["check", "rules", RULES], { stdio: "pipe" });
    expect(listChanged({})).toEqual([]);
  });

  it.each(NAMES)("the alert rules fire %s for its fault, and no other", (name) => {
    expect(listChanged(FAULTS[name]!)).toEqual([name]);
  });

  it("Prometheus can parse the expressions of the Grafana dashboard", () => {
    const { panels } = JSON.parse(readFileSync(DASHBOARD, "utf8"));
    const targets: { expr: string }[] = panels.flatMap(({ targets }: { targets: { expr: string }[] }) => targets);
    const groups = [{ name: "panels", rules: targets.map(({ expr }, at) => ({ record: `panel_${at}`, expr })) }];
    const folder = mkdtempSync(join(tmpdir(), "feed-alerts-"));
    writeFileSync(join(folder, "panels.json"), JSON.stringify({ groups }));
    execFileSync(promtool, ["check", "rules", join(folder, "panels.json")], { stdio: "pipe" });
    rmSync(folder, { recursive: true });
  });
}
