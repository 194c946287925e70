import { Spinner } from "@fluentui/react-components";
import { type ReactNode, useCallback, useEffect, useState } from "react";
import { Message } from "../layout";
import { usePane } from "../pane";

/** A script of its own, which is loaded once; loading again retries a failed one. */
export interface Script<T> {
  load: () => Promise<void>;
  /** What it exports; null until it is loaded. */
  loaded: T | null;
}

/** Makes a script of the pane. @param load imports it */
export function createScript<T>(load: () => Promise<T>): Script<T> {
  const script: Script<T> = {
    loaded: null,
    async load() {
      script.loaded ??= await load();
    },
  };
  return script;
}

interface ScriptPartProps<T> {
  script: Script<T>;
  /** The part's name for the person. */
  name: string;
  children: (loaded: T) => ReactNode;
}

/** A part of the pane, once its script has loaded. */
export function ScriptPart<T>({ script, name, children }: ScriptPartProps<T>) {
  const { partMissing } = usePane().texts.ofCommands;
  const [hasFailed, setFailed] = useState(false);
  const [, setLoaded] = useState(false);
  const load = useCallback(() => {
    setFailed(false);
    script.load().then(
      () => setLoaded(true),
      () => setFailed(true),
    );
  }, [script]);
  useEffect(load, [load]);
  if (script.loaded !== null) return children(script.loaded);
  return hasFailed ? <PartFailure text={partMissing(name)} retry={load} /> : <Spinner size="small" />;
}

/** Shown in the place of a part that failed, with a button that tries again. */
export function PartFailure({ text, retry }: { text: string; retry: () => void }) {
  const { ofCommands } = usePane().texts;
  return (
    <Message intent="error" role="alert" actions={[{ label: ofCommands.retry, act: retry }]}>
      {text}
    </Message>
  );
}
