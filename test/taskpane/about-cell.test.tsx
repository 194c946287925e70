/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */
import { expect, it } from "@jest/globals";
import { fireEvent, screen, waitFor } from "@testing-library/react/pure";
import { openWholePane } from "./open-whole-pane";
import { openSessions } from "./pane-sessions";

const opened = openSessions(20);

const findRegion = () => screen.findByRole("region", { name: /^Selected cell/ });

it("shows the provenance of the selected cell each time About this cell is pressed", async () => {
  const { press } = openWholePane(opened.session);
  press("aboutCell");
  const region = await findRegion();
  await waitFor(() => expect(document.activeElement).toBe(region));
  const build = screen.getByRole("tab", { name: "Build" });
  build.focus();
  fireEvent.click(build);
  press("aboutCell");
  await waitFor(() => expect(document.activeElement).toBe(region));
  expect(screen.getByRole("tab", { name: "This cell", selected: true })).toBeTruthy();
});
