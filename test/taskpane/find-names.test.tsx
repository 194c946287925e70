/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */
import { describe, expect, it } from "@jest/globals";
import { fireEvent, screen, waitFor } from "@testing-library/react/pure";
import { MOST_SHOWN } from "../../src/taskpane/find/Companies";
import { checkAccess, click, field, isOff, options, serveFind, write } from "./find-page";
import { createGate } from "./gate";

const page = serveFind();

const WANTED =
  /^Names are searched on this machine, and those of JPN are not here yet\. Building their index takes about \d\d requests, once; searching takes none\.$/;
const BUILT = /^4,\d\d\d companies of JPN, read this minute\.$/;

/** Pages so small that a formula would not build the index. */
function makeLong(): void {
  page.companion().controls.pageCap = 150;
}

describe("the name index", () => {
  it("is built automatically if that takes few requests, with progress", async () => {
    page.companion().controls.pageCap = 1000;
    const gate = createGate("/industry-taxonomies/v1/companies", 1);
    await page.open({ ports: gate.ports });
    write("sakura bak");
    await gate.reached;
    await screen.findByText(/^Building the index of JPN: 1,\d\d\d of 4,\d\d\d names\.$/);
    expect(screen.getByRole("progressbar", { name: "Names" }).getAttribute("aria-valuenow")).not.toBeNull();
    await checkAccess();
    gate.open();
    await screen.findByText(BUILT);
    expect(screen.queryByRole("progressbar")).toBeNull();
    expect(screen.getByRole("button", { name: "Rebuild" })).toBeTruthy();
  });

  it("costs no request before the first search", async () => {
    const { session } = await page.open();
    page.companion().controls.requests.length = 0;
    await session.feed.nameIndexes.find("JPN");
    expect(session.feed.nameIndexes.state("JPN").status).toBe("none");
    expect(page.companion().controls.requests).toEqual([]);
    expect(screen.queryByRole("button", { name: "Build the index" })).toBeNull();
  });

  it("shows the cost of a long build, and the search result once it is built", async () => {
    makeLong();
    const { session } = await page.open();
    write("sakura bak");
    await screen.findByText(WANTED);
    await checkAccess();
    const query = session.feed.names.query("sakura bak", "JPN", MOST_SHOWN + 1);
    await waitFor(() => expect(session.feed.queryCache.peek(query).status).toBe("failed"));
    expect(screen.queryByText(/FEED_INDEX_NOT_READY/)).toBeNull();
    page.companion().controls.pageCap = null;
    click("Build the index");
    await screen.findByText(BUILT);
    await waitFor(() => expect(options()[0]).toMatch(/^Sakura Bakery/));
  });

  it("stops when it is cancelled, and resumes from there", async () => {
    const gate = createGate("/industry-taxonomies/v1/companies", 1);
    await page.open({ ports: gate.ports });
    write("sakura bak");
    await gate.reached;
    click("Cancel");
    gate.open();
    await screen.findByText(
      /^The index of JPN is not finished: 1,\d\d\d of 4,\d\d\d names are here, of about \d+ requests/,
    );
    click("Build the index");
    await screen.findByText(BUILT);
  });

  it("stays usable while it is rebuilt", async () => {
    const gate = createGate("/industry-taxonomies/v1/companies", 10);
    await page.open({ ports: gate.ports });
    write("sakura");
    await screen.findByText(BUILT);
    click("Rebuild");
    await screen.findByRole("progressbar");
    write("sakura bak");
    await waitFor(() => expect(options()[0]).toMatch(/^Sakura Bakery/));
    gate.open();
    await waitFor(() => expect(screen.queryByRole("progressbar")).toBeNull());
  });

  it("explains a failed build and the remedy, and keeps the text", async () => {
    page.companion().controls.answers.listTaxonomyCompanies = { status: 404, times: Number.POSITIVE_INFINITY };
    await page.open();
    write("sakura bak");
    await screen.findByText(/^FEED_NOT_FOUND/);
    page.companion().controls.reset();
    click("Build the index");
    await screen.findByText(BUILT);
    await waitFor(() => expect(options()[0]).toMatch(/^Sakura Bakery/));
    expect(screen.queryByText(/^FEED_NOT_FOUND/)).toBeNull();
  });

  it("names an omitted family", async () => {
    page.companion().controls.answers.searchCompanies = { status: 403, times: Number.POSITIVE_INFINITY };
    await page.open();
    write("sakura bak");
    await screen.findByText("Without private-market companies, which this client may not read.");
  });

  it("is of the chosen country, in Japanese too", async () => {
    const { session } = await page.open({ language: "ja-JP" });
    write("さくら", "企業");
    await screen.findByText(/^JPN の 4,\d\d\d 社、.*に取得。$/);
    field("国").focus();
    write("sgp", "国");
    fireEvent.blur(field("国"));
    await screen.findByText(/^SGP の [\d,]+ 社、.*に取得。$/);
    expect(session.feed.nameIndexes.state("SGP").status).toBe("built");
    await checkAccess();
  });
});

describe("without a connection", () => {
  it("Find says so, and searches the typed text once connected", async () => {
    const { session } = await page.open({ isConnected: false });
    expect(screen.getByText("Companies are found once the pane is connected.")).toBeTruthy();
    write("sakura bak");
    await session.connect();
    await waitFor(() => expect(options()[0]).toMatch(/^Sakura Bakery/));
  });

  it("an unfinished index waits for the next connection", async () => {
    makeLong();
    const { session } = await page.open();
    write("sakura bak");
    await screen.findByText(WANTED);
    session.disconnect();
    await waitFor(() => expect(isOff("Build the index")).toBe(true));
    await checkAccess();
    await session.connect();
    await waitFor(() => expect(isOff("Build the index")).toBe(false));
  });
});
