import type { FeedCell, Workbook, WorkbookError } from "../../contract/workbook";
import type { Session } from "../../session/session";
import { showPlace } from "../../taskpane/addresses";
import { createNames } from "../../taskpane/company-names";
import { readNamespace } from "../../taskpane/formula-text";
import type { Texts } from "../../taskpane/texts";
import type { Checked } from "./check";
import { readFacts } from "./facts";
import type { CheckThread } from "./thread";

/** The part of a workbook that a check reads. */
type Reader = Pick<Workbook, "readContents" | "listSpilled" | "listFrozen">;

export interface CheckedWorkbook extends Checked {
  /** How many FEED cells could not be judged, since they are not calculated yet. */
  unknown: number;
  /** Dead copies of FEED formulas, whose values nothing updates. */
  dead: FeedCell[];
}

/**
 * Reads a workbook once and checks it in a worker; it sends no request to the provider. Where a sheet is gone by the end,
 * it begins again.
 *
 * @param notify called with the progress in rules
 * @throws WorkbookError; CheckCancelled
 */
export async function runCheck(...given: Parameters<typeof checkOnce>): Promise<CheckedWorkbook> {
  try {
    return await checkOnce(...given);
  } catch (error) {
    if ((error as Partial<WorkbookError>).fault !== "missing") throw error;
    return checkOnce(...given);
  }
}

async function checkOnce(
  workbook: Reader,
  session: Session,
  texts: Texts,
  thread: CheckThread,
  notify: (done: number, all: number) => void,
): Promise<CheckedWorkbook> {
  const contents = await workbook.readContents();
  const reading = readFacts(contents, session, createNames(session, texts));
  const facts = reading.then((read) => read.facts);
  const checked = await thread.check({ ...contents, namespace: readNamespace() }, facts, notify);
  const { unknown, dead } = await reading;
  return { ...(await withoutUntyped(checked, workbook)), unknown, dead };
}

/** A number that another cell's formula fills in, or that was frozen, was not typed, which only the host can tell. */
async function withoutUntyped(checked: Checked, workbook: Reader): Promise<Checked> {
  const typed = checked.findings.filter(({ rule }) => rule === "typedNumber").map(({ place }) => place);
  if (typed.length === 0) return checked;
  const places = [...(await workbook.listSpilled(typed)), ...(await workbook.listFrozen("workbook"))];
  const untyped = new Set(places.map(showPlace));
  const findings = checked.findings.filter(
    ({ rule, place }) => rule !== "typedNumber" || !untyped.has(showPlace(place)),
  );
  return { ...checked, findings };
}
