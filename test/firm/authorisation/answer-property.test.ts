import { expect, it } from "@jest/globals";
import fc from "fast-check";
import { readReply } from "../../../src/client/http/response";
import type { ReadRequest } from "../../../src/companion/feature";
import { FAMILIES, OPERATIONS } from "../../../src/contract/constants";
import { checkAnswer } from "../../../src/firm/reads/answer-check";
import { toEntitlements } from "../../../src/firm/reads/entitlements";
import { toRuns } from "../../support/property";

const TOYO = "10000000-0000-4000-8000-000000000001";
const HANA = "20000000-0000-4000-8000-000000000002";
/** A marker in each row of a forbidden company. */
const SECRET = "Hana Foods";

const JAPAN = toEntitlements({ id: "he", roles: ["japan"] }, { japan: { families: FAMILIES, countries: ["JPN"] } });

const LISTS = [
  "searchCompanies",
  "listTaxonomyCompanies",
  "listSectorCompanies",
  "rankCompanies",
  "getTaxonomyTree",
] as const;
const BY_ID = ["getCompany", "getTaxonomyCompany", "getCompanyFinancials", "getFinancialsOfMany"] as const;

const ASKED = [...LISTS, ...BY_ID].map((operation): ReadRequest & { isById: boolean } => {
  const { method, path } = OPERATIONS[operation];
  const body = method === "POST" ? Buffer.from(JSON.stringify({ companyIds: [TOYO] })) : undefined;
  const ids = path.includes("{companyId}") ? { companyId: TOYO } : {};
  return { operation, ids, query: { method, path, body }, isById: body !== undefined || "companyId" in ids };
});

/** JSON before it is written: objects are lists of members, so that a name can repeat. */
type Draft = string | number | boolean | null | Draft[] | { members: [name: string, value: Draft][] } | { raw: string };

const NAMES = ["data", "items", "page", "total", "company", "companies", "years", "error", "registeredAddress", "id"];
const FOREIGN: Draft[] = ["KOR", "kor", "KR", "Korea", " JPN", ["KOR"], { members: [["code", "KOR"]] }, 410];
const object = (...members: [string, Draft][]): Draft => ({ members });

const foreignRow = (isById: boolean): fc.Arbitrary<Draft> =>
  fc
    .constantFrom(...FOREIGN)
    .chain((country) =>
      fc.constantFrom<Draft>(
        object(["id", HANA], ["companyName", SECRET], ["registeredAddress", object(["country", country])]),
        object(["companyId", HANA], ["companyFormalName", SECRET], ["countryCode", country]),
        object(["companyName", SECRET], ["countryCode", "JPN"], ["country", country]),
        ...(isById ? [object(["companyId", HANA], ["years", [object(["currency", SECRET])]])] : []),
      ),
    );

const ownRow = fc.constantFrom<Draft>(
  object(["id", TOYO], ["companyName", "Toyo"], ["registeredAddress", object(["country", "JPN"])]),
  object(["companyId", TOYO], ["countryCode", "JPN"], ["years", []]),
);

const anything = (isById: boolean) =>
  fc.letrec<{ value: Draft; object: Draft; list: Draft }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 5, depthSize: "medium" },
      fc.constantFrom<Draft>(null, 1, true, "text", { raw: "NaN" }, { raw: "1e400" }),
      ownRow,
      foreignRow(isById),
      tie("list"),
      tie("object"),
    ),
    object: fc
      .array(fc.tuple(fc.constantFrom(...NAMES), tie("value")), { maxLength: 4 })
      .map((members) => ({ members }) as Draft),
    list: fc.array(tie("value"), { maxLength: 4 }) as fc.Arbitrary<Draft>,
  })).value;

/** Likely answers, so that the property also covers answers that pass. */
const page = (isById: boolean): fc.Arbitrary<Draft> =>
  fc
    .tuple(fc.array(fc.oneof({ weight: 8, arbitrary: ownRow }, foreignRow(isById)), { maxLength: 3 }), anything(isById))
    .chain(([rows, odd]) =>
      fc.constantFrom<Draft>(
        rows,
        object(["data", rows], ["total", rows.length]),
        object(["data", rows], ["more", odd]),
      ),
    );

/** @param nth Which names are written with escapes. */
function write(draft: Draft, nth: number): string {
  if (Array.isArray(draft)) return `[${draft.map((each) => write(each, nth)).join(", ")}]`;
  if (typeof draft !== "object" || draft === null) return JSON.stringify(draft);
  if ("raw" in draft) return draft.raw;
  const members = draft.members.map(([name, value], at) => `${writeName(name, at === nth)}:${write(value, nth)}`);
  return `{${members.join(",")}}`;
}

const writeName = (name: string, isEscaped: boolean) =>
  isEscaped ? JSON.stringify(name).replace("a", "\\u0061").replace("o", "\\u006F") : JSON.stringify(name);

const answers = fc.constantFrom(...ASKED).chain((request) =>
  fc.record({
    request: fc.constant(request),
    status: fc.constantFrom(200, 200, 200, 201, 203, 206, 299, 400, 404, 500),
    before: fc.constantFrom("", "", "\uFEFF", " \n", "\uFEFF\uFEFF"),
    draft: fc.oneof(page(request.isById), ownRow, anything(request.isById)),
    escaped: fc.integer({ min: -3, max: 3 }),
    cut: fc.constantFrom(0, 0, 0, 1, 2),
  }),
);

/** The rows that the pane reads from an answer, data or error. */
const readAsPane = (status: number, body: Buffer): Promise<unknown> =>
  readReply(
    new Response(new Uint8Array(body), { status }),
    0,
    [],
    true,
    () => {},
    async () => {},
  ).catch((error) => [error.message, error.said]);

it("for any answer of a provider a person entitled to one country gets no row of another that the pane could read", async () => {
  let passed = 0;
  await fc.assert(
    fc.asyncProperty(answers, async ({ request, status, before, draft, escaped, cut }) => {
      const text = before + write(draft, escaped);
      const body = Buffer.from(text.slice(0, text.length - cut));
      let checked: { body: Buffer };
      try {
        checked = checkAnswer(JAPAN, request, { status, headers: {}, body });
      } catch (error) {
        expect(error).toMatchObject({ code: expect.stringMatching(/^FEED_(SCOPE_MISSING|SERVER_FAILED)$/) });
        return;
      }
      passed += status < 400 ? 1 : 0;
      if (status < 400) expect(checked.body).toBe(body);
      expect(JSON.stringify(await readAsPane(status, checked.body))).not.toContain(SECRET);
    }),
    { seed: 20_261_122, numRuns: toRuns(1_000, 5_000) },
  );
  expect(passed).toBeGreaterThan(20);
});
