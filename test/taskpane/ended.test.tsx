/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */
import { afterEach, describe, expect, it } from "@jest/globals";
import { cleanup, screen } from "@testing-library/react/pure";
import { persistSettings } from "../../src/taskpane/host";
import { show } from "./changes-page";
import ENDED from "./ended.json";
import { removeOffice, setOffice } from "./office-settings";
import { serveSessions } from "./pane-sessions";

serveSessions();
afterEach(removeOffice);

describe.each(Object.entries(ENDED))(
  "a workbook of the version before, which stores %s",
  (name, { stored, ...texts }) => {
    it.each(["en", "ja"] as const)(
      "has it named in Changes until the next decision removes it (%s)",
      async (language) => {
        const office = setOffice();
        office.file.set("feed", { country: "SGP" });
        office.file.set(name, stored);
        show(language);
        expect(screen.getAllByText(new RegExp(texts[language]))).toHaveLength(1);
        expect([office.saves, office.file.get(name)]).toEqual([0, stored]); // a write would end the person's undo
        await persistSettings({ requestLimit: 50 });
        expect(office.saves).toBe(1);
        expect(Object.fromEntries(office.file)).toEqual({ feed: { country: "SGP", requestLimit: 50 } });
        cleanup();
        show(language);
        expect(screen.queryByText(new RegExp(texts[language]))).toBeNull();
      },
    );
  },
);

it("a workbook without state of what ended has nothing named", () => {
  setOffice();
  show();
  for (const { en } of Object.values(ENDED)) expect(screen.queryByText(new RegExp(en))).toBeNull();
});
