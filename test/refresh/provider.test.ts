import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "@jest/globals";
import { readCertificate, renewCertificate } from "../../src/companion/certificate";
import { UsageError } from "../../src/companion/commands/results";
import { ConfigurationError } from "../../src/companion/configuration/reading";
import { type OpenedProvider, openProvider, type ProviderOptions } from "../../src/refresh/provider";
import { startPaired } from "../companion/paired-companion";
import { createConfiguration, withFirm } from "../companion/test-configuration";
import { createSignIn } from "../firm/sign-in/firm";
import { itOnPosix } from "../support/posix";
import { startSandbox } from "../support/provider";
import { createHome, toEnvironment } from "./command-surroundings";

const home = createHome();
const ends: (() => Promise<unknown>)[] = [];

async function open(options: ProviderOptions, environment: NodeJS.ProcessEnv = {}): Promise<OpenedProvider> {
  const provider = await openProvider(options, home.surroundings(environment));
  ends.push(provider.close);
  return provider;
}

/** Reads what a companion says of itself, as the formulas do. */
async function readConfig({ url, bearer, fetch }: OpenedProvider) {
  const headers = { "feed-client": "excel", ...(bearer !== null && { "feed-pairing": bearer }) };
  return (await fetch(`${url}/companion/config`, { headers })).json();
}

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

describe("the person's own provider", () => {
  it("is read by a companion of this process alone, which writes nothing and serves no page", async () => {
    const sandbox = await startSandbox({ companies: 20 });
    ends.push(sandbox.close);
    const provider = await open({}, { ...toEnvironment(sandbox), PORT: "1", HOST: "localhost" });
    const { clientId: client, baseUrl } = sandbox;
    expect(provider.describe).toEqual({ client, provider: baseUrl, mode: "key" });
    expect(provider.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(await readConfig(provider)).toMatchObject({ sample: false, baseUrl, settable: [] });
    expect((await fetch(`${provider.url}/companion/config`, { headers: { "feed-client": "excel" } })).status).toBe(401);
    expect((await fetch(`${provider.url}/taskpane.html`)).status).toBe(404);
    expect(readdirSync(home.folder)).toEqual([]);
  });

  it("is sample data without any setting", async () => {
    const provider = await open({});
    expect([provider.bearer, provider.describe]).toEqual([null, { client: null, provider: "sample", mode: "sample" }]);
    expect(await readConfig(provider)).toMatchObject({ sample: true });
  });

  it("is refused with all mistakes of the settings", async () => {
    await expect(open({}, { FEED_BASE_URL: "http://feed.example.com" })).rejects.toThrow(ConfigurationError);
  });
});

describe("a companion that runs", () => {
  it("is paired once by a code, which is kept for the commands after it", async () => {
    const { port, pairings, app } = await startPaired();
    ends.push(() => app.close());
    const companion = `http://localhost:${port}`;
    const refused = await open({ companion }).catch((error) => error);
    expect(refused).toBeInstanceOf(ConfigurationError);
    const [, name = ""] = /pair ([2-9A-Z]{4}) /.exec(refused.message) ?? [];
    // Repeated before the code is there, it asks for the same one.
    await expect(open({ companion })).rejects.toThrow(`pair ${name} `);
    await expect(open({ companion, code: "AAAA-AAAA" })).rejects.toThrow(/^The code is wrong, or has ended\./);
    const { code } = await pairings.issue(name);
    const { bearer, ...first } = await open({ companion, code });
    expect(first.describe).toEqual({
      client: "client-1",
      provider: createConfiguration().provider?.baseUrl,
      mode: "pairing",
    });
    expect(await open({ companion })).toMatchObject({ bearer, url: companion });
    expect(await readConfig(await open({ companion }))).toMatchObject({ sample: false });
    await pairings.revoke();
    await expect(open({ companion })).rejects.toThrow(/This command is not paired/);
  });

  itOnPosix("is kept in a file of the person alone", () => {
    const path = join(home.folder, "companions.json");
    expect([statSync(path).mode & 0o777, Object.keys(JSON.parse(readFileSync(path, "utf8"))).length]).toEqual([
      0o600, 1,
    ]);
  });

  it("needs no pairing with sample data", async () => {
    const { port, app } = await startPaired({ configuration: createConfiguration(undefined, { provider: undefined }) });
    ends.push(() => app.close());
    const { bearer, describe } = await open({ companion: `http://127.0.0.1:${port}` });
    expect([bearer, describe]).toEqual([null, { client: null, provider: "sample", mode: "sample" }]);
  });

  it("is reached by https with the person's own authority, and no other", async () => {
    const folder = join(home.folder, "certificates");
    const certificate = await renewCertificate(folder);
    const { port, app } = await startPaired({
      certificate,
      configuration: createConfiguration(undefined, { provider: undefined }),
    });
    ends.push(() => app.close());
    const companion = `https://localhost:${port}`;
    expect((await open({ companion })).describe.mode).toBe("sample");
    await renewCertificate(folder);
    expect(readCertificate(folder)?.authority).not.toBe(certificate.authority);
    await expect(open({ companion })).rejects.toThrow(/was not reached/);
  });

  it("is named where it does not answer", async () => {
    const { port, app } = await startPaired();
    await app.close();
    await expect(open({ companion: `http://localhost:${port}` })).rejects.toThrow(
      `The companion http://localhost:${port} was not reached (ECONNREFUSED).`,
    );
  });

  it.each(["localhost:3000", "http://feed.example.com", "https://feed.example.com/taskpane.html", "x"])(
    "is not %s",
    async (companion) => {
      await expect(open({ companion })).rejects.toThrow(UsageError);
    },
  );

  it("says what to do where people sign in", async () => {
    const signIn = createSignIn("https://login.example.com");
    const { port, app } = await startPaired({
      configuration: createConfiguration(undefined, { mode: "relay", features: withFirm({ signIn }) }),
    });
    ends.push(() => app.close());
    await expect(open({ companion: `http://localhost:${port}` })).rejects.toThrow(
      /^People sign in at the companion http:\/\/localhost:\d+, and a command cannot: give it a client's key/,
    );
  });
});
