import { useEffect, useState } from "react";
import type { Cost } from "../../feed/cost";
import { toFaultText, usePane } from "../../taskpane/pane";
import { type Block, type NoBlock, readBlock } from "./block";
import { type CompanyQueries, listCompanyQueries, toBlockCost } from "./companies";
import { readPart } from "./comparison";
import type { SheetPart } from "./sides";

/** The selection as a block of typed numbers, or why it is none. */
export type SelectedBlock =
  | { kind: "reading" }
  | { kind: "none"; why: NoBlock | "single" | "tooLarge" }
  | { kind: "fault"; text: string }
  | { kind: "block"; part: SheetPart; block: Block; queries: readonly CompanyQueries[]; cost: Cost };

/** A person has stopped selecting after this pause. */
const PAUSE_MS = 300;

/** Follows the selection while `isFollowing`; it reads cells and loads nothing. */
export function useSelectedBlock(isFollowing: boolean): SelectedBlock {
  const { session, workbook, texts } = usePane();
  const [selected, setSelected] = useState<SelectedBlock>({ kind: "reading" });
  useEffect(() => {
    if (!isFollowing) return;
    let isEnded = false;
    let reading = 0;
    const read = async () => {
      const own = ++reading;
      const receive = (found: SelectedBlock) => !isEnded && own === reading && setSelected(found);
      try {
        const part = await readPart(workbook, session.settings.dateSystem);
        if (part === null || part === "tooLarge") return receive({ kind: "none", why: part ?? "single" });
        const block = readBlock(part);
        if (typeof block === "string") return receive({ kind: "none", why: block });
        const queries = await listCompanyQueries(session, block);
        receive({ kind: "block", part, block, queries, cost: toBlockCost(session, queries) });
      } catch (error) {
        receive({ kind: "fault", text: toFaultText(error, texts) });
      }
    };
    let stopWaiting = session.ports.after(0, () => void read());
    const stopFollowing = workbook.onSelection(() => {
      stopWaiting();
      setSelected({ kind: "reading" }); // nobody compares what is no longer selected
      reading++;
      stopWaiting = session.ports.after(PAUSE_MS, () => void read());
    });
    return () => {
      isEnded = true;
      stopWaiting();
      stopFollowing();
    };
  }, [session, workbook, texts, isFollowing]);
  return selected;
}
