import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { type Analyst, signAllIn } from "./analyst";
import { type Firm, startFirm } from "./firm";

const ANALYSTS = 12;
const COMPANIES = 60;
const LONGEST_MS = 60_000;
const everyCompany = Array.from({ length: COMPANIES }, (_, place) => place);

let firm: Firm;
let analysts: Analyst[] = [];

beforeAll(async () => {
  const firstWords = ["--require", join(__dirname, "shifted-clock.cjs")];
  firm = await startFirm({ companies: COMPANIES, settings: { FEED_PROVIDER_PER_MINUTE: "6000" }, firstWords });
}, LONGEST_MS);
afterAll(async () => {
  for (const analyst of analysts) await analyst.leave();
  await firm.close();
}, LONGEST_MS);

describe("a firm with an instance whose clock is an hour and a half ahead", () => {
  it("reports it in that instance's health", async () => {
    expect(await firm.readStandings()).toEqual(["degraded", "ready", "ready"]);
  });

  it(
    "signs everybody in, shows every cell right, and requests each company once",
    async () => {
      analysts = await signAllIn(firm, ANALYSTS);
      await firm.provider.order({ forget: true });
      const filled = [];
      for (const analyst of analysts) filled.push(await analyst.fill(everyCompany, 1));
      expect(filled.map(({ failed, wrong }) => [failed, wrong])).toEqual(analysts.map(() => [[], 0]));
      expect((await firm.provider.order({})).companies).toBe(COMPANIES);
    },
    LONGEST_MS,
  );
});
