/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */
import { describe, expect, it } from "@jest/globals";
import { screen } from "@testing-library/react/pure";
import { checkPart } from "../taskpane/access";
import { enter, show } from "../taskpane/changes-page";
import { createHurriedPorts } from "../taskpane/gate";
import { ALWAYS, begin, companion, press, serveSessions, session } from "../taskpane/pane-sessions";

serveSessions();

/** Starts a session, and records the trace ids of the provider's refusals. */
function beginNoting(): string[] {
  const ids: string[] = [];
  const ports = createHurriedPorts();
  begin({
    ...ports,
    async fetch(...parameters) {
      const response = await ports.fetch(...parameters);
      if ([400, 404].includes(response.status)) ids.push((await response.clone().json()).error.traceId);
      return response;
    },
  });
  return ids;
}

describe("the trace id of an error's answer", () => {
  it("is shown in the pane, at the failed formula and at its request", async () => {
    const ids = beginNoting();
    await session.connect();
    companion.controls.answers.rankCompanies = { status: 404, times: ALWAYS };
    await enter("Model!A1", "06");
    show();
    press(/^RANKING 2024-01-06.* failed$/);
    const id = ids.at(-1) as string;
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(screen.getByText(`FEED_NOT_FOUND · traceId ${id}`)).toBeTruthy();
    expect(screen.getAllByText((text) => text.includes(`traceId ${id}`)).length).toBeGreaterThan(1);
    await checkPart();
  });

  it("is shown at a formula to correct", async () => {
    const ids = beginNoting();
    await session.connect();
    companion.controls.answers.rankCompanies = { status: 400, times: ALWAYS };
    await enter("Model!A1", "07");
    show();
    expect(await screen.findByText(`FEED_REQUEST_INVALID · traceId ${ids.at(-1)}`)).toBeTruthy();
  });
});
