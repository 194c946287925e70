import type { ServerResponse } from "node:http";
import type { Chance } from "../support/chance";
import { type Answering, type Received, type RunningServer, sendAnswer, startServer } from "../support/http-server";
import { answerCompanion } from "../support/plain-provider";
import { FAIR, type FaultSchedule, spoil } from "./fault-schedule";
import { answerData, type Edition } from "./provider";
import { toCompanyId } from "./truth";

/** A provider and a companion at their own address, with their faults. */
export interface Site extends Edition {
  /** The address of the companion and the provider. */
  url: string;
  faultSchedule: FaultSchedule;
  /** Expires every token issued so far. */
  dropTokens(): void;
  /** Requests that are neither answered nor cancelled. */
  open(): number;
  requests: number;
}

type Answer = (request: Received, path: string) => Answering | Promise<Answering>;

/** Successive sites on one server; requests to an earlier one do not reach a later one. */
export type Sites = Awaited<ReturnType<typeof startSites>>;

export async function startSites() {
  let current: { name: string; answer: Answer } | null = null;
  let created = 0;
  const server: RunningServer = await startServer((request) => {
    server.requests.length = 0; // they are not read, and would fill the memory in a soak
    const [, name = "", path = ""] = /^\/(\w+)(\/.*)$/.exec(request.path) ?? [];
    return current?.name === name ? current.answer(request, path) : { status: 404, json: {} };
  });
  return {
    create(chance: Chance, nowMs: () => number): Site {
      const name = `site${++created}`;
      const { site, answer } = createSite(`${server.url}/${name}`, chance, nowMs);
      current = { name, answer };
      return site;
    },
    close: server.close,
  };
}

const TOKEN_SECONDS = 300;

/** The last part of the path of a single company. */
const NUMBER_OF_COMPANY = /\d{12}$/;

/** The rows of a page, if the provider gives as many as requested. */
export const MOST_ROWS = 1_000;

function createSite(url: string, chance: Chance, nowMs: () => number) {
  const expiries = new Map<string, number>();
  const open = new Set<ServerResponse>();
  let issued = 0;
  const site: Site = {
    url,
    edition: 0,
    pageCap: MOST_ROWS,
    faultSchedule: FAIR,
    requests: 0,
    dropTokens: () => expiries.clear(),
    open: () => open.size,
  };
  const createToken = () => {
    const token = `token-${++issued}`;
    expiries.set(token, nowMs() + TOKEN_SECONDS * 1_000);
    return { access_token: token, token_type: "bearer", expires_in: TOKEN_SECONDS };
  };
  const answerFairly = (request: Received, path: string): Answering => {
    const own = path === "/token" ? { json: createToken() } : answerCompanion(path, url, issued);
    if (own !== undefined) return own;
    const [, token = ""] = /^Bearer (.*)$/.exec(request.headers.authorization ?? "") ?? [];
    if (!((expiries.get(token) ?? 0) > nowMs())) return { status: 401, json: {} };
    return answerData(request, path, site);
  };
  const answer = async (request: Received, path: string): Promise<Answering> => {
    site.requests++;
    const other = () => answerFairly(request, path.replace(NUMBER_OF_COMPANY, toCompanyId(0).slice(-12)));
    const answering = await spoil(site.faultSchedule, chance, { request, other }, answerFairly(request, path));
    return { raw: (response) => play(response, answering, open) };
  };
  return { site, answer };
}

function play(response: ServerResponse, answering: Answering, open: Set<ServerResponse>): void {
  if (response.destroyed) return; // the page has cancelled it meanwhile
  open.add(response);
  response.on("close", () => open.delete(response));
  sendAnswer(response, answering);
}
