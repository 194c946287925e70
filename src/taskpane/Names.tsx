import {
  Body1,
  Button,
  Caption1,
  Field,
  Input,
  makeStyles,
  ProgressBar,
  Subtitle2,
  tokens,
} from "@fluentui/react-components";
import { useEffect, useState, useSyncExternalStore } from "react";
import { FeedError } from "../feed/errors";
import type { NamesState } from "../feed/names/indexes";
import type { Session } from "../session/session";
import { toCountry } from "../session/settings";
import { Reason } from "./Reason";
import type { Texts } from "./texts";

const useStyles = makeStyles({
  heading: { margin: `0 0 ${tokens.spacingVerticalS}` },
  hint: { color: tokens.colorNeutralForeground3 },
  choice: { display: "flex", alignItems: "flex-end", flexWrap: "wrap", gap: tokens.spacingHorizontalS },
  country: { width: "6em" },
  state: { marginTop: tokens.spacingVerticalS },
  bar: { marginTop: tokens.spacingVerticalS },
});

interface NamesProps {
  session: Session;
  texts: Texts;
}

/** The index of a country's names, which formulas search and the user builds. */
export function Names({ session, texts }: NamesProps) {
  const styles = useStyles();
  const byDefault = useSyncExternalStore(session.subscribe, () => session.settings.country);
  const [written, setWritten] = useState<string | null>(null);
  const shown = written ?? byDefault;
  const isCountry = toCountry(shown) !== null;
  const country = toCountry(shown) ?? shown;
  const { nameIndexes } = session.feed;
  const state = useSyncExternalStore(nameIndexes.subscribe, () => nameIndexes.state(country));
  return (
    <section>
      <Subtitle2 as="h2" block className={styles.heading}>
        {texts.names}
      </Subtitle2>
      <Caption1 block className={styles.hint}>
        {texts.namesHint}
      </Caption1>
      <div className={styles.choice}>
        <Field label={texts.country} validationState={isCountry ? "none" : "error"}>
          <Input
            className={styles.country}
            value={shown}
            maxLength={3}
            onChange={(_, { value }) => setWritten(value)}
          />
        </Field>
        <Build session={session} country={isCountry ? country : null} state={state} texts={texts} />
      </div>
      <div className={styles.state}>
        {isCountry ? <State state={state} nowMs={session.ports.nowMs()} texts={texts} /> : texts.noCountry}
      </div>
    </section>
  );
}

interface BuildProps extends NamesProps {
  country: string | null;
  state: NamesState;
}

/** The button that builds the index of a country, once it has been looked for, or ends that. */
function Build({ session, country, state: { status, facts }, texts }: BuildProps) {
  const { nameIndexes } = session.feed;
  const isConnected = useSyncExternalStore(session.subscribe, session.state).status === "connected";
  useEffect(() => {
    if (isConnected && country !== null) nameIndexes.open(country);
  }, [nameIndexes, isConnected, country]);
  const isBuilding = status === "building";
  const press = (chosen: string) => (isBuilding ? nameIndexes.cancel(chosen) : void nameIndexes.build(chosen));
  return (
    <Button
      disabledFocusable={country === null || (!isConnected && !isBuilding)}
      onClick={() => country !== null && press(country)}
    >
      {isBuilding ? texts.cancelNames : facts === null ? texts.buildNames : texts.rebuildNames}
    </Button>
  );
}

function State({
  state: { status, facts, progress, error },
  nowMs,
  texts,
}: {
  state: NamesState;
  nowMs: number;
  texts: Texts;
}) {
  const styles = useStyles();
  if (status === "building") {
    const { rows = 0, expected = 0 } = progress ?? {};
    return (
      <>
        <Body1>{texts.namesBuilding(rows, expected)}</Body1>
        <ProgressBar
          className={styles.bar}
          aria-label={texts.names}
          {...(expected > 0 && { value: rows / expected })}
        />
      </>
    );
  }
  return (
    <>
      <div role="status">
        {facts !== null && (
          <Body1 block>{texts.namesBuilt(facts.companies, Math.max(0, nowMs - facts.builtAtMs))}</Body1>
        )}
        {facts?.missing.map((family) => (
          <Body1 key={family} block>
            {texts.namesMissing[family]}
          </Body1>
        ))}
        {status === "none" && <Body1>{toNoneText({ progress }, texts)}</Body1>}
      </div>
      {isFailure(error) && <Reason error={error} texts={texts} />}
    </>
  );
}

function toNoneText({ progress }: Pick<NamesState, "progress">, texts: Texts): string {
  if (progress === null || progress.rows === 0) return texts.namesNone;
  return texts.namesBegun(progress.rows, progress.expected, progress.expectedRequests);
}

/** That a formula began no long build is what this section is for. */
const isFailure = (error: unknown): boolean =>
  error !== null && !(error instanceof FeedError && error.code === "FEED_INDEX_NOT_READY");
