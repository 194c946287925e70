import { describe, expect, it } from "@jest/globals";
import type { Row } from "../../src/feed/decode";
import { COMPANY_FIELDS, OFFICER_FIELDS } from "../../src/feed/field-tables";
import { pickField, unwind } from "../../src/feed/fields";
import { withoutContacts } from "../../src/feed/persistence-policy";
import type { Session } from "../../src/session/session";
import { installCustomFunctions } from "../office/custom-functions";
import { isolatePage } from "../support/formula-cells";

const PERSONAL = COMPANY_FIELDS.filter(({ isPersonal }) => isPersonal);
const OTHERS = COMPANY_FIELDS.filter(({ isPersonal, name }) => !isPersonal && !name.startsWith("representatives"));
const SINGLE = COMPANY_FIELDS.filter(({ kind }) => kind !== "list" && kind !== "object");

/** A company with a value in every field. */
function createFull(): Row {
  const company: Record<string, unknown> = {};
  for (const { name } of SINGLE) put(company, name.split("."), "");
  return company;
}

function put(row: Record<string, unknown>, [part = "", ...rest]: readonly string[], path: string): void {
  const [own, last] = [path + part, rest.length === 0];
  const isList = COMPANY_FIELDS.some(({ name, kind }) => name === own && kind === "list");
  row[part] ??= last ? `value of ${own}` : isList ? [{}] : {};
  const value = row[part];
  if (!last) put((Array.isArray(value) ? value[0] : value) as typeof row, rest, `${own}.`);
}

const listShown = (company: Row) =>
  SINGLE.map(({ name }) => name).filter((name) =>
    unwind(company, name).some((row) => pickField(row, name) === `value of ${name}`),
  );

/** Loads the formulas as on a page that is never connected. */
function loadSession(): Promise<Session> {
  installCustomFunctions();
  Object.assign(globalThis, { location: { origin: "http://localhost" } });
  return isolatePage(() => {
    require("../../src/functions");
    return require("../../src/session/current").session;
  });
}

describe("contact data, as marked in the field table", () => {
  it("are removed from a persisted company, and no other field is", () => {
    expect(listShown(createFull())).toEqual(SINGLE.map(({ name }) => name));
    const others = SINGLE.filter(({ isPersonal }) => !isPersonal).map(({ name }) => name);
    expect(listShown(withoutContacts(createFull()))).toEqual(others);
  });

  it("are removed from a single representative outside a list too", () => {
    const representatives = { fullName: "A", role: "DIRECTOR", email: "a@example.com" };
    expect(withoutContacts({ id: "C1", representatives })).toEqual({
      id: "C1",
      representatives: { fullName: "A", role: "DIRECTOR" },
    });
  });

  it("have a query of their own that is not persisted, by field name or header", async () => {
    const session = await loadSession();
    const isPersisted = async (name: string) => {
      const [query] = await session.formulas.listQueries("COMPANY", ["C1", name]);
      return { name, isPersisted: query?.persistence !== undefined };
    };
    const toNames = (fields: typeof COMPANY_FIELDS) => fields.flatMap(({ name, header }) => [name, header]);
    const ofPersons = await Promise.all(toNames(PERSONAL).map(isPersisted));
    const others = await Promise.all(toNames(OTHERS).map(isPersisted));
    expect(ofPersons.filter((field) => field.isPersisted)).toEqual([]);
    expect(others.filter((field) => !field.isPersisted)).toEqual([]);
    session.feed.queryCache.close();
  });

  it("alone keep a table of representatives from sharing the persisted answer", async () => {
    const session = await loadSession();
    const unshared: string[] = [];
    for (const name of OFFICER_FIELDS.flatMap(({ name, header }) => [name, header, name.toUpperCase()])) {
      const [query] = await session.formulas.listQueries("COMPANY.OFFICERS", [[["C1"]], [[name]]]);
      if (query?.persistence === undefined) unshared.push(name);
    }
    expect(unshared).toEqual(PERSONAL.flatMap(({ name, header }) => [name, header, name.toUpperCase()]));
    session.feed.queryCache.close();
  });
});
