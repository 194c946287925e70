import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { issueCertificate } from "../../src/companion/certificate/issue";
import { findPort } from "../support/free-port.mjs";
import { readTestKey } from "../support/keys";
import { until } from "../support/until";
import { PROGRAM } from "./instances";
import { type Program, startProgram } from "./program";
import { createScrapes, expectAlarms, SCRAPES } from "./scrapes";

const DAY_MS = 24 * 3600 * 1000;

let folder: string;
let companion: Program;
let metrics: string;

/** Starts the built companion with a certificate that serves for so many days. */
async function start(days: number): Promise<void> {
  const { cert, key } = await issueCertificate(["localhost"], new Date(Date.now() - DAY_MS), inDays(days));
  const [certFile, keyFile] = [join(folder, "tls.crt"), join(folder, "tls.key")];
  writeFileSync(certFile, cert);
  writeFileSync(keyFile, key, { mode: 0o600 });
  const clientKey = join(folder, "key.pem");
  writeFileSync(clientKey, readTestKey("firm").privateKey.export({ type: "pkcs8", format: "pem" }), { mode: 0o600 });
  const [port, metricsPort] = [await findPort(), await findPort()];
  metrics = `http://127.0.0.1:${metricsPort}/metrics`;
  companion = startProgram(process.execPath, [PROGRAM, "start"], {
    PATH: process.env.PATH,
    ...{ FEED_BASE_URL: "http://127.0.0.1:9", FEED_CLIENT_ID: "firm", FEED_KEY_ID: "firm-key" },
    ...{ FEED_PRIVATE_KEY_FILE: clientKey, HOME: folder, XDG_CONFIG_HOME: folder, LOG_LEVEL: "error" },
    ...{ PORT: String(port), FEED_METRICS: `127.0.0.1:${metricsPort}`, TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile },
  });
}

const inDays = (days: number): Date => new Date(Date.now() + days * DAY_MS);

async function scrape(): Promise<string> {
  let text: string | undefined;
  await until(async () => {
    const answer = await fetch(metrics).catch(() => undefined);
    text = await answer?.text();
    return text;
  });
  return text!;
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "feed-certificate-alarm-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it.each<[days: number, alarms: string[]]>([
  [13, ["FeedCertificateEnds"]],
  [60, []],
])(
  "the alarms of a certificate that serves for %d days are %j",
  async (days, alarms) => {
    await start(days);
    const scrapes = createScrapes();
    for (let count = 0; count < SCRAPES; count += 1) scrapes.take([await scrape()]);
    await companion.stop();
    expect(scrapes.readLast("feed_certificate_left_seconds", "") / 86_400).toBeCloseTo(days, 1);
    expectAlarms(scrapes, alarms);
  },
  60_000,
);
