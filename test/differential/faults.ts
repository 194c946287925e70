import type { ServerResponse } from "node:http";
import { setTimeout } from "node:timers/promises";
import type { Chance } from "../support/chance";
import type { Answer } from "./figure-answers";

const write = (response: ServerResponse, { status, body }: Answer, headers: Record<string, string> = {}) =>
  void response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));

const fail =
  (status: number, headers: Record<string, string> = {}) =>
  (response: ServerResponse) =>
    write(response, { status, body: { error: { code: "FAULT", message: "The provider was told to fail." } } }, headers);

type Send = (response: ServerResponse, answer: Answer, chance: Chance) => Promise<void> | void;

/** Sends the beginning of a body with its full announced length. */
function begin(response: ServerResponse, { status, body }: Answer): Buffer {
  const bytes = Buffer.from(JSON.stringify(body));
  response.writeHead(status, { "content-type": "application/json", "content-length": bytes.length });
  response.write(bytes.subarray(0, bytes.length >> 1));
  return bytes.subarray(bytes.length >> 1);
}

/** Kinds of faults that cause no long waits. */
const KINDS = {
  async slow(response, answer, chance) {
    await setTimeout(50 + chance.below(400));
    write(response, answer);
  },
  async drip(response, answer) {
    const rest = begin(response, answer);
    for (let at = 0; at < 4; at++) {
      await setTimeout(40);
      response.write(rest.subarray((rest.length * at) >> 2, (rest.length * (at + 1)) >> 2));
    }
    response.end();
  },
  internal: fail(500),
  unavailable: fail(503),
  gateway: fail(502),
  limited: fail(429),
  limitedForASecond: fail(429, { "retry-after": "1" }),
  reset: (response) => void response.socket?.resetAndDestroy(),
  cut(response, answer) {
    begin(response, answer);
    response.socket?.destroy();
  },
  page: (response) =>
    void response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>Sign in</title>"),
} satisfies Record<string, Send>;

const ALL = Object.values<Send>(KINDS);

/** @param share The probability of a fault, 0 to 1. */
export async function send(response: ServerResponse, answer: Answer, share: number, chance: Chance): Promise<void> {
  if (response.destroyed) return;
  if (chance.happens(share)) await chance.pick(ALL)(response, answer, chance);
  else write(response, answer);
}
