import { afterEach, describe, expect, it } from "@jest/globals";
import type { JSONRPCRequest } from "@modelcontextprotocol/sdk/types.js";
import { createSessions } from "../../src/mcp/sessions";
import type { PersonWorker, WorkerSession } from "../../src/mcp/workers";

const ADA = { id: "issuer ada", name: "ada", roles: ["everything"] };
const BEN = { id: "issuer ben", name: "ben", roles: ["everything"] };
const UNKNOWN = "There is no such session, or it has ended: begin anew.";

const sessions = createSessions();
afterEach(() => sessions.end());

/** A worker that takes every request. */
const worker = {
  deliver: (session: WorkerSession, { id }: JSONRPCRequest) => session.send({ jsonrpc: "2.0", id, result: {} }, id),
  leave() {},
} as unknown as PersonWorker;

const clientInfo = { name: "test", version: "1" };
const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
const headers = { accept: "application/json, text/event-stream", "content-type": "application/json" };

async function begin(person: typeof ADA): Promise<string> {
  const session = sessions.find(undefined, person);
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params });
  await session.handle(new Request("http://companion/mcp", { method: "POST", headers, body }), worker);
  return session.id;
}

describe("a session of an agent", () => {
  it("is known to the person who began it alone, and by the roles they had", async () => {
    const id = await begin(ADA);
    expect(sessions.find(id, ADA).id).toBe(id);
    for (const stranger of [BEN, { ...ADA, roles: [] }]) expect(() => sessions.find(id, stranger)).toThrow(UNKNOWN);
  });

  it("ends where its person has begun ten others", async () => {
    const [oldest, next, bens] = [await begin(ADA), await begin(ADA), await begin(BEN)];
    for (let nth = 0; nth < 9; nth++) await begin(ADA);
    expect(() => sessions.find(oldest, ADA)).toThrow(UNKNOWN);
    expect([sessions.find(next, ADA).id, sessions.find(bens, BEN).id]).toEqual([next, bens]);
  });
});
