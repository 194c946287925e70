import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "@jest/globals";
import { clearWorkbook, readRange, readSettled, type } from "./playground-page";
import { createPlaygroundPage } from "./surroundings";

const EXAMPLES: Record<string, { formula: string }[]> = JSON.parse(
  readFileSync(join(__dirname, "../../dist/web/reference/examples.json"), "utf8"),
);

const at = createPlaygroundPage({ companies: 5000 });

it("the examples of the reference give values and no error on sample data", async () => {
  for (const { formula } of Object.values(EXAMPLES).flat()) {
    await clearWorkbook(at.page);
    await type(at.page, ["A1", formula]);
    expect([formula, (await readSettled(at.page, "A1")).error]).toEqual([formula, undefined]);
    const cells = (await readRange(at.page, "A1:Z200")).flat();
    expect(cells.filter((value) => typeof value === "string" && value.startsWith("#"))).toEqual([]);
    expect(cells.filter((value) => value !== null && value !== "").length).toBeGreaterThan(0);
  }
}, 300_000);
