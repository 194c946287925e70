import { once } from "node:events";
import { connect } from "node:net";
import { afterEach, describe, expect, it } from "@jest/globals";
import { NO_FIRM } from "../../src/companion/configuration/firm";
import { type PairedCompanion, startPaired } from "./paired-companion";
import { sendRaw } from "./raw-request";
import { createConfiguration } from "./test-configuration";

const LIMIT = 60;
const STRANGER = { "feed-client": "excel", "content-type": "application/json" };

let companion: PairedCompanion;

/** Starts a companion; gives a function that sends requests as a stranger with a forwarded address. */
async function start(proxies: readonly string[]): Promise<(address: string, times?: number) => Promise<number[]>> {
  companion = await startPaired({ configuration: createConfiguration(undefined, { firm: { ...NO_FIRM, proxies } }) });
  return async (address, times = 1) => {
    const headers = { ...STRANGER, "x-forwarded-for": address };
    const send = () => sendRaw(companion.port, "POST", "/companion/assertion", headers, "{}");
    return (await Promise.all(Array.from({ length: times }, send))).map(({ status }) => status);
  };
}

afterEach(() => companion.app.close());

describe("strangers behind a proxy", () => {
  it("are counted by their own addresses if it is trusted", async () => {
    const send = await start(["127.0.0.1"]);
    expect(await send("203.0.113.1", LIMIT)).toEqual(Array(LIMIT).fill(401));
    expect(await send("203.0.113.1")).toEqual([429]);
    expect(await send("203.0.113.2")).toEqual([401]);
  });

  it("are counted by the address the nearest trusted proxy saw, not by their own claim", async () => {
    const send = await start(["127.0.0.1", "10.0.0.0/8"]);
    expect(await send("203.0.113.1, 10.0.0.5", LIMIT)).toEqual(Array(LIMIT).fill(401));
    expect(await send("198.51.100.7, 203.0.113.1, 10.0.0.5")).toEqual([429]);
  });

  it("are counted as one if their addresses share an IPv6 network", async () => {
    const send = await start(["127.0.0.1"]);
    await send("2001:db8:1:1::1", LIMIT);
    expect(await send("2001:db8:1:1:ffff::2")).toEqual([429]);
    expect(await send("2001:db8:1:2::1")).toEqual([401]);
  });

  it.each([[[]], [["192.0.2.1"]]])("are one caller if it is not trusted, whatever they claim: %j", async (proxies) => {
    const send = await start(proxies);
    await send("203.0.113.1", LIMIT);
    expect(await send("203.0.113.2")).toEqual([429]);
  });
});

describe("connections of a trusted proxy", () => {
  it("can be as many as thousands of people need", async () => {
    await start(["127.0.0.1"]);
    const sockets = Array.from({ length: 1000 }, () => connect(companion.port, "127.0.0.1"));
    await Promise.all(sockets.map((socket) => once(socket, "connect")));
    expect((await sendRaw(companion.port, "GET", "/healthz")).status).toBe(200);
    expect(sockets.filter(({ readyState }) => readyState === "open")).toHaveLength(1000);
    for (const socket of sockets) socket.destroy();
  });
});
