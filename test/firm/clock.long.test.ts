import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { setUpFirm } from "./set-up-firm";

const COMPANIES = 60;
const everyCompany = Array.from({ length: COMPANIES }, (_, place) => place);

const firstWords = ["--require", join(__dirname, "shifted-clock.cjs")];
const settings = { FEED_PROVIDER_PER_MINUTE: "6000" };
const used = setUpFirm({ companies: COMPANIES, settings, firstWords, analysts: 12 });

describe("a firm with an instance whose clock is an hour and a half ahead", () => {
  it("reports it in that instance's health", async () => {
    expect(await used.firm.readStandings()).toEqual(["degraded", "ready", "ready"]);
  });

  it("signs everybody in, shows every cell right, and requests each company once", async () => {
    await used.firm.provider.order({ forget: true });
    const filled = [];
    for (const analyst of used.analysts) filled.push(await analyst.fill(everyCompany, 1));
    expect(filled.map(({ failed, wrong }) => [failed, wrong])).toEqual(Array.from({ length: 12 }, () => [[], 0]));
    expect((await used.firm.provider.order({})).companies).toBe(COMPANIES);
  });
});
