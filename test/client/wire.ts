import { expect } from "@jest/globals";
import { createHttp, type Http } from "../../src/client/http";
import { DEADLINE_MS, openDeadline } from "../../src/client/http/deadline";
import type { Server } from "../../src/client/http/families";
import { readReply } from "../../src/client/http/response";
import { type Clock, type ClockOptions, createClock } from "../support/clock";
import { type Answering, type Received, type RunningServer, startServer } from "../support/http-server";

export const OK: Answering = { json: { fine: true } };
export const HTML = { "content-type": "text/html" };

const doNothing = () => {};

/** Reads an answer at once. */
export const readWhole = (response: Response) => readReply(response, 0, [], false, doNothing, async () => doNothing());

interface Ends {
  server: RunningServer;
  clock: Clock;
  http: Http;
}

/** Creates an HTTP client at a server with a test's answers; each test restarts it. */
export function createWire() {
  const ends = {} as Ends;
  const start = async (answer: (request: Received) => Answering | Promise<Answering>, options: ClockOptions = {}) => {
    ends.server = await startServer(answer);
    ends.clock = createClock(options);
    ends.http = createHttp(ends.clock.ports, 5);
  };
  /** Answers requests in order; the last answer repeats. */
  const startWith = (answers: Answering[], options: ClockOptions = { hurryMs: 1_000 }) => {
    const left = [...answers];
    return start(() => (left.length > 1 ? left.shift() : left[0]) as Answering, options);
  };
  const send = (signal?: AbortSignal, server?: Server) => {
    const deadline = openDeadline(ends.clock.ports, DEADLINE_MS, signal);
    const createRequest = async () => ({ method: "GET", url: `${ends.server.url}/x`, headers: {} });
    return ends.http.send(createRequest, { deadline, ...(server && { server }) }).finally(deadline.close);
  };
  const fail = (signal?: AbortSignal, server?: Server) =>
    send(signal, server).then(
      () => expect("an answer").toBe("a failure"),
      (error) => error,
    );
  return Object.assign(ends, { start, startWith, send, fail });
}
