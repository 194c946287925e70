/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 * @jest-environment-options {"url": "https://feed.example.com/taskpane.html"}
 */
import { afterEach, describe, expect, it } from "@jest/globals";
import { cleanup, fireEvent, screen } from "@testing-library/react/pure";
import { SignerError } from "../../src/client/errors";
import { createPorts } from "../../src/client/ports";
import { createSession } from "../../src/session/session";
import { isOwnCompanion } from "../../src/taskpane/host";
import { Reason } from "../../src/taskpane/Reason";
import { Pairing } from "../../src/taskpane/settings/Pairing";
import { toTexts } from "../../src/taskpane/texts";
import { openPart } from "./open-pane";

const session = () => {
  const ports = { ...createPorts(), fetch: () => Promise.reject(new TypeError("failed")) };
  return createSession({ ports, companionUrl: location.origin });
};

afterEach(cleanup);

describe("a pane at another's companion", () => {
  it.each([
    ["en-US", /^Ask the people who run your companion for a code\./, "Pair"],
    ["ja-JP", /^コードは、コンパニオンの管理者にお問い合わせください。/, "ペアリング"],
  ])("names no command to pair: %s", async (language, hint, button) => {
    const texts = toTexts(language);
    openPart(session(), <Pairing session={session()} texts={texts} onPaired={() => {}} />, { texts });
    await screen.findByText(hint);
    fireEvent.click(screen.getByRole("button", { name: button }));
    expect(document.body.textContent).not.toContain("npm run");
  });

  it.each(["npm run companion --", "feed"])("replaces the command in the companion's reason: %s", (program) => {
    const reason = `This page is not paired with the companion. For a code, run: ${program} pair`;
    openPart(session(), <Reason error={new SignerError("FEED_SIGNER_REFUSED", reason)} />);
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
