import { Spinner } from "@fluentui/react-components";
import { type ComponentType, useCallback, useState } from "react";
import { Fold } from "../Fold";
import { usePane } from "../pane";
import { PartFailure } from "../pane/PartFailure";

/** The part that turns typed numbers into formulas; its script loads when it is first opened. */
export function AdoptFold() {
  const { ofBuild, ofCommands } = usePane().texts;
  const [part, setPart] = useState<{ Part: ComponentType } | "failed" | null>(null);
  const load = useCallback(async () => {
    setPart(null);
    const script = import(/* webpackChunkName: "adopt" */ "../adopt/Adopt");
    await script.then(
      ({ Adopt }) => setPart({ Part: Adopt }),
      () => setPart("failed"),
    );
  }, []);
  return (
    <Fold title={ofBuild.adopt} onOpen={() => part === null && void load()}>
      {part === null && <Spinner size="tiny" />}
      {part === "failed" && (
        <PartFailure text={ofCommands.partMissing(ofBuild.adopt)} label={ofCommands.retry} retry={() => void load()} />
      )}
      {part !== null && part !== "failed" && <part.Part />}
    </Fold>
  );
}
