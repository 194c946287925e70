import { Spinner } from "@fluentui/react-components";
import { type ComponentType, useCallback, useEffect, useState } from "react";
import { usePane } from "../pane";
import { PartFailure } from "../pane/PartFailure";

interface MatchProps {
  country: string;
  onCountry: (country: string) => void;
}

let Match: ComponentType<MatchProps> | null = null;

/** Loads the script that matches names: a script of its own, since few people need it. */
export async function loadMatch(): Promise<void> {
  Match ??= (await import(/* webpackChunkName: "match" */ "../match/Match")).Match;
}

/** The matching of names in cells, once its script has loaded. */
export function MatchScript(props: MatchProps) {
  const { texts } = usePane();
  const [hasFailed, setFailed] = useState(false);
  const [isLoaded, setLoaded] = useState(Match !== null);
  const load = useCallback(() => {
    setFailed(false);
    loadMatch().then(
      () => setLoaded(true),
      () => setFailed(true),
    );
  }, []);
  useEffect(load, [load]);
  if (isLoaded && Match !== null) return <Match {...props} />;
  if (!hasFailed) return <Spinner size="small" />;
  const { partMissing, retry } = texts.ofCommands;
  return <PartFailure text={partMissing(texts.ofFind.kinds.match)} label={retry} retry={load} />;
}
