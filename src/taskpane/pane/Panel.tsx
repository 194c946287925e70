import { Spinner } from "@fluentui/react-components";
import { type ReactNode, useCallback, useEffect, useState } from "react";
import { Find } from "../Find";
import { loadMatch } from "../find/MatchScript";
import { type Handoffs, type Part, usePane } from "../pane";
import type { Texts } from "../texts";
import { PartFailure } from "./PartFailure";

type Show = (handoffs: Partial<Handoffs>) => ReactNode;

/** Each part but the first is a script of its own, so that the first one shows early. */
const SCRIPTS: Readonly<Record<Exclude<Part, "find">, () => Promise<Show>>> = {
  async build() {
    const { Build } = await import(/* webpackChunkName: "build" */ "../Build");
    return ({ build }) => <Build handoff={build} />;
  },
  async sheets() {
    const { Sheets } = await import(/* webpackChunkName: "sheets" */ "../Sheets");
    return ({ sheets }) => <Sheets handoff={sheets} />;
  },
  async cell() {
    const { ThisCell } = await import(/* webpackChunkName: "cell" */ "../ThisCell");
    return ({ cell }) => <ThisCell handoff={cell} />;
  },
  async changes() {
    const { Changes } = await import(/* webpackChunkName: "changes" */ "../Changes");
    return ({ changes }) => <Changes handoff={changes} />;
  },
  async settings() {
    const { Settings } = await import(/* webpackChunkName: "settings" */ "../Settings");
    return () => <Settings />;
  },
};

const loaded = new Map<Part, Show>([["find", ({ find }) => <Find handoff={find} />]]);

async function loadPart(part: Part): Promise<void> {
  if (part !== "find" && !loaded.has(part)) loaded.set(part, await SCRIPTS[part]());
}

/** Loads the scripts of all parts, so that each opens at once; opening a part retries a failed one. */
export async function loadParts(): Promise<void> {
  await Promise.allSettled([...(Object.keys(SCRIPTS) as Part[]).map(loadPart), loadMatch()]);
}

/** A part, once its script has loaded. */
export function Panel({ part, handoffs }: { part: Part; handoffs: Partial<Handoffs> }) {
  const { texts } = usePane();
  const [state, setState] = useState<"loading" | "loaded" | "failed">(loaded.has(part) ? "loaded" : "loading");
  const load = useCallback(async () => {
    setState("loading");
    await loadPart(part).then(
      () => setState("loaded"),
      () => setState("failed"),
    );
  }, [part]);
  useEffect(() => {
    // All parts may have been loaded since this one was rendered.
    if (loaded.has(part)) setState("loaded");
    else void load();
  }, [part, load]);
  if (state === "loading") return <Spinner size="small" />;
  if (state === "loaded") return loaded.get(part)?.(handoffs);
  const text = texts.ofCommands.partMissing(toPartName(part, texts));
  return <PartFailure text={text} label={texts.ofCommands.retry} retry={() => void load()} />;
}

/** A part's name for the person. */
const toPartName = (part: Part, { parts, ofHead }: Texts): string =>
  part === "settings" ? ofHead.settings : parts[part];
