import type { ServerResponse } from "node:http";
import { connect } from "node:net";
import { afterEach, beforeEach, expect, it } from "@jest/globals";
import { openPairings } from "../../src/companion/commands/open-stores";
import { describeOnPosix } from "../support/posix";
import { until } from "../support/until";
import { openHome, type Program, toHome } from "./built-program";
import { COMPLETE } from "./complete-settings";
import { createProviderServer, type ProviderServer } from "./provider-server";
import { type RawAnswer, sendRaw } from "./raw-request";
import { createProvider, openFor, pairHeaders } from "./test-configuration";

const TREE = "/companion/relay/asia/industry-taxonomies/v1/tree";
const REQUESTS = 200;
/** The most connections that the companion opens to a provider. */
const UNDER_WAY = 128;
const BODY = JSON.stringify(["x".repeat(10_000)]);

const home = openHome();
const waiting: ServerResponse[] = [];
let provider: ProviderServer;
let program: Program;
let port: number;
let headers: Record<string, string>;

beforeEach(async () => {
  provider = await createProviderServer((_request, response) => void waiting.push(response));
  const baseUrl = `http://127.0.0.1:${provider.port}`;
  program = home.start(["start"], { ...COMPLETE, FEED_BASE_URL: baseUrl, LOG_LEVEL: "fatal" });
  port = Number(await program.find(/127\.0\.0\.1:(\d+)\//));
  const pairings = openPairings({ environment: toHome(home.folder), webFolder: "", print: () => {} });
  headers = await pairHeaders(openFor(pairings, createProvider(baseUrl)), `http://localhost:${port}`);
});
afterEach(async () => {
  for (const response of waiting.splice(0)) response.destroy();
  await provider.close();
});

describeOnPosix("SIGTERM", () => {
  it("lets 200 pending requests be answered in full, accepts no new connection, and ends with 0", async () => {
    let settled = 0;
    const answers = Array.from({ length: REQUESTS }, () =>
      sendRaw(port, "GET", TREE, headers)
        .catch((error: Error): RawAnswer => ({ status: 0, headers: {}, body: error.message }))
        .finally(() => settled++),
    );
    await until(() => waiting.length === UNDER_WAY);
    const ended = program.end("SIGTERM");
    await until(() => isRefused(port));
    expect(settled).toBe(0);

    // Half of each answer first, which must not be cut there.
    const finish = (response: ServerResponse) =>
      response.write(BODY.slice(0, 5000), () => response.end(BODY.slice(5000)));
    await until(() => waiting.splice(0).map(finish).length === 0 && settled === REQUESTS);
    const whole = (await Promise.all(answers)).filter(({ status, body }) => status === 200 && body === BODY);
    expect(whole).toHaveLength(REQUESTS);
    expect([provider.seen.length, await ended]).toEqual([REQUESTS, 0]);
  });

  it("ends it at once if it comes twice, even if an answer never comes", async () => {
    const answer = sendRaw(port, "GET", TREE, headers).then(
      () => "answered",
      () => "cut",
    );
    await until(() => waiting.length === 1);
    program.child.kill("SIGTERM");
    await until(() => isRefused(port));
    expect([await program.end("SIGTERM"), await answer]).toEqual([1, "cut"]);
  });
});

const isRefused = (to: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(to, "127.0.0.1");
    socket.once("connect", () => socket.destroy()).once("error", () => resolve(true));
    socket.once("close", () => resolve(false));
  });
