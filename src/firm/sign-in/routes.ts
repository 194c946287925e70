import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type Address, toOwnOrigin, toSignInPage } from "../../companion/address";
import { createLimits } from "../../companion/api/limits";
import { CODE_LIFETIME_MS, makeSecret, toHash } from "../../companion/api/pairing";
import { answerRefusals, Refusal, throwRefusal } from "../../companion/refusal";
import { REQUEST_HEADER } from "../../contract/companion-api";
import type { SigningIn } from "../sign-in";
import type { FirmStores } from "../stores";
import type { UnderWay } from "./authorization";
import { PAGE_HEADERS, pickTexts, type Texts, toCodePage, toFaultPage } from "./page";
import { SignInRefusal } from "./refusal";

const CALLBACK = "/callback";
const UNDER_WAY_MS = 10 * 60_000;
/** The form of our own cookie; any other value is ignored. */
const BROWSER = /^[\w-]{43}$/;
const PANE = /^[0-9a-f]{64}$/;

/** The parts that the sign-in pages use. */
interface SignInPageOptions {
  address: Address;
  signingIn: SigningIn;
  stores: Pick<FirmStores, "oneTimeValues" | "createLimit">;
}

/** A sign-in under way, bound to one browser. */
interface Remembered extends UnderWay {
  browserHash: string;
  /** The pane it is for: SHA-256 of its secret, in hex. */
  pane: string;
}

declare module "fastify" {
  interface FastifyRequest {
    /** The pane that led to the page, if known. */
    signInPane: string | null;
  }
}

/**
 * Adds the pages for sign-in with a browser, to be registered under /sign-in: one leads to the identity provider, the
 * other shows a pairing code.
 */
export async function addSignInPage(scope: FastifyInstance, options: SignInPageOptions): Promise<void> {
  const { address, signingIn, stores } = options;
  const { oneTimeValues } = stores;
  const refuseExcess = createLimits(stores);
  scope.decorateRequest("pairing", null);
  scope.decorateRequest("signInPane", null);
  answerRefusals(scope, sendFaultPage);
  scope.addHook("onRequest", async (request, reply) => {
    reply.headers(PAGE_HEADERS).header(REQUEST_HEADER, request.id);
    if (toOwnOrigin(request.headers.host, address) === undefined) throw new Refusal(421, "No page is at this address.");
    throwRefusal(await refuseExcess(request));
  });
  scope.get("/", { exposeHeadRoute: false, config: { limit: "beginSignIn" } }, async (request, reply) => {
    const origin = toOwnOrigin(request.headers.host, address)!;
    const pane = readPane(request);
    throwRefusal(await refuseExcess(request, "pane", pane));
    const { page, underWay } = await signingIn.begin(`${origin}${scope.prefix}${CALLBACK}`);
    const browser = readBrowser(request, origin) ?? makeSecret();
    const remembered: Remembered = { ...underWay, browserHash: toHash(browser), pane };
    await oneTimeValues.put(toKey(underWay.state), remembered, UNDER_WAY_MS);
    setBrowser(reply, origin, browser);
    return reply.redirect(page);
  });
  scope.get(CALLBACK, { exposeHeadRoute: false, config: { limit: "signIn", signIn: true } }, async (request, reply) => {
    const origin = toOwnOrigin(request.headers.host, address)!;
    // The code may contain "?".
    const query = request.url.split("?").slice(1).join("?");
    const state = new URLSearchParams(query).get("state") ?? "";
    const remembered = (await oneTimeValues.take(toKey(state))) as Remembered | undefined;
    const browser = readBrowser(request, origin);
    if (remembered === undefined || browser === undefined || toHash(browser) !== remembered.browserHash) {
      throw new SignInRefusal("ended", "A sign-in came back that was not begun in that browser, or is over.");
    }
    request.signInPane = remembered.pane;
    const { code, person } = await signingIn.finish(query, remembered, remembered.pane);
    request.log.info({ person: person.id, name: person.name }, "Somebody signed in.");
    const texts = readTexts(request);
    return sendPage(reply, toCodePage(texts, person.name ?? person.id, code, Date.now() + CODE_LIFETIME_MS));
  });
}

/** @throws SignInRefusal without a pane, since a code serves only a pane */
function readPane(request: FastifyRequest): string {
  const pane = new URL(request.url, "http://host").searchParams.get("pane") ?? "";
  if (!PANE.test(pane)) throw new SignInRefusal("begin", "A sign-in was begun from no pane.");
  request.signInPane = pane;
  return pane;
}

/** Binds a sign-in to the browser that has this cookie, so that nobody can hand their own sign-in to another person. */
function setBrowser(reply: FastifyReply, origin: string, browser: string): void {
  const scope = isSecure(origin) ? "Path=/; Secure" : "Path=/sign-in";
  const cookie = `${toCookieName(origin)}=${browser}; ${scope}; Max-Age=${UNDER_WAY_MS / 1000}; HttpOnly; SameSite=Lax`;
  reply.header("set-cookie", cookie);
}

function readBrowser({ headers }: FastifyRequest, origin: string): string | undefined {
  const name = `${toCookieName(origin)}=`;
  const cookies = headers.cookie?.split(/; */) ?? [];
  const value = cookies.find((cookie) => cookie.startsWith(name))?.slice(name.length);
  return value !== undefined && BROWSER.test(value) ? value : undefined;
}

/** With the prefix no other host of the domain, and no page without https, can set it; it requires the path "/". */
const toCookieName = (origin: string): string => `${isSecure(origin) ? "__Host-" : ""}feed-sign-in`;
const isSecure = (origin: string): boolean => origin.startsWith("https:");

const toKey = (state: string): string => `sign-in ${toHash(state)}`;

const readTexts = ({ headers }: FastifyRequest): Texts => pickTexts(headers["accept-language"]);

function sendPage(reply: FastifyReply, page: string): FastifyReply {
  return reply.type("text/html; charset=utf-8").send(page);
}

function sendFaultPage(reply: FastifyReply, refusal: Refusal): FastifyReply {
  if (refusal.retryAfterSeconds !== undefined) reply.header("retry-after", refusal.retryAfterSeconds);
  return sendPage(
    reply.code(refusal.statusCode),
    toFaultPage(readTexts(reply.request), toFault(refusal), reply.request.signInPane),
  );
}

const OTHER_FAULTS: Readonly<Record<number, keyof Texts["faults"]>> = { 404: "address", 421: "address", 429: "busy" };

function toFault(refusal: Refusal): keyof Texts["faults"] {
  if (refusal instanceof SignInRefusal) return refusal.fault;
  return OTHER_FAULTS[refusal.statusCode] ?? "failed";
}

/** Some tokens list a person's groups. */
const BODY_LIMIT_BYTES = 40 * 1024;

/** Adds the sign-in routes: the address of its page, and the exchange of a pane's token for a code. */
export function addSignIn(scope: FastifyInstance, signingIn: SigningIn, address: Address): void {
  scope.get(
    "/sign-in",
    { exposeHeadRoute: false, config: { pairing: "never", limit: "signIn" } },
    async ({ headers }) => ({ page: toSignInPage(headers.host, address), nested: signingIn.nested }),
  );
  const config = { contentType: "application/json", pairing: "never", limit: "signIn", signIn: true } as const;
  scope.post("/sign-in", { bodyLimit: BODY_LIMIT_BYTES, config }, async (request) => {
    const { code, person } = await signingIn.admit(readToken(request.body));
    request.log.info({ person: person.id, name: person.name }, "Somebody signed in.");
    return { code };
  });
}

function readToken(body: unknown): string {
  const { token } = Object(body) as { token?: unknown };
  if (typeof token === "string") return token;
  throw new Refusal(400, 'Send an access token as {"token": "..."}.', "FEED_REQUEST_INVALID");
}
