import { it } from "@jest/globals";
import { spendDay } from "./analyst-day";
import { createKeyboard } from "./hands";
import { createPlaygroundPage } from "./surroundings";

const at = createPlaygroundPage({ companies: 500, scheme: "dark", isKept: true });

it("an analyst's day goes from a typed name to a workbook that stays, by keyboard alone", async () => {
  await spendDay({ page: at.page, companion: at.companion, language: "en-US", hands: createKeyboard(at.page) });
}, 180_000);
