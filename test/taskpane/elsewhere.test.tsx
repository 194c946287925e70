/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 * @jest-environment-options {"url": "https://feed.example.com/taskpane.html"}
 */
import { afterEach, describe, expect, it, jest } from "@jest/globals";
import { cleanup, fireEvent, screen } from "@testing-library/react/pure";
import { SignerError } from "../../src/client/errors";
import { createPorts } from "../../src/client/ports";
import { createSession } from "../../src/session/session";
import { isOwnCompanion } from "../../src/taskpane/host";
import { Panel } from "../../src/taskpane/Pane";
import { Reason } from "../../src/taskpane/Reason";
import { Pairing } from "../../src/taskpane/settings/Pairing";
import { toTexts } from "../../src/taskpane/texts";
import { checkPage } from "./access";
import { openPart } from "./open-pane";

const createFailing = () => {
  const ports = { ...createPorts(), fetch: () => Promise.reject(new TypeError("failed")) };
  return createSession({ ports, companionUrl: location.origin });
};

afterEach(cleanup);

describe("a pane at another's companion", () => {
  it("names no command to pair", async () => {
    const texts = toTexts("en-US");
    openPart(createFailing(), <Pairing session={createFailing()} texts={texts} onPaired={() => {}} />);
    await screen.findByText(/^Ask the people who run your companion for a code\./);
    fireEvent.click(screen.getByRole("button", { name: "Pair" }));
    expect(document.body.textContent).not.toContain("npm run");
  });

  it.each(["npm run companion --", "feed"])("replaces the command in the companion's reason: %s", (program) => {
    const reason = `This page is not paired with the companion. For a code, run: ${program} pair`;
    openPart(createFailing(), <Reason error={new SignerError("FEED_SIGNER_REFUSED", reason)} />);
    screen.getByText("This page is not paired with the companion. Ask the people who run your companion.");
  });

  it.each([
    ["https://localhost:3000", true],
    ["http://127.0.0.1", true],
    ["https://[::1]:3000", true],
    ["https://localhost.example.com", false],
    ["https://feed.example.com", false],
  ])("is one at %s: %s is the person's own", (origin, isOwn) => {
    expect(isOwnCompanion(origin)).toBe(isOwn);
  });
});

const SCRIPT = "../../src/taskpane/Changes";

it("a part whose script does not load says what to do, after an update too, and opens once the script loads", async () => {
  jest.doMock(SCRIPT, () => {
    throw new Error("Loading chunk changes failed.");
  });
  openPart(createFailing(), <Panel part="changes" handoffs={{}} />);
  expect((await screen.findByRole("alert")).textContent).toContain(
    "Changes could not be loaded. Check that the companion runs, then try again; " +
      "after an update of the add-in, close the workbook and open it again.",
  );
  await checkPage("region");
  jest.dontMock(SCRIPT);
  fireEvent.click(screen.getByRole("button", { name: "Try again" }));
  await screen.findByText(/^No formula asks for anything yet/);
  expect(screen.queryByRole("alert")).toBeNull();
});
