import { join } from "node:path";
import { expect, it } from "@jest/globals";
import { setUpFirm } from "./set-up-firm";

const COMPANIES = 60;
const everyCompany = Array.from({ length: COMPANIES }, (_, place) => place);

const waitingWords = ["--require", join(__dirname, "shifted-clock.cjs")];
const settings = { FEED_PROVIDER_PER_MINUTE: "6000" };
const used = setUpFirm({ companies: COMPANIES, settings, waitingWords, analysts: 12 });

it("a firm shows every cell right, and requests no company again, when an instance takes over whose clock is an hour and a half ahead", async () => {
  await used.firm.provider.order({ forget: true });
  const fillAll = async () => {
    const filled = [];
    for (const analyst of used.analysts) filled.push(await analyst.fill(everyCompany, 1));
    expect(filled.map(({ failed, wrong }) => [failed, wrong])).toEqual(Array.from({ length: 12 }, () => [[], 0]));
  };
  await fillAll();
  await used.firm.programs.instances[0]!.kill();
  await fillAll();
  expect((await used.firm.provider.order({})).companies).toBe(COMPANIES);
});
