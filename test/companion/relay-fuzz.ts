import { connect } from "node:net";
import { afterAll, beforeAll, expect } from "@jest/globals";
import fc from "fast-check";
import { OPERATIONS } from "../../src/contract/constants";
import { type PairedCompanion, startPaired } from "./paired-companion";
import { createProviderServer, type ProviderServer } from "./provider-server";
import TRICKS from "./relay-tricks.json";
import { createConfiguration } from "./test-configuration";

const RELAY = "/companion/relay";
export const BASE = "/feed";
const AT_ONCE = 32;
const SEED = 20_261_121;

let companion: PairedCompanion;
let provider: ProviderServer;
/** Records requests for every other host. */
let canary: ProviderServer;

interface Attempt {
  host: string;
  method: string;
  path: string;
}

/**
 * Whether a request is one of the contract's, checked without the companion's code: segments are the contract's words
 * or a plain id.
 */
export function isContract(method: string, url: string): boolean {
  const [path = "", query = ""] = url.split("?");
  if (!/^[\w=&%+.*-]*$/.test(query) || url.split("?").length > 2 || !path.startsWith(`${BASE}/`)) return false;
  const segments = path.slice(BASE.length).split("/");
  return Object.values(OPERATIONS).some((operation) => {
    const words = operation.path.split("/");
    const fits = (word: string, at: number) =>
      word.startsWith("{") ? /^[A-Za-z0-9][A-Za-z0-9._~-]{0,99}$/.test(segments[at] ?? "") : word === segments[at];
    return operation.method === method && words.length === segments.length && words.every(fits);
  });
}

const operations = fc.constantFrom(...Object.values(OPERATIONS));
const tricks = () => fc.constantFrom(...TRICKS);
const id = fc.oneof(
  { weight: 3, arbitrary: fc.uuid() },
  {
    weight: 2,
    arbitrary: fc
      .array(fc.oneof(tricks(), fc.string({ maxLength: 4 })), { minLength: 1, maxLength: 3 })
      .map((parts) => parts.join("")),
  },
);
/** A path of the contract with a trick at any position. */
const bentPath = fc
  .tuple(
    operations,
    id,
    fc.option(fc.tuple(tricks(), fc.nat({ max: 99 })), { freq: 2 }),
    fc.option(tricks(), { freq: 1 }),
  )
  .map(([operation, value, trick, query]) => {
    const filled = RELAY + operation.path.replace(/\{\w+\}/g, () => value);
    const at = Math.floor(((trick?.[1] ?? 0) / 100) * (filled.length + 1));
    const bent = trick === null ? filled : filled.slice(0, at) + trick[0] + filled.slice(at);
    return { own: operation.method, path: query === null ? bent : `${bent}?page=${query}` };
  });
const loosePath = fc
  .array(
    fc.oneof(tricks(), fc.constantFrom("/asia", "/japan", "/v1", "/companies", "/tree", "/token", RELAY, "/companion")),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(""))
  .chain((rest) => fc.constantFrom(RELAY + rest, rest, `http://CANARY${RELAY}${rest}`))
  .map((path) => ({ own: "GET", path }));
const others = fc.constantFrom(
  ...["GET", "POST", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "CONNECT", "get", "G ET", ""],
);
const hosts = fc.constantFrom("CANARY", "evil.example", "OWN@CANARY", "OWN.evil.example", "");
const attempts = fc
  .tuple(
    fc.oneof({ weight: 4, arbitrary: bentPath }, { weight: 1, arbitrary: loosePath }),
    fc.option(others, { freq: 1 }),
    fc.oneof({ weight: 9, arbitrary: fc.constant("OWN") }, { weight: 1, arbitrary: hosts }),
  )
  .map(([{ own, path }, other, host]): Attempt => ({ method: other ?? own, path, host }));

/** Writes a request byte by byte, and waits until the companion has closed the connection. */
function sendBytes({ method: verb, path, host }: Attempt): Promise<void> {
  const type = path.includes("/token") ? "application/x-www-form-urlencoded" : "application/json";
  const headers = {
    ...companion.paired,
    host,
    "x-forwarded-host": "CANARY",
    "content-type": type,
    connection: "close",
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const written = `${verb} ${path} HTTP/1.1\r\n${lines.join("")}content-length: 0\r\n\r\n`;
  const named = written
    .replaceAll("CANARY", `127.0.0.1:${canary.port}`)
    .replaceAll("OWN", `localhost:${companion.port}`);
  return new Promise((resolve) => {
    const socket = connect(companion.port, "127.0.0.1");
    socket.on("error", () => {}); // a malformed request may end in a reset
    socket.on("close", () => resolve());
    socket.resume();
    socket.write(named);
  });
}

/** Gives the tests of a file a companion, its provider, and a server that no request may reach. */
export function openFuzz(): void {
  beforeAll(async () => {
    provider = await createProviderServer((_request, response) => response.end("[]"));
    canary = await createProviderServer((_request, response) => response.end("[]"));
    companion = await startPaired({ configuration: createConfiguration(`http://127.0.0.1:${provider.port}${BASE}`) });
  });
  afterAll(async () => {
    await companion.app.close();
    await provider.close();
    await canary.close();
  });
}

/** Sends malformed requests, and expects that operations of the contract alone reach the provider, and nothing else. */
export async function expectContractAlone(requests: number): Promise<void> {
  const left = fc.sample(attempts, { numRuns: requests, seed: SEED });
  const work = async () => {
    for (let attempt = left.pop(); attempt !== undefined; attempt = left.pop()) await sendBytes(attempt);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));

  const reached = provider.seen.map(({ method: verb, url }) => `${verb} ${url}`);
  expect(provider.seen.filter(({ method: verb, url }) => !isContract(verb, url))).toEqual([]);
  expect(canary.seen).toEqual([]);
  // The check needs successes: requests of each operation did get through.
  expect(reached.length).toBeGreaterThan(requests / 20);
  for (const { method: verb, path } of Object.values(OPERATIONS)) {
    const start = `${verb} ${BASE}${path.split("{")[0]}`;
    expect(reached.some((request) => request.startsWith(start))).toBe(true);
  }
}
