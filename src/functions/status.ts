import pkg from "../../package.json";
import { NoValueError } from "../client/errors";
import { msg } from "../client/messages";
import { session } from "../session/current";
import { type Given, readChoice, readText } from "./arguments";
import { Formatted, toCellError } from "./cells";
import { toLocalSerial } from "./dates";
import { stream } from "./stream";
import type { View } from "./view-observer";

/**
 * Whether the add-in is connected, or how much it has asked and how current what it shows is.
 * @customfunction STATUS
 * @param [what] "asof" for when the oldest answer of this sheet came, "pending", "stale", "requests", "currencies" or "version"; the connection when left out
 * @param [sheet] With "asof": this sheet's name, which tells the formula from equal ones on other sheets
 * @param invocation Streams the state
 * @streaming
 * @requiresStreamAddress
 */
export function status(what: any, sheet: any, invocation: CustomFunctions.StreamingInvocation<any[][]>): void {
  stream(session, invocation, "STATUS", { what, sheet }, openStatus);
}

/** The readers of the words of FEED.STATUS. */
const READERS = {
  asof: readAsOf,
  pending: () => session.feed.activity.pending(),
  stale: () => session.feed.activity.stale(),
  requests: () => session.feed.activity.requests(),
  currencies: readCurrencies,
  version: () => pkg.version,
};

type Word = keyof typeof READERS;

function openStatus(given: Given<"what" | "sheet">): View {
  const { what, sheet } = given;
  readText(sheet, "sheet"); // it only tells equal formulas apart
  const word = readChoice<Word | "">(what, "what", Object.keys(READERS) as Word[], "");
  if (word !== "") return { ...toView(() => READERS[word](given)), subscribe: session.feed.activity.onChange };
  return {
    ...toView(readConnection),
    rereadsOnRefresh: true, // a refresh retries a missing connection
    subscribe(notify) {
      const stop = session.subscribe(notify);
      // No other formula may be present to connect.
      if (["idle", "failed"].includes(session.state().status)) void session.connect();
      return stop;
    },
  };
}

const toView = (read: () => unknown): View => ({
  queries: [],
  show: () => ({ rows: [[read()]] }),
});

/** A state is always a value: an error would spread to dependent cells. */
function readConnection(): string {
  const state = session.state();
  if (state.status === "connected") return session.isSample() ? "sample data" : "connected";
  if (state.status === "connecting") return "connecting…";
  if (state.status === "failed") {
    const what = session.isSample() ? "sample data, " : ""; // cells still show it
    return `${what}not connected: ${toCellError(state.error).message}`;
  }
  return state.status === "disconnected" ? "disconnected" : "not connected yet";
}

/**
 * In this machine's local time, as NOW(). Equal formulas on several sheets are one, which shows the oldest of them all;
 * where the sheets are not known, it shows that of the workbook.
 */
function readAsOf(given: Given<"what" | "sheet">): Formatted {
  const { placement, feed } = session;
  placement.isWanted = true;
  const besideMs = placement.current?.oldestBesideMs(given);
  const asOfMs = besideMs === undefined ? feed.activity.oldestAsOfMs() : besideMs;
  if (asOfMs === null) throw new NoValueError("FEED_NO_VALUE", msg`no formula shows an answer yet; enter one, or wait`);
  return new Formatted(toLocalSerial(asOfMs, session.settings.dateSystem), "yyyy-mm-dd hh:mm:ss");
}

function readCurrencies(): string {
  const currencies = session.feed.activity.currencies();
  if (currencies.length > 0) return currencies.join(", ");
  throw new NoValueError(
    "FEED_NO_VALUE",
    msg`no formula shows financials yet; enter one such as FEED.FINANCIAL, or wait`,
  );
}

session.formulas.offer({ STATUS: status });
