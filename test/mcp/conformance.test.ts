import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { type FirmOfAgents, startFirmOfAgents } from "./agents";
import { startBearerProxy } from "./bearer-proxy";
import { runConformance } from "./conformance";

let firm: FirmOfAgents;
let proxy: Awaited<ReturnType<typeof startBearerProxy>>;

beforeAll(async () => {
  firm = await startFirmOfAgents();
  proxy = await startBearerProxy(firm.origin, await firm.issuer.issue("ada", ["everything"]));
});
afterAll(async () => {
  proxy.close();
  await firm.close();
});

/** The others need a tool, a prompt or a resource of their own at the server, or a capability that it does not offer. */
const SCENARIOS = [
  ...["server-initialize", "ping", "tools-list", "resources-list"],
  ...["server-sse-multiple-streams", "dns-rebinding-protection"],
];

it.each(SCENARIOS)("the tools over HTTP pass the official conformance suite's %s", async (scenario) => {
  expect(await runConformance(proxy.url, scenario)).toEqual({ failed: [], passed: expect.any(Number) });
});
