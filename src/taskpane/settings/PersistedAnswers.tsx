import { Body1, Button } from "@fluentui/react-components";
import { useRef, useState, useSyncExternalStore } from "react";
import type { Hindrance } from "../../feed/persisted-cache/types";
import { Fold } from "../Fold";
import { Stack } from "../layout";
import { usePane } from "../pane";
import type { Texts } from "../texts";
import { Confirmation } from "./Confirmation";

/** Hindrances under which stored data cannot be deleted. */
const OUT_OF_REACH: readonly Hindrance[] = ["absent", "blocked", "silent"];

/** The data stored on this computer: its size, and a button that deletes it. */
export function PersistedAnswers() {
  const { session, texts } = usePane();
  const words = texts.ofSettings.persisted;
  const { activity, persistedData: stored } = session.feed;
  const hindrance = useSyncExternalStore(activity.onChange, stored.hindrance);
  const [bytes, setBytes] = useState<number | null>(null);
  const [stage, setStage] = useState<"shown" | "confirming" | "gone" | "stayed">("shown");
  const first = useRef<HTMLButtonElement>(null);
  const measure = () => void stored.size().then(setBytes);
  const end = (next: typeof stage) => {
    setStage(next);
    first.current?.focus();
  };
  const forget = async () => {
    end((await stored.forget()) ? "gone" : "stayed");
    measure();
  };
  const mayForget = hindrance === null || !OUT_OF_REACH.includes(hindrance);
  const { what, cure } = hindrance === null ? { what: words.text, cure: null } : words.nothing[hindrance];
  const sentences = [what, cure, ...toSize(bytes, hindrance, texts)].filter((each) => each !== null);
  return (
    <Fold title={words.title} isOpen={hindrance !== null} onOpen={measure}>
      <Stack isAtStart>
        <Body1>{sentences.join(texts.gap)}</Body1>
        {mayForget && (
          <Button size="small" ref={first} onClick={() => setStage("confirming")}>
            {words.forget}
          </Button>
        )}
        {stage === "confirming" && (
          <Confirmation words={words.confirmation} confirm={forget} cancel={() => end("shown")} />
        )}
        <div role="status">{(stage === "gone" || stage === "stayed") && <Body1>{words[stage]}</Body1>}</div>
      </Stack>
    </Fold>
  );
}

/** The size in sentences; none where it cannot be measured. */
function toSize(bytes: number | null, hindrance: Hindrance | null, { ofSettings, language }: Texts): string[] {
  const words = ofSettings.persisted;
  if (hindrance !== null) return bytes ? [words.before(toMegabytes(bytes, language))] : [];
  return [bytes === null ? words.measuring : words.size(toMegabytes(bytes, language))];
}

const toMegabytes = (bytes: number, language: string) =>
  new Intl.NumberFormat(language, { style: "unit", unit: "megabyte", maximumFractionDigits: 1 }).format(bytes / 1e6);
