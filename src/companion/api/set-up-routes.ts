import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { REFUSAL_HEADER } from "../../contract/companion-api";
import { ConfigurationError } from "../configuration/reading";
import { KEY_BITS } from "../key-folder";
import { Refusal } from "../refusal";
import { FIELDS, type SetUp, type Wanted } from "./set-up";

const BODY_LIMIT_BYTES = 4096;
const MISTAKEN = "FEED_REQUEST_INVALID";

/**
 * @param setUp Absent where the pane may change nothing.
 * @param readConfig Reads the answer of GET /config.
 */
export function addSetUp(scope: FastifyInstance, setUp: SetUp | undefined, readConfig: () => Promise<object>): void {
  const paired = { pairing: "always" } as const;
  const json = { ...paired, contentType: "application/json" } as const;
  scope.put("/config", { bodyLimit: BODY_LIMIT_BYTES, config: json }, async (request, reply) => {
    const wanted = readWanted(request.body);
    try {
      await demand(setUp).change(wanted);
    } catch (error) {
      if (error instanceof ConfigurationError) return sendMistakes(request, reply, error);
      throw error;
    }
    request.log.warn({ pairing: request.pairing?.id }, "The companion was set up from the pane.");
    return readConfig();
  });
  scope.delete("/config", { config: paired }, async (request) => {
    await demand(setUp).end();
    request.log.warn({ pairing: request.pairing?.id }, "The companion was taken back to sample data from the pane.");
    return readConfig();
  });
  const making = { bodyLimit: BODY_LIMIT_BYTES, config: { ...json, limit: "keys" } } as const;
  scope.post("/keys", making, async (request, reply) => {
    const key = await demand(setUp).createKey(readBits(request.body));
    request.log.info({ pairing: request.pairing?.id, thumbprint: key.thumbprint }, "A key was made from the pane.");
    return reply.code(201).send({ ...key, keyId: null });
  });
  scope.get("/keys", { exposeHeadRoute: false, config: paired }, async () => ({
    keys: await demand(setUp).listKeys(),
  }));
}

/** @throws Refusal (404) */
function demand(setUp: SetUp | undefined): SetUp {
  if (setUp !== undefined) return setUp;
  throw new Refusal(404, "This companion is not set up from the pane. Set it up where it is started.");
}

function sendMistakes(request: FastifyRequest, reply: FastifyReply, { mistakes }: ConfigurationError): FastifyReply {
  const message = mistakes.join(" ");
  request.log.warn({ pairing: request.pairing?.id, status: 400 }, message);
  return reply
    .code(400)
    .header(REFUSAL_HEADER, MISTAKEN)
    .send({ error: { code: MISTAKEN, message, mistakes } });
}

/** @throws Refusal (400) */
function readWanted(body: unknown): Wanted {
  const entries = readEntries(body);
  for (const [name, value] of entries) {
    if (!(FIELDS as string[]).includes(name)) throw toMistake(`${FIELDS.join(", ")} can be set, and nothing else.`);
    if (typeof value !== "string") throw toMistake(`${name} must be a text.`);
  }
  return Object.fromEntries(entries.map(([name, text]) => [name, String(text).trim()]));
}

/** @throws Refusal (400) */
function readBits(body: unknown): number | undefined {
  const [first, ...others] = readEntries(body);
  if (first === undefined) return undefined;
  const [name, bits] = first;
  if (name === "bits" && others.length === 0 && KEY_BITS.includes(bits as number)) return bits as number;
  throw toMistake(`Send {} or {"bits": N}, where N is ${KEY_BITS.join(", ")}.`);
}

function readEntries(body: unknown): [string, unknown][] {
  if (typeof body === "object" && body !== null && !Array.isArray(body)) return Object.entries(body);
  throw toMistake("Send a JSON object.");
}

const toMistake = (sentence: string): Refusal => new Refusal(400, sentence, MISTAKEN);
