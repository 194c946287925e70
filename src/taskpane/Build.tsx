import { Body1, Button, Spinner } from "@fluentui/react-components";
import { useEffect, useState } from "react";
import { AdoptFold } from "./build/AdoptFold";
import { Builder } from "./build/Builder";
import { type Catalogue, loadCatalogue } from "./build/catalogue";
import { type Handoffs, usePane } from "./pane";

/** Builds a formula field by field, previews its result and cost, and writes it into a cell. */
export function Build({ handoff }: { handoff: Handoffs["build"] | undefined }) {
  const { session, texts } = usePane();
  const { loading, notLoaded, tryAgain } = texts.ofBuild;
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
        <AdoptFold />
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
