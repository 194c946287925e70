import type { ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import type { Chance } from "../support/chance";
import type { Answering, Received } from "../support/http-server";

type Spoiling = keyof typeof SPOILINGS;

/** A request, and the answer that another company would get. */
interface FaultContext {
  request: Received;
  other: () => Answering;
}

type Spoil = (answer: Answering, chance: Chance, context: FaultContext) => Answering | Promise<Answering>;

const STATUSES = [400, 401, 403, 404, 408, 500, 502, 503];

/** Seconds, a date, nothing, and more than any wait. */
const PAUSES = ["1", "30", "Wed, 20 Nov 2024 09:31:00 GMT", "soon", null];

export const refuse = (status: number, headers: Record<string, string> = {}): Answering => ({
  status,
  headers,
  json: { message: "The provider was told to refuse." },
});

const toText = (answer: Answering): string => ("json" in answer ? JSON.stringify(answer.json) : "{}");

const reset = (response: ServerResponse) => void response.socket?.resetAndDestroy();
const cut = (response: ServerResponse) => void response.socket?.end();

/** The rest of a slow body comes after so long. */
const MOMENT_MS = 3;

/** Sends a part of a body with the length of the whole; then something happens to the rest. */
const breakOff =
  (end: (response: ServerResponse, rest: Buffer) => void) =>
  (answer: Answering, chance: Chance): Answering => {
    const body = Buffer.from(toText(answer));
    const sent = chance.below(body.length);
    const status = "raw" in answer ? 200 : (answer.status ?? 200);
    return {
      raw(response) {
        response.writeHead(status, { "content-type": "application/json", "content-length": body.length });
        response.write(body.subarray(0, sent), () => end(response, body.subarray(sent)));
      },
    };
  };

function change(answer: Answering, how: (body: { data: unknown[]; total: unknown }) => unknown): Answering {
  if (!("json" in answer) || !Array.isArray((answer.json as { data?: unknown }).data)) return answer;
  return { ...answer, json: how(answer.json as never) };
}

const changePost = (
  answer: Answering,
  { request: { method } }: FaultContext,
  how: (rows: unknown[]) => unknown[],
): Answering => (method === "POST" ? change(answer, (body) => ({ ...body, data: how(body.data) })) : answer);

/** For any answer, to requests for tokens and to the companion too. */
export const OF_ANY_ANSWER = {
  status: (_, chance) => refuse(chance.pick(STATUSES)),
  tooMany(_, chance) {
    const pause = chance.pick(PAUSES);
    return refuse(429, pause === null ? {} : { "retry-after": pause });
  },
  anHour: () => refuse(429, { "retry-after": "3600" }),
  html: () => ({ headers: { "content-type": "text/html" }, text: "<!doctype html><title>Sign in</title>" }),
  redirect: () => ({ status: 302, headers: { location: "https://sign-in.invalid/" }, text: "" }),
  empty: () => ({ text: "" }),
  truncated: (answer, chance) => ({ text: toText(answer).slice(0, 1 + chance.below(toText(answer).length - 1)) }),
  truncatedGzip: (answer) => {
    const body = gzipSync(toText(answer));
    const headers = { "content-encoding": "gzip", "content-length": String(body.length >> 1) };
    return { raw: (response) => void response.writeHead(200, headers).end(body.subarray(0, body.length >> 1)) };
  },
  reset: () => ({ raw: reset }),
  resetInBody: breakOff(reset),
  cutInBody: breakOff(cut),
  silence: () => ({ raw: () => {} }),
  silenceInBody: breakOff(() => {}),
  async slow(answer) {
    await wait(MOMENT_MS);
    return answer;
  },
  drip: breakOff((response, rest) => void wait(MOMENT_MS).then(() => response.end(rest))),
} satisfies Record<string, Spoil>;

/** For the metadata of lists. */
const OF_LISTS = {
  noList: (answer) => change(answer, (body) => ({ ...body, data: "none" })),
  totalAbove: (answer) => change(answer, (body) => ({ ...body, total: Number(body.total) + 2 })),
  totalBelow: (answer) => change(answer, (body) => ({ ...body, total: Math.max(0, Number(body.total) - 1) })),
  noTotal: (answer) => change(answer, ({ data }) => ({ data })),
  /** POST /financials has no pages: an omission cannot be detected. */
  short: (answer, chance, context) =>
    changePost(answer, context, (rows) => rows.slice(0, chance.below(rows.length + 1))),
  /** A list that always repeats rows is the provider's own. */
  twice: (answer, _, context) => changePost(answer, context, (rows) => rows.flatMap((row) => [row, row])),
  reversed: (answer, _, context) => changePost(answer, context, (rows) => [...rows].reverse()),
  /** A proxy may mix up answers. */
  mixedUp: (_, __, { other }) => other(),
} satisfies Record<string, Spoil>;

const SPOILINGS = { ...OF_ANY_ANSWER, ...OF_LISTS };

const listNames = <T extends object>(spoilings: T) => Object.keys(spoilings) as (keyof T)[];

const ALL = listNames(SPOILINGS);

export interface FaultSchedule {
  /** The share of failing data requests, 0 to 1, and their faults. */
  share: number;
  spoilings: readonly Spoiling[];
  /** The same for requests for tokens and to the companion. */
  credentialShare: number;
  isOffline: boolean;
  isCompanionGone: boolean;
}

export const FAIR: FaultSchedule = {
  share: 0,
  spoilings: [],
  credentialShare: 0,
  isOffline: false,
  isCompanionGone: false,
};

const SILENT: readonly Spoiling[] = ["silence", "silenceInBody"];

/** In real time an hour's pause is useless: cells would just keep their values. */
const LASTING = ALL.filter((spoiling) => spoiling !== "anHour");

/** One request in ten fails, in any way; those with the longest waits are rarer. */
export const STORM: FaultSchedule = {
  ...FAIR,
  share: 0.1,
  spoilings: [...LASTING, ...[1, 2, 3].flatMap(() => LASTING.filter((spoiling) => !SILENT.includes(spoiling)))],
  credentialShare: 0.1,
};

/** A storm: some faults at once, or all. */
export const createStorm = (chance: Chance): Partial<FaultSchedule> => ({
  share: chance.pick([0.2, 0.5, 1]),
  spoilings: chance.happens(0.5) ? ALL : [chance.pick(ALL), chance.pick(ALL)],
  credentialShare: chance.pick([0, 0, 0.3]),
});

export function spoil(
  faultSchedule: FaultSchedule,
  chance: Chance,
  context: FaultContext,
  answer: Answering,
): Answering | Promise<Answering> {
  const { request } = context;
  const isApi = request.path.includes("/companion/");
  const isCredential = isApi || request.path.endsWith("/token");
  if (faultSchedule.isOffline || (isApi && faultSchedule.isCompanionGone)) return OF_ANY_ANSWER.reset();
  if (!chance.happens(isCredential ? faultSchedule.credentialShare : faultSchedule.share)) return answer;
  const spoilings = faultSchedule.spoilings.filter((spoiling) => !isCredential || spoiling in OF_ANY_ANSWER);
  return spoilings.length === 0 ? answer : (SPOILINGS[chance.pick(spoilings)] as Spoil)(answer, chance, context);
}
