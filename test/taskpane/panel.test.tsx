/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */
import { afterEach, describe, expect, it, jest } from "@jest/globals";
import { cleanup, fireEvent, screen } from "@testing-library/react/pure";
import { createPorts } from "../../src/client/ports";
import { createSession } from "../../src/session/session";
import { Panel } from "../../src/taskpane/pane/Panel";
import { checkPage } from "./access";
import { openPart } from "./open-pane";

const SCRIPT = "../../src/taskpane/Changes";

afterEach(cleanup);

describe("a part whose script does not load", () => {
  it("says what to do, after an update too, and opens once the script loads", async () => {
    jest.doMock(SCRIPT, () => {
      throw new Error("Loading chunk changes failed.");
    });
    const session = createSession({ ports: createPorts(), companionUrl: "http://127.0.0.1:1" });
    openPart(session, <Panel part="changes" handoffs={{}} />);
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
});
