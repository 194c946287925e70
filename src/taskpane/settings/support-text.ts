import { FeedError } from "../../client/errors";
import type { LoggedRequest } from "../../client/http/request-log";
import { PLAYGROUND_WORKBOOK } from "../../contract/workbook";
import type { Session } from "../../session/session";
import { LIVE_STATES } from "../activity/formula-state";
import type { Snapshot } from "../activity/snapshot";
import type { Host } from "../host";

const MOST_ERRORS = 10;

/** The text for support. It is English throughout, since its reader may not be its sender. */
export function toSupportText(session: Session, host: Host, snapshot: Snapshot): string {
  const sections: [string, readonly string[]][] = [
    ["FEED for Excel", toSurroundings(session, host, snapshot)],
    ["Connection", toConnection(session)],
    ["Settings", toSettings(session)],
    ["Formulas", toCounts(snapshot)],
    ["Last errors", toErrors(snapshot)],
    ["Requests, newest first", snapshot.requests.map((request) => toRequestLine(request, snapshot))],
  ];
  return redactLikelySecrets(
    sections.map(([title, lines]) => [title, ...(lines.length > 0 ? lines : ["none"])].join("\n  ")).join("\n\n"),
  );
}

function toSurroundings({ state }: Session, { language, hasNumberProperties }: Host, { nowMs }: Snapshot): string[] {
  const { diagnostics } = (typeof Office === "undefined" ? null : Office.context) ?? {};
  const hostText = [diagnostics?.host, diagnostics?.platform, diagnostics?.version].filter(Boolean).join(" ");
  return [
    `time ${new Date(nowMs).toISOString()}`,
    `version ${state().configuration?.version ?? "not known"}`,
    `host ${PLAYGROUND_WORKBOOK in globalThis ? "playground" : hostText || "not known"}`,
    `browser ${navigator.userAgent}`,
    `language ${language}`,
    `numbers with properties ${hasNumberProperties ? "can be shown" : "cannot be shown"}`,
  ];
}

/** Of an address only the host: the rest may be confidential. */
function toConnection({ state, pairing }: Session): string[] {
  const { status, configuration } = state();
  if (configuration === null) return [`status ${status}`];
  const { baseUrl, clientId, keyId, mode, transport, sample } = configuration;
  return [
    `status ${status}`,
    `provider ${sample ? "sample data" : toHost(baseUrl)}`,
    `client id ${clientId}`,
    `key id ${keyId}`,
    `mode ${mode}, transport ${transport}, pairing ${pairing()}`,
  ];
}

function toHost(url: string): string {
  try {
    return new URL(url).host;
  } catch {
    return "not readable";
  }
}

function toSettings({ settings }: Session): string[] {
  const { country, timeZone, dateSystem, numberProperties, companyNames, refresh, sheets } = settings;
  return [
    `country ${country}, time zone ${timeZone}, dates from ${dateSystem}`,
    `numbers with properties ${numberProperties ? "on" : "off"}, names of companies ${companyNames}`,
    `refreshed ${Object.entries(refresh)
      .map((each) => each.join(" "))
      .join(", ")}`,
    `sheets made ${sheets.length}`,
  ];
}

const toCounts = ({ calls, counts, oldestAsOfMs }: Snapshot): string[] => [
  `live ${calls.length}`,
  ...LIVE_STATES.map((state) => `${state} ${counts[state]}`),
  `oldest answer ${oldestAsOfMs === null ? "none" : new Date(oldestAsOfMs).toISOString()}`,
];

function toErrors({ calls }: Snapshot): string[] {
  const lines = calls.flatMap(({ call, error }) => (error === null ? [] : [`${call.name}: ${toErrorText(error)}`]));
  const counts = new Map<string, number>();
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
  return [...counts].slice(0, MOST_ERRORS).map(([line, count]) => (count === 1 ? line : `${line} (${count} formulas)`));
}

function toErrorText(error: unknown): string {
  if (!(error instanceof FeedError)) return toInternalText(error);
  const { status, traceId } = error.facts;
  const facts = [status !== undefined && `status ${status}`, traceId !== undefined && `traceId ${traceId}`];
  return [`${error.code} ${error.message}`, ...facts.filter(Boolean)].join(" · ");
}

/** An internal error with its position in our code. */
function toInternalText(error: unknown): string {
  const stack = error instanceof Error ? (error.stack ?? "").split("\n").filter((line) => /:\d+/.test(line)) : [];
  return ["FEED_INTERNAL", String(error), ...stack.slice(0, 3).map((line) => line.trim())].join(" · ");
}

function toRequestLine(request: LoggedRequest, { served }: Snapshot): string {
  const { number, sentAtMs, operation, status, outcome, tookMs, bytes, traceId, requestId } = request;
  const formulas = served.get(number) ?? 0;
  const facts = [
    new Date(sentAtMs).toISOString(),
    operation,
    status ?? "no status",
    outcome ?? "under way",
    tookMs === null ? null : `${Math.round(tookMs)} ms`,
    `${bytes} B`,
    formulas === 0 ? null : formulas === 1 ? "1 formula" : `${formulas} formulas`,
    traceId === null ? null : `traceId ${traceId}`,
    requestId === null ? null : `request ${requestId}`,
  ];
  return facts.filter((fact) => fact !== null).join(" · ");
}

/** Stands where a secret stood. */
const REDACTED = "[removed]";

/**
 * Redacts a text whose secrets are not known: keys, tokens, assertions, pairing codes and every long mixed word.
 * Ids of companies and traces (UUIDs, 16 or 32 hex digits) stay.
 */
export function redactLikelySecrets(text: string): string {
  return text
    .replace(/-----BEGIN[\s\S]*?(?:-----END[^-]*-----|$)/g, REDACTED)
    .replace(/\b(bearer|basic)\s+[^\s,;"']+/gi, `$1 ${REDACTED}`)
    .replace(/\b(\w*(?:token|assertion|secret|password|code))(["']?\s*[=:]\s*["']?)[^\s&"',;]+/gi, `$1$2${REDACTED}`)
    .replace(/\b(token|assertion|secret|password)(\s+["']?)[\w.~+/=-]{16,}/gi, `$1$2${REDACTED}`) // no word is so long
    .replace(/[\w+/=~%-]+/g, (word) => (isLikelySecret(word) ? REDACTED : word));
}

function isLikelySecret(word: string): boolean {
  if (PAIRING_CODE.test(word) || word.startsWith("eyJ")) return true;
  const parts = BASE64.test(word) ? [word] : word.split("/");
  return parts.some(
    (part) => part.length >= SHORTEST_SECRET && /\d/.test(part) && /[A-Za-z]/.test(part) && !ID.test(part),
  );
}

const SHORTEST_SECRET = 20;
const PAIRING_CODE = /^[A-Z0-9]{4}-[A-Z0-9]{4}$/;
const ID = /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{16}|[0-9a-f]{32})$/i;
/** Upper case, lower case and digits, slashes included: no path has all three at this length. */
const BASE64 = /^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)[A-Za-z0-9+/]{40,}={0,2}$/;
