import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { parse } from "yaml";
import pkg from "../../package.json";
import { ERRORS } from "../../src/client/errors";
import { HELP } from "../../src/companion/command";
import { readConfiguration } from "../../src/companion/configuration";
import type { Settings } from "../../src/companion/configuration/settings";
import { SETTING_NAMES } from "../../src/companion/configuration/sources";
import { createSignInKey } from "../../src/companion/key-folder";
import { CLOSING_MS } from "../../src/companion/listener";
import { readRolesFile } from "../../src/firm/configuration";
import { createMetrics } from "../../src/firm/reporting/metrics";
import { createMemoryAnswers } from "../../src/firm/stores/memory";
import { createKeyFile } from "../companion/key-file";
import { createProvider, privateKey, toFirm } from "../companion/test-configuration";
import { NAMES, rules } from "./alert-rules";
import { DEPLOYED } from "./instances";
import { readNginx } from "./nginx-settings";

const ROOT = join(__dirname, "../..");
const FOLDER = "src/firm/deploy";
const ORIGIN = "https://feed.example.com";
const read = (name: string) => readFileSync(join(ROOT, FOLDER, name), "utf8");

interface Service {
  image: string;
  build?: { context: string; dockerfile: string; args: Record<string, string> };
  environment?: Record<string, string>;
  volumes?: string[];
  ports?: string[];
  secrets?: string[];
  networks: string[];
  read_only: boolean;
  cap_drop: string[];
  security_opt: string[];
  stop_grace_period?: string;
  ulimits: { nofile?: number; core: number };
}

const compose = parse(read("compose.yaml"), { merge: true });
const services: Record<string, Service> = compose.services;
const companions = Object.entries(services).filter(([, { build }]) => build !== undefined);
const [[, companion]] = companions as [[string, Service]];
const dockerfile = read("Dockerfile");
const nginx = readNginx("nginx.conf");
const unit = read("feed-for-excel@.service");
const example: Settings = JSON.parse(read("settings.docker.json"));
const systemd: Settings = JSON.parse(read("settings.systemd.json"));
const [page = "", runbook = ""] = ["firm", "runbook"].map((name) =>
  readFileSync(join(ROOT, `docs/${name}.md`), "utf8"),
);

const folder = mkdtempSync(join(tmpdir(), "feed-deploy-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** A copy that belongs to its owner alone, whatever the checkout's umask. */
const own = (name: string): string => {
  const path = join(folder, name);
  copyFileSync(join(ROOT, FOLDER, name), path);
  return path;
};

const ID = "00000000-0000-0000-0000-000000000000";
/** Replaces each placeholder. */
const fill = (settings: Settings): Settings =>
  Object.fromEntries(Object.entries(settings).map(([name, text]) => [name, text?.replace(/<[^<>]+>/, ID)]));

const listAll = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, part = ""]) => part);

describe("the files of a deployment", () => {
  it("use only settings of the program", () => {
    const written = [dockerfile, nginx, unit, read("compose.yaml"), page, runbook, ...Object.keys(example)];
    const found = written.flatMap((text) => listAll(text, /\b((?:FEED|TLS|ALLOWED|LOG)_[A-Z_]*[A-Z])\b(?!_)/g));
    expect(found.filter((name) => !SETTING_NAMES.includes(name) && !(name in ERRORS))).toEqual([]);
    expect(found.length).toBeGreaterThan(30);
    const set = Object.keys(companion.environment ?? {});
    expect(set.filter((name) => !SETTING_NAMES.includes(name))).toEqual([]);
  });

  it("give a valid configuration once there are a key and a secret", () => {
    const environment = { ...companion.environment, ALLOWED_ORIGINS: ORIGIN, FEED_AUDIT_FILE: "-" };
    const key = createKeyFile(privateKey);
    const signInKey = join(folder, "sign-in.key");
    createSignInKey(signInKey);
    const files = { FEED_PRIVATE_KEY_FILE: key, FEED_SIGN_IN_CLIENT_SECRET_FILE: key };
    writeFileSync(join(folder, "store.txt"), "of the store\n", { mode: 0o600 });
    const places = { FEED_STORE_PASSWORD_FILE: join(folder, "store.txt"), FEED_SIGN_IN_KEY_FILE: signInKey };
    const given: Settings = { ...fill(example), ...files, FEED_ROLES_FILE: own("roles.example.json") };
    const configuration = readConfiguration({ ...given, ...environment, ...places });
    const { mode, host, provider } = configuration;
    const firm = toFirm(configuration);
    expect([mode, host, provider?.client.clientId]).toEqual(["relay", "0.0.0.0", given.FEED_CLIENT_ID]);
    const expected = ["redis://:of%20the%20store@valkey:6379", "-", "entra"];
    expect([firm.store, firm.audit, firm.signIn?.profile]).toEqual(expected);
    expect(Object.keys(firm.roles ?? {})).toHaveLength(3);
  });

  it("show roles of each kind: all countries, some, and some families", () => {
    const roles = Object.values(readRolesFile(own("roles.example.json")));
    expect(roles.some(({ countries }) => countries === "ALL")).toBe(true);
    expect(roles.some(({ families }) => families.length < 4)).toBe(true);
  });

  it("contain no secret, and let none into the image or the repository", () => {
    for (const place of ["secrets", "settings", "tls"]) expect(read(".gitignore")).toContain(`/${place}/\n`);
    expect(read(".gitignore")).toContain("/.env\n");
    for (const text of [dockerfile, nginx, unit, read("compose.yaml"), read("settings.docker.json")])
      expect(text).not.toMatch(/PRIVATE KEY-|password[ \t]*[:=][ \t]*\S|:\/\/[^/\s]*:[^/\s]*@/i);
  });
});

describe("the image", () => {
  it("copies the program and the pages of the package, and no file beside the composition", () => {
    const copied = listAll(dockerfile, /^COPY (.+) \S+$/gm).flatMap((words) => words.split(" "));
    expect(copied.sort()).toEqual(["LICENSE", "companion", "feed.mjs", "package.json", "sbom.cdx.json", "web"]);
    expect(listAll(read("Dockerfile.dockerignore"), /^!(\S+)$/gm)).toEqual(copied);
    expect(read("Dockerfile.dockerignore")).toMatch(/^\*$/m);
  });

  it("has one tagged version of Node, which the program supports", () => {
    const tags = new Set(listAll(dockerfile, /^FROM (\S+)/gm));
    expect(tags.size).toBe(1);
    const [, major = 0, minor = 0] = [...tags][0]?.match(/^node:(\d+)\.(\d+)\.\d+-slim@\$\{NODE_DIGEST\}$/) ?? [];
    const [, least = 0] = pkg.engines.node.match(/^>=(\d+)/) ?? [];
    expect([Number(major) > Number(least), Number(minor) >= 0]).toEqual([true, true]);
  });

  it("starts the built program as an ordinary user, with the mounted settings file", () => {
    expect(dockerfile).toMatch(/^USER node$/m);
    expect(dockerfile).toContain('ENTRYPOINT ["node", "/opt/feed-for-excel/feed.mjs"]');
    const settings = dockerfile.match(/"--settings", "(.+)\/settings\.json"/)?.[1];
    expect(companion.volumes).toContain(`./settings:${settings}:ro`);
    expect(example.FEED_ROLES_FILE).toBe(`${settings}/roles.json`);
  });

  it("runs only existing commands", () => {
    for (const command of [
      ...listAll(dockerfile, /^CMD \["(\w+)"/gm),
      ...listAll(page, /(?:companion --|feed\.mjs) (\w+)/g),
    ])
      expect(HELP).toMatch(new RegExp(`^  ${command} `, "m"));
  });
});

describe("the composition", () => {
  it("has several instances that share one store", () => {
    expect(companions.length).toBeGreaterThan(1);
    const store = new URL(companion.environment?.FEED_STORE ?? "");
    expect(services[store.hostname]?.networks).toEqual(["store"]);
    expect(compose.networks.store.internal).toBe(true);
  });

  it("takes unneeded rights from every service", () => {
    for (const service of Object.values(services)) {
      expect(service).toMatchObject({
        read_only: true,
        cap_drop: ["ALL"],
        security_opt: ["no-new-privileges:true"],
        ulimits: { core: 0 },
      });
    }
  });

  it("pins each image by a digest, which a script looks up", () => {
    const images = Object.values(services).flatMap(({ image, build }) => (build ? [] : [image]));
    const digests = [...images, ...listAll(dockerfile, /^FROM (\S+)/gm)].map((image) => {
      const [, digest = image] = /^[^@]+@\$\{(\w+)/.exec(image) ?? [];
      return digest;
    });
    expect(digests.toSorted()).toEqual(listAll(read(".env.example"), /^(\w+_DIGEST)=$/gm).toSorted());
    expect(companion.build?.args.NODE_DIGEST).toMatch(/^\$\{NODE_DIGEST:\?/);
    expect(page).toContain("sh digests.sh");
  });

  it("gives companions and store one password from one file, in no command line", () => {
    const [folderOf = ""] = (companion.volumes ?? []).filter((each) => each.startsWith("./secrets:"));
    const inside = folderOf.split(":")[1];
    expect(companion.environment?.FEED_STORE_PASSWORD_FILE).toBe(`${inside}/store.txt`);
    expect(compose.secrets["store-password"]).toEqual({ file: "./secrets/store.txt" });
    expect(services.valkey?.secrets).toEqual(["store-password"]);
    expect(page).toContain("chown 0:1000 secrets/store.txt && chmod 440 secrets/store.txt");
  });

  it("lets nginx reach the instances at their port, and is trusted for addresses alone", () => {
    const { PORT, FEED_TRUSTED_PROXIES } = companion.environment ?? {};
    for (const limit of ["1 fail_timeout=2s", "0"]) {
      const upstream = listAll(nginx, new RegExp(`^\\s*server (\\S+) max_fails=${limit} `, "gm"));
      expect(upstream).toEqual(companions.map(([name]) => `${name}:${PORT}`));
    }
    expect(dockerfile).toContain(`EXPOSE ${PORT}\n`);
    expect(dockerfile).toContain(`http://127.0.0.1:${PORT}/healthz`);
    expect(compose.networks.front.ipam.config).toEqual([{ subnet: FEED_TRUSTED_PROXIES }]);
    expect(nginx).toContain("proxy_set_header X-Forwarded-For $remote_addr;");
  });

  it("sends everything to one instance, and lets the others wait", () => {
    expect(listAll(nginx, /^\s*server (companion-\d):.* backup;$/gm)).toEqual(
      companions.slice(1).map(([name]) => name),
    );
    expect(nginx).not.toMatch(/^\s*hash /m);
  });

  it("starts nginx whether or not each instance's name resolves", () => {
    expect(nginx.match(/^\s*server companion-\d.* resolve( backup)?;$/gm)).toHaveLength(2 * companions.length);
    expect(nginx).toMatch(/^\s*resolver 127\.0\.0\.11 /m);
    const [, major, minor] = /nginx-unprivileged:(\d+)\.(\d+)-/.exec(services.nginx?.image ?? "") ?? [];
    expect([Number(major), Number(minor) >= 28]).toEqual([1, true]);
  });

  it("exposes https alone to the network, and metrics nowhere", () => {
    const published = Object.values(services).flatMap(({ ports = [] }) => ports);
    expect(published).toEqual([`443:${nginx.match(/listen (\d+) ssl/)?.[1]}`]);
    expect(nginx.match(/^\s*listen /gm)).toHaveLength(1);
    const metrics = companion.environment?.FEED_METRICS?.split(":").at(-1) as string;
    expect(nginx).not.toContain(metrics);
  });

  it("mounts files that exist or that the page says to create", () => {
    const sources = Object.values(services).flatMap(({ volumes = [] }) => volumes.map((each) => each.split(":")[0]));
    const secrets = Object.values(compose.secrets as Record<string, { file: string }>).map(({ file }) => file);
    for (const source of [...sources, ...secrets] as string[]) {
      if (existsSync(join(ROOT, FOLDER, source))) continue;
      expect(page).toContain(source.slice(2));
    }
    for (const name of listAll(nginx, /\/run\/secrets\/([\w-]+)/g)) expect(services.nginx?.secrets).toContain(name);
  });

  it("retries reads alone on another instance", () => {
    const [before = "", reads = ""] = nginx.split("location /companion/relay/");
    expect(before).not.toContain("non_idempotent;");
    expect(reads).toContain("proxy_next_upstream error timeout non_idempotent;");
    expect(nginx).not.toMatch(/proxy_next_upstream [^;]*http_/);
  });

  it("allows an instance as many files as connections, as the service does", () => {
    expect(companion.ulimits?.nofile).toBeGreaterThan(2 * 8000);
    expect(Number(unit.match(/^LimitNOFILE=(\d+)$/m)?.[1])).toBe(companion.ulimits?.nofile);
  });

  it("stops an instance only after pending calls, as the service does", () => {
    expect(Number.parseInt(companion.stop_grace_period ?? "", 10) * 1000).toBeGreaterThan(CLOSING_MS);
    expect(Number(unit.match(/^TimeoutStopSec=(\d+)$/m)?.[1]) * 1000).toBeGreaterThan(CLOSING_MS);
  });
});

describe("the service", () => {
  it("starts the built program with the service manager's copies of secrets", () => {
    expect(unit).toMatch(
      /^ExecStart=\/usr\/bin\/node \/opt\/feed-for-excel\/feed\.mjs start --settings %d\/settings\.json$/m,
    );
    expect(listAll(unit, /^LoadCredential=([\w.-]+):/gm)).toEqual([
      ...["settings.json", "key.pem", "sign-in.key", "sign-in.txt", "store.txt"],
    ]);
    // The settings name the copies without a folder, which is each instance's own.
    expect(unit).toMatch(/^WorkingDirectory=%d$/m);
    const [, added = ""] = /^Add to `settings\.json`:\n\n```json\n([\s\S]*?),\n```$/m.exec(page) ?? [];
    const both = Object.entries({ ...systemd, ...JSON.parse(`{${added}}`) });
    const named = both.filter(([name]) => name.endsWith("_FILE") && name !== "FEED_ROLES_FILE");
    expect(named.map(([, file]) => file).sort()).toEqual(["key.pem", "sign-in.key", "sign-in.txt", "store.txt"]);
    expect(unit).toContain("ExecReload=/bin/kill -HUP $MAINPID");
  });

  it("gives each instance its own port, metrics and audit log", () => {
    const places = ["PORT", "FEED_METRICS", "FEED_AUDIT_FILE"].map((name) => {
      expect(systemd).not.toHaveProperty(name);
      return unit.match(new RegExp(`^Environment=${name}=(.+)$`, "m"))?.[1]?.replace("%i", "2");
    });
    expect(places).toEqual(["3002", "127.0.0.1:9462", "/var/log/feed-for-excel/audit-2.jsonl"]);
    expect(page).toContain("/var/log/feed-for-excel/audit-*.jsonl");
    // Instances that share folders need one user, which a dynamic one is by its name.
    expect(unit).toMatch(/^User=feed-for-excel$/m);
  });

  it("sets for Node and its allocator what the image sets", () => {
    expect(DEPLOYED).toEqual({ NODE_ENV: "production", MALLOC_ARENA_MAX: "2" });
    for (const [name, value] of Object.entries(DEPLOYED)) expect(unit).toContain(`\nEnvironment=${name}=${value}\n`);
  });

  it("cannot reach cloud metadata addresses, write memory to disk or see other mounts", () => {
    expect(unit).toMatch(/^IPAddressDeny=link-local multicast .*100\.100\.100\.200\/32 fd00:ec2::254\/128$/m);
    for (const line of ["LimitCORE=0", "MemorySwapMax=0", "PrivateMounts=yes", "PrivateIPC=yes", "KeyringMode=private"])
      expect(unit).toMatch(new RegExp(`^${line}$`, "m"));
    expect(unit).toContain("IPAddressDeny=any, IPAddressAllow=");
  });

  it("stores its pairings in a folder that survives a restart", () => {
    expect(unit).toMatch(/^StateDirectory=feed-for-excel$/m);
    expect(unit).toMatch(/^StateDirectoryMode=0700$/m);
    // A dynamic user has no home folder, and the pairings are below it.
    expect(unit).toMatch(/^Environment=HOME=\/var\/lib\/feed-for-excel$/m);
    expect(page).toContain("-p StateDirectory=feed-for-excel -E HOME=/var/lib/feed-for-excel");
  });
});

it("guide and runbook name the metrics as the code does", () => {
  const files = ["metrics", "operations"].map((name) => join(ROOT, `src/firm/reporting/${name}.ts`));
  const metrics = files.map((file) => readFileSync(file, "utf8")).join("");
  const figures = listAll(page + runbook, /`(feed_[a-z_]+)`/g);
  expect(figures.length).toBeGreaterThan(0);
  expect(figures.filter((name) => !metrics.includes(`"${name}"`))).toEqual([]);
});

let metrics: string;

beforeAll(async () => {
  const [answers, ownAnswers] = [createMemoryAnswers(), createMemoryAnswers()];
  const stores = { standing: () => "shared" as const, answers, ownAnswers };
  const created = createMetrics({ provider: () => createProvider(), stores, certificateEndMs: () => Date.now() });
  metrics = await created.read();
  created.close();
});

/** The names of metrics in an expression; Prometheus itself adds "up". */
function listUnknown(expr: string): string[] {
  const named = expr.match(/\b(feed|process|nodejs)_\w+/g) ?? [];
  return named.filter((name) => !new RegExp(`^${name}[{ ]`, "m").test(metrics));
}

describe("the alert rules", () => {
  it("are eight, each with severity, summary and a chapter of the runbook", () => {
    expect(NAMES).toHaveLength(8);
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

it("the Grafana dashboard has panels of metrics that a companion has, each with a place of its own", () => {
  const { panels, title } = JSON.parse(read("grafana-dashboard.json"));
  const targets: { expr: string }[] = panels.flatMap(({ targets }: { targets: { expr: string }[] }) => targets);
  expect(title).toBe("FEED for Excel");
  expect(targets.filter(({ expr }) => expr === "")).toEqual([]);
  expect(targets.flatMap(({ expr }) => listUnknown(expr))).toEqual([]);
  const places = panels.map(({ gridPos: { x, y } }: { gridPos: { x: number; y: number } }) => `${x} ${y}`);
  expect(new Set(places).size).toBe(panels.length);
  const titles: string[] = panels.map((panel: { title: string }) => panel.title);
  const named = [...runbook.matchAll(/\*([A-Z][\w ]+)\*/g)].map(([, name = ""]) => name);
  expect(named.filter((name) => !titles.includes(name) && !name.startsWith("The server"))).toEqual([]);
});
