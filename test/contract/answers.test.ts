import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import Ajv from "ajv/dist/2020";
import addFormats from "ajv-formats";
import ACCEPTED from "./accepted.json";
import { ROOM } from "./description";
import REFUSED from "./refused.json";

// The description is no schema itself; ajv only resolves references into it.
const ajv = addFormats(new Ajv({ strict: false }));
ajv.addSchema(JSON.parse(readFileSync(join(ROOM, "generated/openapi.json"), "utf8")), "api");

function fits(schema: string, value: unknown): boolean {
  return ajv.validate({ $ref: `api#/components/schemas/${schema}` }, value);
}

describe("the description accepts", () => {
  it.each(ACCEPTED as [string, string, object][])("%s", (_what, schema, value) => {
    expect(fits(schema, value)).toBe(true);
  });
});

describe("the description refuses", () => {
  it.each(REFUSED as [string, string, object][])("%s", (_what, schema, value) => {
    expect(fits(schema, value)).toBe(false);
  });
});
