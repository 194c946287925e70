/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */
import { describe, expect, it } from "@jest/globals";
import { act, screen, waitFor } from "@testing-library/react/pure";
import { createPorts, type Ports } from "../../src/client/ports";
import { begin, checkAccess, enter, press, serveSessions, session, show } from "./changes-page";

/** The polling interval of the part. */
const PACE_MS = 500;

serveSessions();

describe("the changes without queries", () => {
  it("explains the next step, and opens its part", async () => {
    const { opened } = show();
    expect(screen.getByText(/^No formula asks for anything yet\. Build one/)).toBeTruthy();
    await checkAccess();
    press("Build a formula");
    expect(opened).toEqual([["build", undefined]]);
  });

  it("does so in Japanese", () => {
    show("ja-JP");
    expect(screen.getByText(/^データを求める数式はまだありません。/)).toBeTruthy();
  });
});

describe("a hidden part", () => {
  it("renders nothing until it is shown", async () => {
    let looks = 0;
    const ports = createPorts();
    const after: Ports["after"] = (delayMs, callback) => {
      return ports.after(delayMs, () => {
        if (delayMs === PACE_MS) looks++;
        callback();
      });
    };
    begin({ ...ports, after });
    await session.connect();
    show();
    const page = document.querySelector("main") as HTMLElement;
    page.hidden = true;
    await act(() => enter("Model!A1", "05"));
    const before = looks;
    await waitFor(() => expect(looks).toBeGreaterThan(before + 1));
    expect(screen.getByText(/^No formula asks for anything yet/)).toBeTruthy();
    page.hidden = false;
    await screen.findByText("1 formula is answered.");
  });
});
