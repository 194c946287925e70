import type { ReactNode } from "react";
import { TOOLS } from "../../tools";
import { Find } from "../Find";
import { type Handoffs, type Part, usePane } from "../pane";
import type { Texts } from "../texts";
import { createScript, type Script, ScriptPart } from "./ScriptPart";

type Show = (handoffs: Partial<Handoffs>) => ReactNode;

/** Each part but the first is a script of its own, so that the first one shows early. */
const SCRIPTS: Readonly<Record<Exclude<Part, "find">, Script<Show>>> = {
  build: createScript(async () => {
    const { Build } = await import(/* webpackChunkName: "build" */ "../Build");
    return ({ build }) => <Build handoff={build} />;
  }),
  sheets: createScript(async () => {
    const part = import(/* webpackChunkName: "sheets" */ "../Sheets");
    const [{ Sheets }] = await Promise.all([part, ...TOOLS.sheets.map(({ load }) => load())]);
    return ({ sheets }) => <Sheets handoff={sheets} />;
  }),
  cell: createScript(async () => {
    const { ThisCell } = await import(/* webpackChunkName: "cell" */ "../ThisCell");
    return ({ cell }) => <ThisCell handoff={cell} />;
  }),
  changes: createScript(async () => {
    const { Changes } = await import(/* webpackChunkName: "changes" */ "../Changes");
    return ({ changes }) => <Changes handoff={changes} />;
  }),
  settings: createScript(async () => {
    const { Settings } = await import(/* webpackChunkName: "settings" */ "../Settings");
    return () => <Settings />;
  }),
};

/** Loads the scripts of all parts, so that each opens at once; opening a part retries a failed one. */
export async function loadParts(): Promise<void> {
  await Promise.allSettled(
    [...Object.values(SCRIPTS), ...TOOLS.find.map(({ script }) => script)].map(({ load }) => load()),
  );
}

/** A part, once its script has loaded. */
export function Panel({ part, handoffs }: { part: Part; handoffs: Partial<Handoffs> }) {
  const { texts } = usePane();
  if (part === "find") return <Find handoff={handoffs.find} />;
  return (
    <ScriptPart script={SCRIPTS[part]} name={toPartName(part, texts)}>
      {(show) => show(handoffs)}
    </ScriptPart>
  );
}

/** A part's name for the person. */
const toPartName = (part: Part, { parts, ofHead }: Texts): string =>
  part === "settings" ? ofHead.settings : parts[part];
