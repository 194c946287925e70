import { Body1, Button, Spinner } from "@fluentui/react-components";
import { useEffect, useState } from "react";
import { TOOLS } from "../tools";
import { Builder } from "./build/Builder";
import { type Catalogue, loadCatalogue } from "./build/catalogue";
import { Fold } from "./Fold";
import { type Handoffs, usePane } from "./pane";
import { ScriptPart } from "./pane/ScriptPart";
import { buildTexts } from "./texts/build";
import type { BuildTool } from "./tool";

/** Builds a formula field by field, previews its result and cost, and writes it into a cell. */
export function Build({ handoff }: { handoff: Handoffs["build"] | undefined }) {
  const { session, texts } = usePane();
  const { loading, notLoaded, tryAgain } = buildTexts[texts.language];
  const [catalogue, setCatalogue] = useState<Catalogue | "failed" | null>(null);
  const [tries, setTries] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each try loads anew
  useEffect(() => {
    let isCurrent = true;
    const receive = (loaded: Catalogue | "failed") => isCurrent && setCatalogue(loaded);
    setCatalogue(null);
    loadCatalogue(session.ports, texts.language).then(receive, () => receive("failed"));
    return () => {
      isCurrent = false;
    };
  }, [session, texts, tries]);
  if (catalogue === null) return <Spinner size="tiny" label={loading} />;
  if (catalogue !== "failed") {
    return (
      <>
        <Builder catalogue={catalogue} handoff={handoff} />
        {TOOLS.build.map((tool) => (
          <ToolFold key={tool.id} tool={tool} />
        ))}
      </>
    );
  }
  return (
    <div role="alert">
      <Body1 block>{notLoaded}</Body1>
      <Button onClick={() => setTries(tries + 1)}>{tryAgain}</Button>
    </div>
  );
}

/** A tool, whose script loads when its fold is first opened. */
function ToolFold({ tool: { title, script } }: { tool: BuildTool }) {
  const { language } = usePane().texts;
  const [wasOpened, setOpened] = useState(false);
  return (
    <Fold title={title[language]} onOpen={() => setOpened(true)}>
      {wasOpened && (
        <ScriptPart script={script} name={title[language]}>
          {(Tool) => <Tool />}
        </ScriptPart>
      )}
    </Fold>
  );
}
