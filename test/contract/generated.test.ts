import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { description, ROOM } from "./description";

describe("the generated files", () => {
  it("are the current output of npm run contract", () => {
    const folder = mkdtempSync(join(tmpdir(), "contract-"));
    try {
      execFileSync(process.execPath, [join(ROOM, "generate.mjs"), folder]);
      for (const file of ["types.ts", "openapi.json", "routes.json"]) {
        expect(readFileSync(join(ROOM, "generated", file), "utf8")).toBe(readFileSync(join(folder, file), "utf8"));
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("have the same short names in types.ts", () => {
    const names = [
      ...readFileSync(join(ROOM, "types.ts"), "utf8").matchAll(/^export type (\w+) = Schemas\["(\w+)"\];$/gm),
    ];
    expect(names.map(([, alias]) => alias)).toEqual(names.map(([, , schema]) => schema));
    expect(Object.keys(description.components.schemas)).toEqual(
      expect.arrayContaining(names.map(([, alias]) => alias)),
    );
  });
});
