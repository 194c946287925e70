import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import Ajv from "ajv/dist/2020";
import addFormats from "ajv-formats";
import { OPERATIONS } from "../../src/contract/constants";
import contract from "../../src/contract/generated/openapi.json";
import QUESTIONS from "./questions.json";
import REFUSALS from "./refusals.json";
import { PRIVATE_MARKETS, type RunningSandbox, startSandbox, TAXONOMIES } from "./running-sandbox";

type Node = { [key: string]: unknown; $ref?: string; allOf?: Node[] };

/** The contract with every object closed: an undocumented field is a mistake here. */
function createClosedContract() {
  const schemas = contract.components.schemas as Record<string, unknown>;
  const resolve = (part: Node) => (part.$ref === undefined ? part : schemas[part.$ref.split("/").at(-1)!]);
  const close = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(close);
    if (typeof node !== "object" || node === null) return node;
    const { allOf, ...rest } = node as Node;
    // The parts of a combined object do not know each other's fields, so only the whole can be closed.
    if (allOf) return { ...rest, allOf: allOf.map(resolve), unevaluatedProperties: false };
    const copy = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, close(value)]));
    return "properties" in copy && !("additionalProperties" in copy) ? { ...copy, additionalProperties: false } : copy;
  };
  return { ...contract, components: close(contract.components) };
}

const ajv = addFormats(new Ajv({ strict: false, allErrors: true }));
ajv.addSchema(createClosedContract(), "api");

function findFaults(schema: string, value: unknown): unknown[] {
  const validate = ajv.compile({ $ref: `api#/components/schemas/${schema}` });
  return validate(value) ? [] : (validate.errors ?? []).slice(0, 3);
}

const MONTH = "start_datetime=2024-01-01T00:00:00&end_datetime=2024-01-31T23:59:59";
const EVERYTHING = "country=ALL&company_type=ALL&page_size=9000&show_all_industries=true";

/** Asks for whole lists, so that every kind of company is checked. */
async function send(operation: string, path: string): Promise<{ status: number; body: unknown }> {
  if (operation === "createToken") return sandbox.exchange(sandbox.createForm(await sandbox.sign()));
  if (operation === "getFinancialsOfMany") return sandbox.send(path, { companyIds: ids });
  return sandbox.read(path.replace(":id", ids[0]!).replace(":all", EVERYTHING).replace(":month", MONTH));
}

let sandbox: RunningSandbox;
let ids: string[];

beforeAll(async () => {
  sandbox = await startSandbox({ companies: 600 });
  const { body } = await sandbox.read(`${PRIVATE_MARKETS}/companies?country=ALL&page_size=600`);
  ids = body.data.map(({ id }: { id: string }) => id);
});
afterAll(() => sandbox.close());

describe("the sandbox answers as the contract says", () => {
  it.each(Object.entries(QUESTIONS))("%s", async (operation, [schema = "", path = ""]) => {
    const { status, body } = await send(operation, path);
    expect(status).toBe(200);
    const values = Array.isArray(body) ? body : [body];
    expect(values.length).toBeGreaterThan(0);
    expect(values.flatMap((value) => findFaults(schema, value))).toEqual([]);
  });

  it("to every operation", () => {
    expect(Object.keys(QUESTIONS).sort()).toEqual(Object.keys(OPERATIONS).sort());
  });

  it("checked by a validator that finds missing, wrong and unknown fields", () => {
    const good = { code: "X", message: "Y" };
    expect(findFaults("ErrorBody", { error: good })).toEqual([]);
    expect(findFaults("ErrorBody", { error: { code: "X" } })).toHaveLength(1);
    expect(findFaults("ErrorBody", { error: { ...good, traceId: 7 } })).toHaveLength(1);
    expect(findFaults("ErrorBody", { error: { ...good, more: 7 } })).toHaveLength(1);
  });
});

describe("the sandbox refuses in the ranking family's shape", () => {
  it.each(REFUSALS as [number, string, string][])("with %i %s at %s", async (status, code, path) => {
    const reply = await sandbox.read(path);
    expect(reply.status).toBe(status);
    expect(findFaults("ErrorBody", reply.body)).toEqual([]);
    expect(reply.body.error.code).toBe(code);
    expect(reply.body.error.traceId).toMatch(/^[0-9a-f-]{36}$/);
  });

  it("names each invalid field in its details", async () => {
    const { body } = await sandbox.read(`${TAXONOMIES}/companies?company_type=ALL`);
    expect(body.error.details).toEqual([{ field: "country", issue: "is missing" }]);
  });

  it("with 415 for a body that is not JSON, and 400 for broken JSON", async () => {
    const path = `${PRIVATE_MARKETS}/financials`;
    const text = await sandbox.send(path, "companyIds=1", "text/plain");
    expect([text.status, text.body.error.code]).toEqual([415, "UNSUPPORTED_MEDIA_TYPE"]);
    const broken = await sandbox.send(path, '{"companyIds":');
    expect([broken.status, broken.body.error.code]).toEqual([400, "INVALID_REQUEST"]);
  });

  it("with 405 and the right method", async () => {
    const reply = await sandbox.read(`${PRIVATE_MARKETS}/financials`);
    expect(reply.headers.get("allow")).toBe("POST");
  });
});

it("every answer has a date by the provider's own clock", async () => {
  for (const path of [`${TAXONOMIES}/tree`, `${PRIVATE_MARKETS}/companies`, "/nothing"]) {
    expect((await sandbox.read(path)).headers.get("date")).toBe("Wed, 20 Nov 2024 09:30:00 GMT");
  }
});
