import type { RequestListener } from "node:http";
import { afterEach, describe, expect, it, jest } from "@jest/globals";
import { createPorts } from "../../src/client/ports";
import { createKeySigner } from "../../src/companion/assertion";
import { createProviderClock, loadSkewMs, toClockSentence, toSkewMs } from "../../src/companion/clock";
import type { Configuration } from "../../src/companion/configuration";
import { DIRECT } from "../../src/companion/network";
import { createSession, type Session } from "../../src/session/session";
import { awaitAnswer } from "../support/feed";
import { type RunningProvider, startSandbox } from "../support/provider";
import { createStorage } from "../support/storage";
import CLOCKS from "./clock-differences.json";
import { type PairedCompanion, startPaired } from "./paired-companion";
import { createProviderServer } from "./provider-server";
import { createClient, createConfiguration, createProvider, privateKey } from "./test-configuration";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const NOW_MS = Date.UTC(2026, 10, 24, 9);

/** The one key id that the provider knows. */
const KNOWN = "known";

/** How far the companion's clock is ahead of the provider's. */
let skewMs: number;
let provider: RunningProvider;
let companion: PairedCompanion;
let session: Session;

/** How far all clocks have advanced. */
let laterMs = 0;

/** Opens a paired page at a companion with a wrong clock, before a provider that checks times. */
async function open(aheadMs: number, mode: Configuration["mode"], keys = [KNOWN]): Promise<void> {
  skewMs = aheadMs;
  const nowMs = Date.now;
  jest.spyOn(Date, "now").mockImplementation(() => nowMs() + laterMs);
  provider = await startSandbox({ companies: 20, nowMs: () => Date.now() - skewMs });
  const { baseUrl, clientId } = provider;
  const known = createKeySigner(provider.kid, provider.privateKey);
  const toSigner = (keyId: string) => (keyId === KNOWN ? known : createKeySigner(keyId, privateKey));
  const [newest = known, ...rest] = keys.map(toSigner);
  const client = { ...createClient(clientId), signers: [newest, ...rest] as const };
  const settings = { mode, logLevel: "info", provider: { baseUrl, client } };
  companion = await startPaired({ configuration: createConfiguration(baseUrl, settings) });
  const companionUrl = `http://127.0.0.1:${companion.port}`;
  session = createSession({ ports: { ...createPorts(), storage: createStorage() }, companionUrl });
  await session.pair(await companion.pairings.issueSent());
}

const exchanges = () => provider.controls.count("createToken");
const readLines = (): { level: number; msg: string; kid?: string }[] => companion.lines.map((line) => JSON.parse(line));
const warnings = () =>
  readLines()
    .filter(({ level }) => level === 40)
    .map(({ msg }) => msg);
const agreements = () => readLines().filter(({ level, msg }) => level === 30 && msg.includes("agree again"));
const readNames = async (top = 5) =>
  (await awaitAnswer(session.feed, session.feed.companies.querySearch({ country: "ALL" }, top))).rows;

describe.each(["sign", "relay"] as const)("a companion with a wrong clock, in the mode %s", (mode) => {
  afterEach(async () => {
    jest.restoreAllMocks();
    laterMs = 0;
    session.feed.queryCache.close();
    await companion.app.close();
    await provider.close();
  });

  it.each([
    [7, [KNOWN, "old-key"]], // the newest key, which was not the cause, signs again
    [-7, [KNOWN]],
  ])("signs by the provider's time if it is %d minutes ahead", async (minutes, keys) => {
    await open(minutes * MINUTE_MS, mode, keys);
    expect(await readNames()).toHaveLength(5);
    expect(exchanges()).toBe(2);
    expect(Math.round(session.clockSkewMs() / 10_000)).toBe(minutes * 6); // a Date header has whole seconds
    const side = minutes > 0 ? "ahead of" : "behind";
    expect(warnings()).toEqual([
      `This computer's clock is 7 min ${side} the provider's. Set it by network time. Until then assertions are signed by the provider's time.`,
    ]);
    provider.controls.dropTokens();
    expect(await readNames(3)).toHaveLength(3);
    expect(exchanges()).toBe(3);
  });

  it("notices when the clock is corrected, and stops warning", async () => {
    await open(7 * MINUTE_MS, mode);
    skewMs = 0;
    provider.controls.dropTokens();
    expect(await readNames()).toHaveLength(5);
    expect([session.clockSkewMs(), exchanges()]).toEqual([0, 4]);
    expect([warnings().length, agreements().length]).toEqual([1, 1]);
    // In relay mode the companion drops no second token within five seconds.
    laterMs = 5000;
    provider.controls.dropTokens();
    expect(await readNames(3)).toHaveLength(3);
    expect(exchanges()).toBe(5);
  });

  it("ignores a difference of more than a day, and says so", async () => {
    await open(3 * DAY_MS, mode);
    expect(session.state()).toMatchObject({ status: "failed", error: { code: "FEED_TOKEN_REFUSED" } });
    expect(exchanges()).toBe(2);
    expect(warnings()).toEqual([
      expect.stringMatching(/clock is 3 days ahead of .* too far for assertions to be signed by the provider's time/),
    ]);
    expect(Math.round(session.clockSkewMs() / DAY_MS)).toBe(3);
  });

  it("still signs with the previous key if the provider does not know the newest", async () => {
    await open(7 * MINUTE_MS, mode, ["new-key", KNOWN]);
    if (session.state().status === "failed") await session.connect();
    expect(session.state().status).toBe("connected");
    expect(await readNames()).toHaveLength(5);
  });

  describe("during a key change", () => {
    it("cells get values by the previous key when the provider refuses the newest, with a warning", async () => {
      await open(-20_000, mode, ["new-key", KNOWN]);
      expect(await readNames()).toHaveLength(5);
      expect(session.state().status).toBe("connected");
      expect([exchanges(), session.clockSkewMs()]).toEqual([2, 0]); // a small difference is not taken for the cause
      const refuses = `${mode === "relay" ? "The" : "The pane reports that the"} provider refuses the newest key "new-key"`;
      expect(warnings()).toEqual([expect.stringMatching(`^${refuses}.*"test-key".* have the newest registered`)]);
      expect(readLines().find(({ level }) => level === 40)).toMatchObject({ kid: "new-key" });
    });

    it("the newest key signs alone if the provider accepts it", async () => {
      await open(0, mode, [KNOWN, "new-key"]);
      expect(await readNames()).toHaveLength(5);
      expect([exchanges(), warnings()]).toEqual([1, []]);
    });

    it.each([
      ["a single refused key signs no third time, and the error names it", ["new-key"], 'with key "new-key" (401'],
      [
        "two refused keys are both named in the error",
        ["new-key", "old-key"],
        'with key "new-key", then "old-key" (401',
      ],
    ])("%s", async (_title, keys, sentence) => {
      await open(0, mode, keys);
      const error = { code: "FEED_TOKEN_REFUSED", message: expect.stringContaining(sentence) };
      expect(session.state()).toMatchObject({ status: "failed", error });
      if (keys.length === 1) expect([exchanges(), warnings()]).toEqual([2, []]);
    });
  });
});

describe("the provider's clock", () => {
  const measure = async (answer: RequestListener, timeoutMs?: number) => {
    const server = await createProviderServer(answer);
    const skew = await loadSkewMs(`http://127.0.0.1:${server.port}/token`, Date.now, DIRECT, timeoutMs);
    await server.close();
    return { skew, seen: server.seen };
  };
  const toDate = (aheadMs: number) => ({ date: new Date(Date.now() + aheadMs).toUTCString() });

  it.each([200, 301, 404, 405, 500])("is read from an answer (%d) to a request without credentials", async (status) => {
    const { skew = 0, seen } = await measure((_request, response) =>
      response.writeHead(status, { ...toDate(HOUR_MS), location: "/elsewhere" }).end(),
    );
    expect(Math.round(skew / 10_000)).toBe(-360);
    expect(seen).toEqual([{ method: "HEAD", url: "/token", body: "", headers: expect.anything() }]);
    expect(Object.keys(seen[0]?.headers ?? {}).sort()).toEqual(["connection", "host"]);
  });

  it.each<[string, RequestListener]>([
    ["says nothing of the time", (_request, response) => Object.assign(response, { sendDate: false }).end()],
    ["tells no time", (_request, response) => response.writeHead(200, { date: "today" }).end()],
    ["breaks off", (_request, response) => void response.destroy()],
    ["never comes", () => {}],
  ])("is unknown if an answer %s", async (_what, answer) => {
    expect((await measure(answer, 200)).skew).toBeUndefined();
  });

  it("is compared with the middle between request and answer", () => {
    expect(toSkewMs(100_000, 160_000, 164_000)).toBe(61_500);
  });
});

it.each(CLOCKS.sentences as [number, string][])("a clock that is %d ms off is %s the provider's", (skewMs, words) => {
  expect(toClockSentence(skewMs)).toBe(`This computer's clock is ${words} the provider's.`);
});

describe("the signing time", () => {
  const known = createProvider();
  const create = () => createProviderClock(() => NOW_MS);

  it.each(CLOCKS.signing)("is $backMs ms back with a clock $aheadMs ms ahead", ({ aheadMs, backMs }) => {
    const clock = create();
    expect(clock.correct(known, aheadMs ?? undefined).isOther).toBe(backMs !== 0);
    expect(NOW_MS - clock.signingMs(known)).toBe(backMs);
  });

  it("is stable while the difference is, and separate for each provider", () => {
    const clock = create();
    clock.correct(known, 420_000);
    expect(clock.correct(known, 421_500)).toEqual({ isOther: false, news: null });
    expect([clock.skewMs(known), clock.signingMs(createProvider())]).toEqual([420_000, NOW_MS]);
  });
});
