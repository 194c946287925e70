import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { createPorts } from "../../src/client/ports";
import { createKeySigner } from "../../src/companion/assertion";
import type { Client } from "../../src/companion/client";
import { createSession, type Session } from "../../src/session/session";
import { awaitAnswer } from "../support/feed";
import { type RunningProvider, startSandbox } from "../support/provider";
import { createStorage } from "../support/storage";
import { type PairedCompanion, startPaired } from "./paired-companion";
import { createConfiguration, privateKey } from "./test-configuration";

describe.each(["sign", "relay"] as const)("during a key change, in the mode %s", (mode) => {
  let provider: RunningProvider;
  let companion: PairedCompanion;
  let session: Session;
  const warnings = () => companion.lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 40);

  beforeAll(async () => {
    provider = await startSandbox({ companies: 20 });
  });
  afterEach(async () => {
    session.feed.queryCache.close();
    await companion.app.close();
    provider.controls.reset();
  });
  afterAll(() => provider.close());

  /** Opens a paired page at a companion with these keys; the provider knows "test-key" alone. */
  const open = async (toSigners: (known: Client["signers"][0], unknown: Client["signers"][0]) => Client["signers"]) => {
    const known = createKeySigner(provider.kid, provider.privateKey);
    const client = { clientId: provider.clientId, signers: toSigners(known, createKeySigner("new-key", privateKey)) };
    const { baseUrl } = provider;
    const settings = { mode, logLevel: "info", provider: { baseUrl, client } };
    companion = await startPaired({ configuration: createConfiguration(baseUrl, settings) });
    const companionUrl = `http://127.0.0.1:${companion.port}`;
    session = createSession({ ports: { ...createPorts(), storage: createStorage() }, companionUrl });
    await session.pair(await companion.pairings.issueSent());
  };
  const readNames = async () =>
    (await awaitAnswer(session.feed, session.feed.companies.querySearch({ country: "ALL" }, 5))).rows;
  const exchanges = () => provider.controls.count("createToken");

  it("cells get values by the previous key when the provider refuses the newest, with a warning", async () => {
    await open((known, unknown) => [unknown, known]);
    expect(await readNames()).toHaveLength(5);
    expect(session.state().status).toBe("connected");
    expect(exchanges()).toBe(2);
    expect(warnings()).toHaveLength(1);
    expect(warnings()[0]).toMatchObject({
      kid: "new-key",
      msg: expect.stringMatching(
        mode === "relay"
          ? /^The provider refuses the newest key "new-key".*"test-key".* have the newest registered/
          : /^The pane reports that the provider refuses the newest key "new-key".*"test-key".* have the newest registered/,
      ),
    });
  });

  it("the newest key signs alone if the provider accepts it", async () => {
    await open((known, unknown) => [known, unknown]);
    expect(await readNames()).toHaveLength(5);
    expect([exchanges(), warnings()]).toEqual([1, []]);
  });

  it("a single refused key signs no third time, and the error names it", async () => {
    await open((_known, unknown) => [unknown]);
    expect(session.state()).toMatchObject({
      status: "failed",
      error: { code: "FEED_TOKEN_REFUSED", message: expect.stringContaining('with key "new-key" (401') },
    });
    expect([exchanges(), warnings()]).toEqual([2, []]);
  });

  it("two refused keys are both named in the error", async () => {
    await open((_known, unknown) => [unknown, { ...unknown, keyId: "old-key" }]);
    expect(session.state()).toMatchObject({
      status: "failed",
      error: {
        code: "FEED_TOKEN_REFUSED",
        message: expect.stringContaining('with key "new-key", then "old-key" (401'),
      },
    });
  });
});
