import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { createHome } from "../refresh/command-surroundings";
import { toRuns } from "../support/property";
import { connect, openFormulas } from "./assistant";
import { type OwnProvider, startOwnProvider, toId } from "./provider";

let own: OwnProvider;
let formulas: Awaited<ReturnType<typeof openFormulas>>;
let assistant: Awaited<ReturnType<typeof connect>>;
const home = createHome();

beforeAll(async () => {
  own = await startOwnProvider();
  formulas = await openFormulas(own, home);
  assistant = await connect(formulas);
});

afterAll(async () => {
  await formulas.close();
  await own.close();
});

describe("a call", () => {
  it("of any content ends in an answer or a failure with a code, and reaches nobody but the provider", async () => {
    const { tools } = await assistant.client.listTools();
    const hosts = new Set<string>();
    const { fetch } = globalThis;
    globalThis.fetch = (input, init) => {
      hosts.add(new URL(String(input instanceof Request ? input.url : input)).hostname);
      return fetch(input, init);
    };
    const value = fc.oneof(
      fc.string(),
      fc.integer(),
      fc.constantFrom("#", "2023", "Revenue", toId(1), "=1", "{", '"', "tree", "ranking"),
      fc.jsonValue(),
    );
    const given = fc.oneof(
      fc.dictionary(fc.constantFrom(...tools.flatMap((tool) => Object.keys(tool.inputSchema.properties ?? {}))), value),
      fc.jsonValue(),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...tools.map(({ name }) => name), "nothing"), given, async (name, args) => {
        const answer = await assistant.call(name, args as object).catch((error) => error);
        if (answer instanceof Error) return expect(answer.message).toMatch(/^MCP error -3260[23]/);
        if (answer.isError) expect(answer.structuredContent.error.code).toMatch(/^(FEED_\w+|#\w+[!?])$/);
        expect(JSON.stringify(answer)).not.toMatch(/\bat \S+ \(|node_modules|\.ts:\d/);
      }),
      { numRuns: toRuns(300, 10_000) },
    );
    globalThis.fetch = fetch;
    expect([...hosts].filter((host) => host !== "127.0.0.1")).toEqual([]);
  });
});
