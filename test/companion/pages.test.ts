import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { UsageError } from "../../src/companion/commands/results";
import { type Configuration, readConfiguration } from "../../src/companion/configuration";
import { toManifest } from "../../src/companion/manifest";
import { CLIENT_HEADER, CLIENT_NAME } from "../../src/contract/companion-api";
import { ASSERTION_TYPE, GRANT_TYPE } from "../../src/contract/constants";
import { readTestCertificate } from "../support/certificate";
import { runWell } from "./command-run";
import { COMPLETE } from "./complete-settings";
import HOSTS from "./framing-hosts.json";
import PAGES from "./pages.json";
import { createPages } from "./pages-folder";
import { type PairedCompanion, startPaired } from "./paired-companion";
import { sendRaw } from "./raw-request";
import { createConfiguration } from "./test-configuration";

const ENVIRONMENT = { HOST: "127.0.0.1", PORT: "0", LOG_LEVEL: "silent" };
let companion: PairedCompanion;

beforeAll(async () => {
  companion = await startPaired({ configuration: readConfiguration(ENVIRONMENT) });
});
afterAll(() => companion.app.close());

/** Requests a page as a browser that is not paired. */
const get = (path: string, headers?: Record<string, string>) => sendRaw(companion.port, "GET", path, headers);

const readPolicy = async (path: string): Promise<string[]> =>
  String((await get(path)).headers["content-security-policy"]).split(";");

/** The sources of the pane's frame-ancestors, 'self' first. */
async function readAncestors(): Promise<string[]> {
  const policy = await readPolicy("/taskpane.html");
  const directive = policy.find((each) => each.startsWith("frame-ancestors ")) ?? "";
  return directive.split(" ").slice(1);
}

/** Whether a source of the policy allows an origin; a wildcard stands for one label or more, as in CSP Level 3. */
function isAllowing(source: string, origin: string): boolean {
  const [scheme, host] = source.split("//");
  const [ownScheme, ownHost = ""] = origin.split("//");
  if (scheme !== ownScheme) return false;
  return host?.startsWith("*.") ? ownHost.endsWith(host.slice(1)) : ownHost === host;
}

describe("the pages", () => {
  it("open with the playground", async () => {
    const { status, headers } = await get("/");
    expect([status, headers.location]).toEqual([302, "/playground.html"]);
  });

  it.each(Object.entries(PAGES.types))("serve %s with revalidation", async (path, type) => {
    const { status, headers } = await get(path);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      "content-type": type,
      "cache-control": "no-cache",
      "x-content-type-options": "nosniff",
    });
    const again = await get(path, { "if-none-match": String(headers.etag) });
    expect(again.status).toBe(304);
  });

  it("serve the icons for a day", async () => {
    const { status, headers } = await get("/assets/icon-16.png");
    const expected = [200, "image/png", "public, max-age=86400"];
    expect([status, headers["content-type"], headers["cache-control"]]).toEqual(expected);
  });

  it("can be framed by Office and read by Excel on the web", async () => {
    const { headers } = await get("/taskpane.html");
    for (const name of ["x-frame-options", "strict-transport-security", "cross-origin-opener-policy"]) {
      expect(headers[name]).toBeUndefined();
    }
    expect(headers).toMatchObject({
      "cross-origin-resource-policy": "cross-origin",
      "access-control-allow-origin": "*",
      "referrer-policy": "same-origin",
    });
  });

  it.each(Object.entries(HOSTS.allowed))("can be framed by Excel on the web and Teams: %s", async (_cloud, hosts) => {
    const sources = await readAncestors();
    expect(hosts.filter((host) => !sources.some((source) => isAllowing(source, `https://${host}`)))).toEqual([]);
  });

  it.each(HOSTS.refused)("cannot be framed by %s", async (origin) => {
    expect((await readAncestors()).filter((source) => isAllowing(source, origin))).toEqual([]);
  });

  it("can be framed by the hosts that an administrator reads of, and by no others", async () => {
    const guide = readFileSync(join(__dirname, "../../docs/firm.md"), "utf8");
    const [, table = ""] = guide.split("\n| cloud | hosts |\n|---|---|\n");
    const [rows = ""] = table.split("\n\n");
    const listed = [...rows.matchAll(/`([^`]+)`/g)].map(([, host]) => `https://${host}`);
    expect([...new Set(listed)].toSorted()).toEqual((await readAncestors()).slice(1).toSorted());
  });

  it("let Excel on the web read the formulas and the keyboard shortcuts from its own origin", async () => {
    for (const path of ["/functions.json", "/shortcuts.json"]) {
      const { headers } = await get(path, { origin: "https://excel.cloud.microsoft" });
      expect(headers["access-control-allow-origin"]).toBe("*");
    }
  });

  it("load scripts from themselves, the pane also from Office, and compile none", async () => {
    expect(await readPolicy("/taskpane.html")).toContain("script-src 'self' https://appsforoffice.microsoft.com");
    for (const path of ["/playground.html", "/playground-pane.html", "/reference/", "/%70layground.html"]) {
      expect(await readPolicy(path)).toContain("script-src 'self'");
    }
  });

  it.each(PAGES.framedByThemselves)("are framed by themselves alone: %s", async (path) => {
    expect(await readPolicy(path)).toContain("frame-ancestors 'self'");
  });

  it("load workers from themselves; the service worker may load the same as they do", async () => {
    expect(await readPolicy("/taskpane.html")).toContain("worker-src 'self'");
    const expected = ["default-src 'none'", "connect-src 'self' https://appsforoffice.microsoft.com"];
    expect(await readPolicy("/offline.js")).toEqual(expected);
  });

  it("report untrusted types in the pane and on every page that compiles nothing", async () => {
    const policyOf = async (path: string) => (await get(path)).headers["content-security-policy-report-only"];
    for (const path of ["/taskpane.html", "/taskpane.html?/playground.html", "/reference/"]) {
      expect(await policyOf(path)).toBe("require-trusted-types-for 'script'");
    }
    for (const path of ["/playground.html", "/functions.js"]) expect(await policyOf(path)).toBeUndefined();
  });

  it.each(PAGES.folders)("lead from the folder %s to its documents, and nowhere else", async (path, place) => {
    const { status, headers } = await get(path);
    expect([status, headers.location]).toEqual([301, place]);
    expect((await get(place)).status).toBe(200);
  });

  const unserved = ["/../package.json", "/%2e%2e/package.json", "/.hidden", "/assets/", "/absent.html"];
  it.each(unserved)("do not serve %s", async (path) => {
    const { status, body } = await get(path);
    expect([403, 404]).toContain(status);
    expect(body).not.toContain("hidden\n");
  });
});

describe("the playground", () => {
  /** Starts a companion with settings, and acts on its pages. */
  async function open(settings: Record<string, string>, act: (read: typeof get) => Promise<void>) {
    const configuration = readConfiguration({ ...COMPLETE, ...ENVIRONMENT, ...settings });
    const own = await startPaired({ configuration });
    await act((path) => sendRaw(own.port, "GET", path)).finally(() => own.app.close());
  }

  const off = Object.entries<Record<string, string>>(PAGES.playgroundOff);
  it.each(off)("is off if %s, at any address, and the pages open with the pane", (_where, settings) =>
    open(settings, async (read) => {
      for (const path of PAGES.playground) {
        const { status, body } = await read(path);
        expect([path, status < 400, body.includes("<title>")]).toEqual([path, false, false]);
      }
      expect((await read("/playground.html")).body).toContain("switches it on with PLAYGROUND=on");
      expect((await read("/")).headers.location).toBe("/taskpane.html");
      expect((await read("/taskpane.html")).status).toBe(200);
    }),
  );

  it.each(Object.entries<Record<string, string>>(PAGES.playgroundOn))("is served by %s", (_whose, settings) =>
    open(settings, async (read) => {
      expect((await read("/playground.html")).status).toBe(200);
      expect((await read("/")).headers.location).toBe("/playground.html");
    }),
  );
});

const BUILT = readFileSync(join(__dirname, "../../manifest.xml"), "utf8");
const ELSEWHERE = ["--origin", "https://feed.example.com", "--namespace", "ACME"];

function createWeb(manifest = BUILT): string {
  const webFolder = createPages();
  writeFileSync(join(webFolder, "manifest.xml"), manifest);
  return webFolder;
}

const run = async (words: string[], webFolder = createWeb()) =>
  (await runWell(["manifest", ...words], { webFolder })).join("\n");

const readId = (manifest: string) => /<Id>([^<]+)/.exec(manifest)?.[1];

describe("the command manifest", () => {
  it("prints the built manifest for its own origin and namespace", async () => {
    expect(await run(["--origin", "https://localhost:3000"])).toBe(BUILT.trimEnd());
  });

  it("changes every URL to another origin, and every name to another namespace", async () => {
    const manifest = await run(ELSEWHERE);
    expect(manifest).not.toMatch(/localhost|FEED/);
    expect(manifest).toContain(
      '<SourceLocation DefaultValue="https://feed.example.com/taskpane.html?namespace=ACME"/>',
    );
    expect(manifest).toContain('<bt:String id="Functions.Namespace" DefaultValue="ACME"/>');
  });

  it("gives one id for the same deployment, and another for any other", async () => {
    const ids = await Promise.all(
      [
        ELSEWHERE,
        ["--origin", "https://feed.example.com/", "--namespace", "ACME"],
        ["--origin", "https://feed.example.com"],
        ["--origin", "https://localhost:3000", "--namespace", "ACME"],
      ].map(async (words) => readId(await run(words))),
    );
    expect(ids[0]).toBe("89099b07-2da7-5650-bdfd-eaf8c2cd3ba9");
    expect(ids[1]).toBe(ids[0]);
    expect(new Set([...ids, readId(BUILT)]).size).toBe(4);
  });

  it("starts from any built manifest: a round trip restores the original", async () => {
    const there = createWeb(await run(ELSEWHERE));
    expect(await run(ELSEWHERE, there)).toBe(readFileSync(join(there, "manifest.xml"), "utf8"));
    expect(await run(["--origin", "https://localhost:3000"], there)).toBe(BUILT.trimEnd());
  });

  it("writes a file, and explains its use", async () => {
    const file = join(mkdtempSync(join(tmpdir(), "feed-manifest-")), "acme.xml");
    const said = await run([...ELSEWHERE, "--out", file]);
    expect(said).toBe(`${file} installs the add-in from https://feed.example.com, its formulas as ACME.`);
    expect(readFileSync(file, "utf8").trimEnd()).toBe(await run(ELSEWHERE));
  });

  it.each(PAGES.invalidOrigins)("refuses the origin %j, with an example", async (origin) => {
    const outcome = await run(["--origin", origin]).catch((error: Error) => error);
    expect(outcome).toBeInstanceOf(UsageError);
    expect(String(outcome)).toContain(
      `Option '--origin <origin>' argument '${origin}' is invalid. Give https, a host and perhaps a port`,
    );
  });

  it("requires an origin", async () => {
    await expect(run([])).rejects.toThrow(
      new UsageError("Required option '--origin <origin>' not specified. Try: npm run companion -- manifest --help"),
    );
  });

  const invalid = ["acme", "A", "A_B", "9FEED", "ACME.CORP", "株式", "A".repeat(21), ""];
  it.each(invalid)("refuses the namespace %j, and writes nothing", async (namespace) => {
    const file = join(mkdtempSync(join(tmpdir(), "feed-manifest-")), "acme.xml");
    const words = ["--origin", "https://feed.example.com", "--namespace", namespace, "--out", file];
    const outcome = await run(words).catch((error: Error) => error);
    expect(outcome).toBeInstanceOf(UsageError);
    expect(String(outcome)).toContain("2 to 20 capitals and digits");
    expect(existsSync(file)).toBe(false);
  });

  it("reports a missing build", async () => {
    await expect(run(ELSEWHERE, join(createPages(), "reference"))).rejects.toThrow(
      "The add-in is not built. Run: npm run build",
    );
  });
});

const ORIGIN = "https://feed.example.com";

/** Gives the tests of a group a companion that people reach by these addresses. */
function serveAt(origins: readonly string[], settings: Partial<Configuration> = {}) {
  let companion: PairedCompanion;
  beforeAll(async () => {
    companion = await startPaired({ configuration: createConfiguration(undefined, { origins, ...settings }) });
  });
  afterAll(() => companion.app.close());
  return (path: string) => sendRaw(companion.port, "GET", path, { origin: "https://excel.cloud.microsoft" });
}

describe("a firm's companion", () => {
  const get = serveAt([ORIGIN, "https://other.example.com"]);

  it("serves the manifest that the command makes for its first address", async () => {
    const { body, headers } = await get("/manifest.xml");
    expect(body).toBe(toManifest(BUILT, { origin: ORIGIN, namespace: "FEED" }));
    expect(body).not.toContain("localhost");
    expect(headers).toMatchObject({ "content-type": "application/xml; charset=utf-8", "cache-control": "no-cache" });
  });

  it.each(["/functions.json", "/functions-ja.json"])("links formulas' help at its first address: %s", async (path) => {
    const { headers, body } = await get(path);
    expect(JSON.parse(body).functions).toEqual([{ helpUrl: `${ORIGIN}/reference/STATUS.html` }]);
    expect(headers).toMatchObject({
      "content-type": "application/json; charset=utf-8",
      "access-control-allow-origin": "*",
      "x-content-type-options": "nosniff",
    });
  });
});

describe("a companion with a firm's own pages", () => {
  const { features } = readConfiguration({ PRIVACY_URL: "https://example.com/privacy" });
  const get = serveAt([ORIGIN], { features });

  it.each(["/reference/privacy.html", "/reference/ja/privacy.html"])("leads from %s to it", async (path) => {
    const { status, headers } = await get(path);
    expect([status, headers.location]).toEqual([302, "https://example.com/privacy"]);
  });

  it("serves its own page where the firm has none", async () => {
    expect((await get("/reference/support.html")).status).toBe(200);
  });
});

it("a companion of one person serves the files as they were built", async () => {
  expect((await get("/manifest.xml")).body).toBe(BUILT);
  expect((await get("/functions.json")).body).toContain("https://localhost:3000/reference/");
});

const STRANGER = { [CLIENT_HEADER]: CLIENT_NAME };
const FORM = { ...STRANGER, "content-type": "application/x-www-form-urlencoded" };
const JSON_TYPE = { ...STRANGER, "content-type": "application/json" };
const TREE = "/asia/industry-taxonomies/v1/tree";

const sample = { companies: 50 };

describe("the embedded sandbox", () => {
  it("is announced as sample data and uses the whole real path: sign, exchange, bearer, data", async () => {
    const { app, port } = await startPaired({ configuration: readConfiguration(ENVIRONMENT), sample });
    const config = JSON.parse((await sendRaw(port, "GET", "/companion/config", STRANGER)).body);
    expect(config).toMatchObject({ sample: true, transport: "proxy", baseUrl: `http://127.0.0.1:${port}/sandbox` });

    const { clientId, assertion } = JSON.parse(
      (await sendRaw(port, "POST", "/companion/assertion", JSON_TYPE, "{}")).body,
    );
    const form = new URLSearchParams({
      grant_type: GRANT_TYPE,
      client_id: clientId,
      client_assertion_type: ASSERTION_TYPE,
      client_assertion: assertion,
    });
    const exchanged = await sendRaw(port, "POST", "/companion/relay/token", FORM, form.toString());
    expect(exchanged.status).toBe(200);
    const bearer = { ...STRANGER, authorization: `Bearer ${JSON.parse(exchanged.body).access_token}` };
    const relayed = await sendRaw(port, "GET", `/companion/relay${TREE}`, bearer);
    const direct = await sendRaw(port, "GET", `/sandbox${TREE}`, bearer);
    expect([relayed.status, relayed.body]).toEqual([200, direct.body]);
    await app.close();
  });

  it("does not exist beside a provider", async () => {
    const { app, port, send } = await startPaired({ sample });
    expect(JSON.parse((await send("GET", "/companion/config")).body).sample).toBe(false);
    expect((await sendRaw(port, "GET", `/sandbox${TREE}`)).status).toBe(404);
    expect((await sendRaw(port, "POST", "/sandbox/token", FORM, "a=1")).status).toBe(404);
    await app.close();
  });

  it("is reached through the relay under the companion's own certificate", async () => {
    const certificate = await readTestCertificate();
    const configuration = readConfiguration({ ...ENVIRONMENT, HOST: "localhost" });
    const { app, port } = await startPaired({ configuration, certificate, sample });
    const status = await new Promise((resolve, reject) => {
      const path = `/companion/relay${TREE}`;
      const options = { host: "localhost", port, path, ca: certificate.authority, headers: STRANGER };
      request(options, (response) => resolve(response.resume().statusCode))
        .on("error", reject)
        .end();
    });
    expect(status).toBe(401);
    await app.close();
  });
});
