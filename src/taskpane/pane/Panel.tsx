import { Button, MessageBar, MessageBarActions, MessageBarBody, Spinner } from "@fluentui/react-components";
import { type ReactNode, useCallback, useEffect, useState } from "react";
import { Connect } from "../Connect";
import { PARTS, type Part, usePane } from "../pane";
import type { Wished } from "./parts";

type Show = (wished: Wished) => ReactNode;

/** Each part is a script of its own but the one that is shown first: the others must not hold it up. */
const SCRIPTS: Readonly<Record<Exclude<Part, "connect">, () => Promise<Show>>> = {
  async find() {
    const { Find } = await import(/* webpackChunkName: "pane-find" */ "../Find");
    return ({ find }) => <Find wish={find} />;
  },
  async build() {
    const { Build } = await import(/* webpackChunkName: "pane-build" */ "../Build");
    return ({ build }) => <Build wish={build} />;
  },
  async sheets() {
    const { Sheets } = await import(/* webpackChunkName: "pane-sheets" */ "../Sheets");
    return ({ sheets }) => <Sheets wish={sheets} />;
  },
  async activity() {
    const { Activity } = await import(/* webpackChunkName: "pane-activity" */ "../Activity");
    return ({ activity }) => <Activity wish={activity} />;
  },
};

const loaded = new Map<Part, Show>([["connect", () => <Connect />]]);

async function loadPart(part: Part): Promise<void> {
  if (part !== "connect" && !loaded.has(part)) loaded.set(part, await SCRIPTS[part]());
}

/** Loads the scripts of all parts, so that each opens at once; what does not load is tried again when it is opened. */
export async function loadParts(): Promise<void> {
  await Promise.allSettled(PARTS.map(loadPart));
}

/** A part, as soon as its script is there. */
export function Panel({ part, wished }: { part: Part; wished: Wished }) {
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
    if (!loaded.has(part)) void load();
  }, [part, load]);
  if (state === "loading") return <Spinner size="small" />;
  if (state === "loaded") return loaded.get(part)?.(wished);
  return (
    <MessageBar intent="error" layout="multiline" role="alert">
      <MessageBarBody>{texts.ofCommands.partMissing(texts.parts[part])}</MessageBarBody>
      <MessageBarActions>
        <Button size="small" onClick={() => void load()}>
          {texts.ofCommands.retry}
        </Button>
      </MessageBarActions>
    </MessageBar>
  );
}
