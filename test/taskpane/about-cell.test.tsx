/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "@jest/globals";
import { cleanup, configure, fireEvent, screen, waitFor } from "@testing-library/react/pure";
import { createPorts } from "../../src/feed/ports";
import { createSession, type Session } from "../../src/session/session";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { openWholePane } from "./open-whole-pane";

let companion: RunningCompanion;
let session: Session;

beforeAll(async () => {
  configure({ asyncUtilTimeout: 10_000 });
  companion = await startCompanion({ companies: 20 });
});
beforeEach(() => {
  session = createSession({ ports: createPorts(), companionUrl: companion.origin });
});
afterEach(() => {
  cleanup();
  session.feed.watch.close();
  localStorage.clear();
});
afterAll(() => companion.close());

const findRegion = () => screen.findByRole("region", { name: /^Selected cell/ });

it("shows what stands behind the selected cell, each time that it is asked for", async () => {
  const { press } = openWholePane(session);
  press("aboutCell");
  const region = await findRegion();
  await waitFor(() => expect(document.activeElement).toBe(region));
  const build = screen.getByRole("tab", { name: "Build" });
  build.focus();
  fireEvent.click(build);
  press("aboutCell");
  await waitFor(() => expect(document.activeElement).toBe(region));
  expect(screen.getByRole("tab", { name: "Activity", selected: true })).toBeTruthy();
});
