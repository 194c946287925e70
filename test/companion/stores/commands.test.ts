import { expect, it } from "@jest/globals";
import { runCommand } from "../../../src/companion/command";
import { COMPLETE } from "../complete-settings";

it("a command quotes nothing of an unreadable address of its store", async () => {
  const environment = { ...COMPLETE, FEED_MODE: "relay", FEED_STORE: "http://:secret@localhost" };
  await expect(runCommand(["pair"], { environment, webFolder: "", print: () => {}, folder: "" })).rejects.toThrow(
    "The settings do not serve: FEED_STORE is not an address like redis://localhost:6379.",
  );
});
