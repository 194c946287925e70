import { setTimeout } from "node:timers/promises";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { OperationId } from "../contract/constants";
import type { BodyFault, Controls, RequestRecord } from "./controls";
import { Refusal } from "./errors";

const waitByTimer = (ms: number): Promise<void> => setTimeout(ms, undefined, { ref: false });

/** Stands at the entry of every operation: counts the request, then waits or refuses as the controls say. */
export function createEntry(controls: Controls, nowMs: () => number, wait = waitByTimer) {
  const records = new WeakMap<FastifyRequest, RequestRecord>();
  const enter = async (operationId: OperationId, request: FastifyRequest) => {
    const record = { operationId, method: request.method, url: request.url, body: undefined, status: 0, atMs: nowMs() };
    controls.note(record);
    records.set(request, record);
    const latencyMs = controls.latencyMsOf[operationId] ?? controls.latencyMs;
    if (latencyMs > 0) await wait(latencyMs);
    refuseAsForced(controls, operationId);
    if (operationId !== "createToken") refuseBeyondLimit(controls, nowMs());
  };
  return {
    enter,
    /** Notes the JSON body once it is parsed. */
    async noteBody(request: FastifyRequest) {
      const record = records.get(request);
      if (record) record.body = request.body;
    },
    /** Notes the status that was answered. */
    async leave(request: FastifyRequest, reply: FastifyReply) {
      const record = records.get(request);
      if (record) record.status = reply.statusCode;
    },
  };
}

function refuseAsForced(controls: Controls, operationId: OperationId): void {
  const answer = controls.answers[operationId];
  if (answer === undefined) return;
  const times = (answer.times ?? 1) - 1;
  if (times > 0) controls.answers[operationId] = { ...answer, times };
  else delete controls.answers[operationId];
  const headers: Record<string, string> = {};
  if (answer.retryAfter !== undefined) headers["retry-after"] = String(answer.retryAfter);
  throw new Refusal(answer.status, "FORCED", `The sandbox was told to answer ${answer.status}.`, null, headers);
}

function refuseBeyondLimit(controls: Controls, nowMs: number): void {
  if (controls.rateLimit === null) return;
  const { requests, windowMs, retryAfterSeconds } = controls.rateLimit;
  const recent = controls.requests.filter(
    ({ operationId, atMs, status }) => operationId !== "createToken" && status !== 429 && atMs > nowMs - windowMs,
  );
  if (recent.length <= requests) return;
  const headers = { "retry-after": String(retryAfterSeconds) };
  throw new Refusal(429, "RATE_LIMITED", `More than ${requests} requests in ${windowMs} ms.`, null, headers);
}

const JSON_TYPE = "application/json; charset=utf-8";
const NUMBER = /(?<=[:[,])-?\d+(?:\.\d+)?(?:e[+-]?\d+)?(?=[,}\]])/gi;

/** What each fault makes of a good JSON text. */
const SPOILERS: Record<BodyFault, (json: string) => { type: string; body: string }> = {
  html: () => ({ type: "text/html", body: "<!doctype html><title>Sign in</title><p>Sign in to use this network.</p>" }),
  truncated: (json) => ({ type: JSON_TYPE, body: json.slice(0, Math.floor(json.length / 2)) }),
  empty: () => ({ type: JSON_TYPE, body: "" }),
  wrongTypes: () => ({ type: JSON_TYPE, body: '{"data":"none","years":"none","page":{},"total":[],"access_token":7}' }),
  numberTexts: (json) => ({ type: JSON_TYPE, body: json.replace(NUMBER, '"$&"') }),
  hugeNumbers: (json) => ({ type: JSON_TYPE, body: json.replace(NUMBER, "1e400") }),
};

/** The body that is sent in place of a good one, when the controls ask for a fault. */
export function spoil(controls: Controls, operationId: OperationId, json: string) {
  const fault = controls.bodyFaults[operationId];
  return fault === undefined ? undefined : SPOILERS[fault](json);
}

const PERTURBED = new Set(["value", "totalPageViews", "totalUniquePageViews", "employeeCount"]);

/** A copy of an answer with its amounts, page views and employee counts replaced as the controls say. */
export function perturb<Answer>(controls: Controls, answer: Answer): Answer {
  const change = controls.perturb;
  if (change === null) return answer;
  const text = JSON.stringify(answer, (key, value) =>
    typeof value === "number" && PERTURBED.has(key) ? change(value) : value,
  );
  return JSON.parse(text);
}
