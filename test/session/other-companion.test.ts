import { afterEach, beforeEach, expect, it } from "@jest/globals";
import { createPorts } from "../../src/client/ports";
import type { Query } from "../../src/feed/query-cache";
import { createSession, type Session } from "../../src/session/session";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { awaitAnswer } from "../support/feed";
import { type RunningProvider, startSandbox } from "../support/provider";
import { createStorage } from "../support/storage";

let provider: RunningProvider;
let companion: RunningCompanion;
let session: Session;

beforeEach(async () => {
  provider = await startSandbox({ companies: 60, seed: 5 });
  companion = await startCompanion({ provider });
  const ports = { ...createPorts(), storage: createStorage() };
  session = createSession({ ports, companionUrl: companion.origin });
});
afterEach(async () => {
  session.disconnect();
  session.feed.queryCache.close();
  await Promise.all([companion.close(), provider.close()]);
});

it("rejects another provider's answers even if the companion renews the token there", async () => {
  await session.pair((await companion.pairings.issueSent()) as string);
  const range = { start: "2024-01-01T00:00:00", end: "2024-01-31T23:59:59" };
  const query: Query<unknown> = session.feed.rankings.queryIndustries(range, 3);
  session.feed.queryCache.observe(query, () => {});
  const before = await awaitAnswer(session.feed, query);
  const { port } = new URL(companion.origin);
  await companion.close();
  companion = await startCompanion({ companies: 60, port: Number(port) });
  const { failures } = await session.refresh();
  expect(failures).toMatchObject([{ code: "FEED_SIGNER_REFUSED" }]);
  expect(session.feed.queryCache.peek(query)).toMatchObject({ answer: { value: before } });
});
