import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, jest } from "@jest/globals";
import ts from "typescript";
import { parse, parseAllDocuments } from "yaml";
import { createSignInKey } from "../../src/companion/key-folder";
import { CLOSING_MS } from "../../src/companion/listener";
import type { runToEnd as RunToEnd } from "../companion/command-run";
import { type RunningProvider, startSandbox } from "../support/provider";
import DEPLOYED from "./deployed.json";
import { readNginx } from "./nginx-settings";

const FOLDER = join(__dirname, "../../src/firm/deploy");
const read = (name: string) => readFileSync(join(FOLDER, name), "utf8");
const folder = mkdtempSync(join(tmpdir(), "feed-deployed-"));

/** What an administrator writes in place of each placeholder. */
const VALUES: Readonly<Record<string, string>> = DEPLOYED.values;

let provider: RunningProvider;
let runToEnd: typeof RunToEnd;
beforeAll(async () => {
  // The store and the identity provider of the examples are of nobody's.
  jest.resetModules();
  jest.doMock("../../src/firm/stores/redis", () => ({
    createRedisStores: () => ({ join: async () => false, close: async () => {} }),
  }));
  const discover = () => Promise.reject(new Error("The identity provider is elsewhere."));
  jest.doMock("../../src/firm/sign-in/identity-provider", () => ({
    createIdentityProvider: () => ({ discover, close: async () => {} }),
  }));
  ({ runToEnd } = await import("../companion/command-run"));
  provider = await startSandbox({ companies: 10 });
  const key = String(provider.privateKey.export({ type: "pkcs8", format: "pem" }));
  const files = { "key.pem": key, "store.txt": "a", "sign-in.txt": "b", "roles.json": read("roles.example.json") };
  for (const [name, text] of Object.entries(files)) write(name, text);
  createSignInKey(join(folder, "sign-in.key"));
});
afterAll(async () => {
  await provider.close();
  rmSync(folder, { recursive: true });
});

function write(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text, { mode: 0o600 });
  return path;
}

/** Fills placeholders in; the provider is the test's own, and the mounted folders are the test's. */
function fill(settings: string): string {
  return settings
    .replace("https://<the provider's host>", provider.baseUrl)
    .replace(/<([^<>]+)>/g, (_, name: string) => VALUES[name] ?? `<${name}>`)
    .replace(/"((key|store|sign-in)\.\w+)"/g, `"${folder}/$1"`)
    .replace(/\/(run\/secrets|etc)\/feed-for-excel(?=\/)/g, folder);
}

/** Runs `check` with a file of settings, as the deployment starts the companion. */
const check = (settings: string, environment: Record<string, string> = {}) =>
  runToEnd(["check", "--settings", write("settings.json", settings)], {
    ...{ environment, folder, certificateFolder: folder },
  });

const NO_STORE =
  "FAIL  The server of FEED_STORE does not answer: see whether it runs, and check its address and password.";
const NO_ISSUER = "FAIL  The identity provider is elsewhere.";
const PASSED = {
  failed: [NO_STORE, NO_ISSUER],
  lines: expect.arrayContaining([
    "pass  The settings are complete.",
    "pass  The client may read companies, financials, taxonomies and rankings.",
  ]),
};

describe("the command check misses only servers once the placeholders are filled", () => {
  it("for Docker", async () => {
    const { environment } = parse(read("compose.yaml"), { merge: true }).services["companion-1"];
    const own = {
      ALLOWED_ORIGINS: "https://feed.example.com",
      FEED_STORE_PASSWORD_FILE: join(folder, "store.txt"),
      FEED_SIGN_IN_KEY_FILE: join(folder, "sign-in.key"),
    };
    expect(await check(fill(read("settings.docker.json")), { ...environment, ...own })).toMatchObject(PASSED);
  });

  it("for systemd", async () => {
    mkdirSync(join(folder, "log"));
    const unit = read("feed-for-excel@.service").replaceAll("%i", "1");
    const environment = Object.fromEntries(
      [...unit.matchAll(/^Environment=(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
    );
    const audit = {
      FEED_AUDIT_FILE: environment.FEED_AUDIT_FILE.replace("/var/log/feed-for-excel", join(folder, "log")),
    };
    expect(await check(fill(read("settings.systemd.json")), { ...environment, ...audit })).toMatchObject({
      ...PASSED,
      failed: [NO_ISSUER],
    });
  });

  it("for Kubernetes, whose Secret has each file", async () => {
    const documents = parseAllDocuments(read("kubernetes.yaml")).map((document) => document.toJS());
    const { stringData } = documents.find(({ kind }) => kind === "Secret");
    write("roles.json", stringData["roles.json"]);
    expect(Object.keys(stringData)).toEqual([
      ...["settings.json", "roles.json", "key.pem", "sign-in.key", "sign-in.txt", "store.txt"],
    ]);
    expect(await check(fill(stringData["settings.json"]))).toMatchObject(PASSED);
  });
});

it.each(["docker", "systemd"])("the command check names each placeholder that is left for %s", async (system) => {
  const name = `settings.${system}.json`;
  const { failed } = await check(read(name));
  const left = Object.keys(VALUES).filter((each) => read(name).includes(`<${each}>`));
  for (const each of left) expect(failed.join("\n")).toContain(`<${each}>`);
  expect(left.length).toBeGreaterThan(3);
});

const ROOT = join(__dirname, "../..");
const FILE = join(ROOT, "src/firm/deploy/kubernetes.yaml");
/** Where the types of each kind stand in kubernetes-types. */
const KINDS: Readonly<Record<string, string>> = DEPLOYED.kinds;

// biome-ignore lint/suspicious/noExplicitAny: each kind has a shape of its own, which the types below check
const documents: any[] = parseAllDocuments(readFileSync(FILE, "utf8")).map((document) => document.toJS());
const find = (kind: string, name = "feed-for-excel") =>
  documents.find((each) => each.kind === kind && each.metadata.name === name);
const deployment = find("Deployment");
const pod = deployment.spec.template.spec;
const [companion] = pod.containers;
const settings = JSON.parse(find("Secret").stringData["settings.json"]);

const OPTIONS = {
  strict: true,
  types: [],
  lib: ["lib.es5.d.ts"],
  module: ts.ModuleKind.Node16,
  moduleResolution: ts.ModuleResolutionKind.Node16,
};

/** Lists what is wrong with each object by the types of Kubernetes' own schema: unknown, missing and mistyped fields. */
function listMistakes(objects: readonly { apiVersion: string; kind: string }[]): string[] {
  const texts = new Map(
    objects.map((object, index) => {
      const { apiVersion, kind } = object;
      const place = KINDS[`${apiVersion} ${kind}`] ?? "none";
      const text = `import type { ${kind} } from "kubernetes-types/${place}";
export const object: ${kind} = ${JSON.stringify(object)};`;
      return [join(ROOT, `kubernetes-object-${index}.ts`), text];
    }),
  );
  const host = ts.createCompilerHost(OPTIONS);
  const readSource = host.getSourceFile.bind(host);
  host.getSourceFile = (name, target, ...rest) => {
    const text = texts.get(name);
    return text === undefined ? readSource(name, target, ...rest) : ts.createSourceFile(name, text, target);
  };
  const program = ts.createProgram([...texts.keys()], OPTIONS, host);
  return [...texts.keys()].map((name) =>
    program
      .getSemanticDiagnostics(program.getSourceFile(name))
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"))
      .join("\n"),
  );
}

/** The deployment with a change of its container. */
function change(fields: object) {
  const spec = { ...pod, containers: [{ ...companion, ...fields }] };
  return { ...deployment, spec: { ...deployment.spec, template: { ...deployment.spec.template, spec } } };
}

describe("the objects for Kubernetes", () => {
  it("are of its schema, which knows every field", () => {
    const mistakes = listMistakes([...documents, change({ readinesProbe: {} }), change({ image: 1 })]);
    expect(mistakes.slice(0, -2)).toEqual(documents.map(() => ""));
    expect(mistakes.at(-2)).toContain("'\"readinesProbe\"' does not exist in type 'Container'");
    expect(mistakes.at(-1)).toContain("Type 'number' is not assignable to type 'string'");
    expect(documents.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(["Deployment", "Service", "Ingress", "Secret", "PodDisruptionBudget"]),
    );
  });

  it("lead from the Ingress to the instances", () => {
    const [rule] = find("Ingress").spec.rules;
    const [{ backend }] = rule.http.paths;
    const service = find("Service", backend.service.name);
    const [port] = service.spec.ports;
    expect([port.name, port.targetPort]).toEqual([backend.service.port.name, "http"]);
    expect(companion.ports).toContainEqual({ name: "http", containerPort: Number(settings.PORT) });
    for (const selector of [
      service.spec.selector,
      ...["PodDisruptionBudget", "Deployment"].map((kind) => find(kind).spec.selector.matchLabels),
    ])
      expect(deployment.spec.template.metadata.labels).toEqual(selector);
    expect(find("Ingress").spec.tls[0].hosts).toEqual([rule.host]);
    expect(settings.ALLOWED_ORIGINS).toBe(`https://${rule.host}`);
  });

  it("ask an instance whether it is ready, and keep one through maintenance and updates", () => {
    expect(companion.readinessProbe.httpGet).toEqual({ path: "/readyz", port: "http" });
    expect(companion.livenessProbe.httpGet).toEqual({ path: "/healthz", port: "http" });
    expect(find("PodDisruptionBudget").spec.minAvailable).toBeLessThan(deployment.spec.replicas);
    expect(deployment.spec.strategy.rollingUpdate.maxUnavailable).toBe(0);
    expect(pod.terminationGracePeriodSeconds * 1000).toBeGreaterThan(CLOSING_MS);
  });

  it("offer of nginx.conf what an Ingress can: one at work, limits, times; and probes in place of its question", () => {
    const nginx = readNginx("nginx.conf");
    const { annotations } = find("Ingress").metadata;
    const get = (name: string) => annotations[`nginx.ingress.kubernetes.io/${name}`];
    const read = (pattern: RegExp) => pattern.exec(nginx)?.[1];
    expect(get("upstream-hash-by")).toMatch(/^\w+$/);
    expect(get("proxy-body-size")).toBe(read(/client_max_body_size (\w+);/));
    expect(get("proxy-connect-timeout")).toBe(read(/proxy_connect_timeout (\d+)s;/));
    expect(get("proxy-read-timeout")).toBe(read(/proxy_read_timeout (150)s;/));
    expect(get("proxy-next-upstream")).toBe(read(/proxy_next_upstream (error timeout);/));
    expect(get("limit-rps")).toBe(read(/rate=(\d+)r\/s/));
    expect(get("limit-rps") * get("limit-burst-multiplier")).toBe(Number(read(/burst=(\d+)/)));
    expect(get("limit-connections")).toBe(read(/limit_conn \w+ (\d+);/));
    const { periodSeconds, timeoutSeconds, failureThreshold } = companion.readinessProbe;
    // Below the 10 seconds after which a pane asks a second time.
    expect(failureThreshold * periodSeconds + timeoutSeconds).toBeLessThan(10);
    expect(readFileSync(join(ROOT, "docs/firm.md"), "utf8")).toMatch(/no more requests after\s+six\s+seconds/);
  });

  it("mount the files that the settings name, for the instance's user alone", () => {
    const [mount] = companion.volumeMounts;
    const { secret } = pod.volumes.find(({ name }: { name: string }) => name === mount.name);
    expect([secret.defaultMode, pod.securityContext.fsGroup]).toEqual([0o440, pod.securityContext.runAsUser]);
    const named = Object.values(settings).filter((value) => String(value).startsWith(`${mount.mountPath}/`));
    const files = Object.keys(find("Secret").stringData).map((name) => `${mount.mountPath}/${name}`);
    expect(named.filter((path) => !files.includes(String(path)))).toEqual([]);
    expect(named).toHaveLength(5);
  });

  it("add no variables of services, whose names the companion would take for settings", () => {
    expect(pod.enableServiceLinks).toBe(false);
  });

  it("take unneeded rights from every container", () => {
    for (const { spec } of documents.filter(({ kind }) => kind === "Deployment").map((each) => each.spec.template)) {
      expect(spec).toMatchObject({ automountServiceAccountToken: false, securityContext: { runAsNonRoot: true } });
      expect(spec.containers[0].securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ["ALL"] },
      });
    }
  });

  it("let only the instances reach the store", () => {
    const store = find("NetworkPolicy", "feed-for-excel-valkey").spec;
    expect(find("Deployment", "feed-for-excel-valkey").spec.template.metadata.labels).toEqual(
      store.podSelector.matchLabels,
    );
    expect(store.ingress).toEqual([
      { from: [{ podSelector: { matchLabels: deployment.spec.template.metadata.labels } }], ports: [{ port: 6379 }] },
    ]);
    expect(new URL(settings.FEED_STORE).hostname).toBe(find("Service", "feed-for-excel-valkey").metadata.name);
  });
});
