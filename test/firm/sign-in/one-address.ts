import { expect, jest } from "@jest/globals";
import type { RawAnswer } from "../../companion/raw-request";
import { type CodeIssuer, startCodeIssuer } from "./code-issuer";
import { createSignIn, type FirmCompanion, startFirm } from "./firm";

const AT_ONCE = 40;
const CODE = /\b[2-9A-HJ-NP-Z]{4}-[2-9A-HJ-NP-Z]{4}\b/;

let issuer: CodeIssuer;
let firm: FirmCompanion;
let refused: string[];

/** Sends a request from the office's only address, and records a refusal. */
async function send(method: string, path: string, headers: Record<string, string> = {}, body?: object) {
  const answer = await firm.send(method, path, { "x-forwarded-for": "198.51.100.7", ...headers }, body);
  if (answer.status === 429) refused.push(`${method} ${path.split("?")[0]}`);
  return answer;
}

const readJson = ({ body }: RawAnswer) => JSON.parse(body);

/** Opens the pages that a person's browser opens, and gives the code that they read there. */
async function readCode(person: string, pane: string): Promise<string> {
  const begun = await send("GET", `/sign-in?pane=${pane}`);
  const cookie = String(begun.headers["set-cookie"]).split(";", 1)[0]!;
  const back = issuer.toReturn(new URL(String(begun.headers.location)), person);
  const { body } = await send("GET", back, { cookie });
  return CODE.exec(body)?.[0] ?? "";
}

/** Signs a person in as their pane does: by Office's token, or by the browser. */
async function signIn(number: number): Promise<number> {
  const person = `person-${number}`;
  await send("GET", "/companion/config");
  await send("GET", "/companion/sign-in");
  const own = readJson(await send("POST", "/companion/pairing/request", {}, {}));
  const code =
    number % 2 === 0
      ? readJson(await send("POST", "/companion/sign-in", {}, { token: await issuer.issue(person) })).code
      : `${await readCode(person, own.page)}.${own.secret}`;
  const { bearer } = readJson(await send("POST", "/companion/pairing", {}, { code }));
  return (await send("GET", "/companion/config", { "feed-pairing": bearer })).status;
}

/** Signs people in who all come by one address, within the same minute, and expects that none is refused. */
export async function expectAllAdmitted(people: number): Promise<void> {
  issuer = await startCodeIssuer();
  firm = await startFirm(createSignIn(issuer.url), { proxies: ["127.0.0.1"] });
  refused = [];
  const now = Date.now();
  jest.spyOn(Date, "now").mockReturnValue(now);
  const statuses = new Map<number, number>();
  let begun = 0;
  const signInNext = async () => {
    while (begun < people && refused.length === 0) {
      begun += 1;
      const status = await signIn(begun);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, signInNext));
  jest.restoreAllMocks();
  await firm.app.close();
  await issuer.close();
  expect([refused, Object.fromEntries(statuses)]).toEqual([[], { 200: people }]);
}
