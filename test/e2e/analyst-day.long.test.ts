import { it } from "@jest/globals";
import { spendDay } from "./analyst-day";
import { createMouse } from "./hands";
import { createPlaygroundPage } from "./surroundings";

const at = createPlaygroundPage({ companies: 500, query: "?lang=ja", isKept: true });

it("an analyst's day goes from a typed name to a workbook that stays, in Japanese, by the mouse", async () => {
  await spendDay({ page: at.page, companion: at.companion, language: "ja-JP", hands: createMouse(at.page) });
}, 180_000);
