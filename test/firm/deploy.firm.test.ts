import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { Redis } from "ioredis";
import { parse } from "yaml";
import { findPort } from "../support/free-port.mjs";
import { findNginx, findProgram } from "../support/program-path.mjs";
import { startPrometheus } from "../support/prometheus.mjs";
import { findRedis } from "../support/redis.mjs";
import { until } from "../support/until";
import SERIES from "./alarm-series.json";
import { listFiring, NAMES, PROMTOOL, RULES } from "./alert-rules";
import { type Analyst, openFirm, type TestFirm } from "./authorisation/firm";
import { readNginx } from "./nginx-settings";

const DEPLOY = join(__dirname, "../../src/firm/deploy");
const read = (name: string) => readFileSync(join(DEPLOY, name), "utf8");
const listAll = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, part = ""]) => part);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "feed-deploy-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe("the service", () => {
  const unit = read("feed-for-excel@.service");
  const tool = findProgram(["systemd-analyze"]);

  it("has lines that systemd knows, as its own tool reads them", () => {
    const verify = (text: string) => {
      writeFileSync(join(folder, "feed-for-excel@.service"), text.replace("/usr/bin/node", process.execPath));
      const verified = spawnSync(tool ?? "true", ["verify", join(folder, "feed-for-excel@1.service")]);
      return String(verified.stderr)
        .split("\n")
        .filter((line) => line.includes("feed-for-excel@"));
    };
    expect(verify(unit)).toEqual([]);
    // Machines without systemd have no tool to ask.
    const mistaken = tool === undefined ? [] : [expect.stringContaining("Unknown key 'ProtectSytem'")];
    expect(verify(unit.replace("ProtectSystem", "ProtectSytem"))).toEqual(mistaken);
  });

  it("has an nginx.conf of its own, which differs from the containers' in places alone", () => {
    const [contained, own] = (["nginx.conf", "nginx.systemd.conf"] as const).map(readNginx) as [string, string];
    const toPlain = (text: string) =>
      text
        .replace(/^ *(#|user |pid |error_log |access_log |\w+_temp_path |ssl_certificate|resolver |listen ).*\n/gm, "")
        .replace(/companion-(\d):3000/g, "127.0.0.1:300$1")
        .replace(/ resolve\b|^\n/gm, "");
    expect(toPlain(own)).toBe(toPlain(contained));
    expect(own).not.toMatch(/companion-\d|\/dev\/std|\/run\/secrets|\/tmp\//);
    expect(listAll(own, /^ *listen (\S+) /gm)).toEqual(["443"]);
  });

  it.each([
    ["nginx.systemd.conf", "/opt/feed-for-excel/deploy/nginx/"],
    ["nginx.conf", "/etc/nginx/feed-for-excel/"],
  ])("has settings that nginx takes, with the files that they include: %s", async (name, included) => {
    const port = await findPort();
    const making = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost"];
    const [key, certificate] = ["tls.key", "tls.crt"].map((file) => join(folder, file)) as [string, string];
    execFileSync("openssl", [...making, "-keyout", key, "-out", certificate], { stdio: "ignore" });
    const local = read(name)
      .replace(/(listen) \d+/, `$1 127.0.0.1:${port}`)
      .replace(/^ *resolver .*\n| resolve\b/gm, "")
      .replace(/companion-\d:/g, "127.0.0.1:")
      .replace(/\/(tmp|run|var\/log\/nginx|dev)\/(?=\w)/g, `${folder}/`)
      .replace(/ssl_certificate \S+;/, `ssl_certificate ${certificate};`)
      .replace(/ssl_certificate_key \S+;/, `ssl_certificate_key ${key};`)
      .replaceAll(included, `${DEPLOY}/nginx/`);
    writeFileSync(join(folder, name), local);
    const tried = spawnSync(findNginx() ?? "nginx", ["-t", "-c", join(folder, name), "-p", folder, "-e", "stderr"]);
    expect([tried.status, String(tried.stderr)]).toEqual([0, expect.stringContaining("test is successful")]);
  });
});

describe("the store of the composition", () => {
  const PASSWORD = "0123456789abcdef0123456789abcdef";
  let server: ChildProcess;
  afterAll(() => void server.kill("SIGKILL"));

  /** Starts the store by the composition's own command in temporary folders, and gives its port. */
  async function start(): Promise<number> {
    const { command } = parse(read("compose.yaml"), { merge: true }).services.valkey;
    const port = await findPort();
    writeFileSync(join(folder, "store.txt"), `${PASSWORD}\n`, { mode: 0o600 });
    const script = command[2]
      .replaceAll("$$", "$")
      .replace("valkey-server", `"${findRedis()}" --bind 127.0.0.1 --port ${port}`)
      .replace("/run/secrets/store-password", join(folder, "store.txt"));
    server = spawn(command[0], [command[1], script], { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
    for await (const line of createInterface(server.stdout!)) if (line.includes("Ready to accept connections")) break;
    server.stdout?.resume();
    return port;
  }

  it("requires its password, which is no argument of its process, and writes nothing to disk", async () => {
    const port = await start();
    const stranger = new Redis(port, "127.0.0.1", { lazyConnect: true });
    const refusal = once(stranger, "error");
    await expect(stranger.get("feed:x")).rejects.toThrow();
    expect(String(await refusal)).toContain("NOAUTH");
    stranger.disconnect();
    const known = new Redis(`redis://:${PASSWORD}@127.0.0.1:${port}`);
    expect(await known.set("feed:x", "1")).toBe("OK");
    expect(await known.config("GET", "save")).toEqual(["save", ""]);
    expect(await known.config("GET", "maxmemory-policy")).toEqual(["maxmemory-policy", "volatile-lru"]);
    known.disconnect();
    const words = readFileSync(`/proc/${server.pid}/cmdline`, "utf8");
    expect(words).toContain("-server");
    expect(words).not.toContain(PASSWORD);
  });
});

const { panels }: { panels: { title: string; targets: { expr: string }[] }[] } = JSON.parse(
  read("grafana-dashboard.json"),
);

describe("the alert rules", () => {
  const faults: Readonly<Record<string, Record<string, string>>> = SERIES.faults;

  it("have a fault for each alarm to try it by", () => {
    expect(Object.keys(faults)).toEqual(NAMES);
  });

  const JOB = 'instance="one",job="feed-for-excel"';
  const toLabelled = (name: string) => (name.endsWith("}") ? name.replace("}", `,${JOB}}`) : `${name}{${JOB}}`);
  /** Which alarms fire after half an hour. */
  const listChanged = (changed: Record<string, string> = {}): string[] => {
    const series = Object.entries({ ...SERIES.healthy, ...changed });
    return listFiring(Object.fromEntries(series.map(([name, text]) => [toLabelled(name), text])), 30);
  };

  it("are valid, and none fires while all is well", () => {
    execFileSync(PROMTOOL, ["check", "rules", RULES], { stdio: "pipe" });
    expect(listChanged()).toEqual([]);
  });

  it.each(NAMES)("fire %s for its fault, and no other", (name) => {
    expect(listChanged(faults[name])).toEqual([name]);
  });

  it("are read by Prometheus, as are the expressions of the Grafana dashboard", () => {
    const expressions = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
    const groups = [{ name: "panels", rules: expressions.map((expr, at) => ({ record: `panel_${at}`, expr })) }];
    writeFileSync(join(folder, "panels.json"), JSON.stringify({ groups }));
    execFileSync(PROMTOOL, ["check", "rules", join(folder, "panels.json")], { stdio: "pipe" });
  });
});

describe("the panels of the Grafana dashboard, in a Prometheus that scrapes a companion at work", () => {
  const COMPANIES = "/asia/private-markets/v1/companies/";
  const LONGEST_MS = 60_000;
  let firm: TestFirm;
  let analyst: Analyst;
  let prometheus: Awaited<ReturnType<typeof startPrometheus>>;

  beforeAll(async () => {
    const metrics = { host: "127.0.0.1", port: await findPort() };
    firm = await openFirm({ metrics }, ({ url = "" }, response) => {
      response.end(url.includes(COMPANIES) ? `{"id":"${url.split("/").at(-1)}"}` : '{"data":[{"id":"x"}]}');
    });
    analyst = await firm.signIn("Ada", []);
    await analyst.exchange();
    prometheus = await startPrometheus(`127.0.0.1:${metrics.port}`);
  }, LONGEST_MS);
  afterAll(async () => {
    await prometheus.close();
    await firm.close();
  });

  // The certificate's panel has none here, where nothing serves https: certificate-alarm.firm.test.ts has its figure.
  it.each(panels.filter(({ title }) => title !== "Valid for"))(
    "$title: has a figure",
    async ({ targets }) => {
      await until(async () => {
        // One that is known, and one that the provider is asked for.
        for (const path of ["/asia/industry-taxonomies/v1/tree", COMPANIES + randomUUID()])
          expect((await analyst.get(path)).status).toBe(200);
        const figures = (await Promise.all(targets.map(({ expr }) => prometheus.query(expr)))).flat();
        return figures.some(Number.isFinite);
      });
    },
    LONGEST_MS,
  );
});
