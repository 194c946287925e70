import { Body1, Button, Caption1, Link, makeStyles, tokens } from "@fluentui/react-components";
import { useSyncExternalStore } from "react";
import { FeedError } from "../../client/errors";
import type { NamesState } from "../../feed/names/entries";
import { Progress, Stack, useLook } from "../layout";
import { usePane } from "../pane";
import { Reason } from "../Reason";

const useStyles = makeStyles({
  wanted: {
    padding: tokens.spacingHorizontalM,
    borderRadius: tokens.borderRadiusMedium,
    backgroundColor: tokens.colorNeutralBackground3,
  },
  again: { fontSize: "inherit", lineHeight: "inherit" },
});

/** The state of a country's index of names, and its actions. */
export interface Names {
  country: string;
  state: NamesState;
  isConnected: boolean;
  build: () => void;
  cancel: () => void;
}

/** Observes a country's index. The first search opens it, or builds one that takes few requests. */
export function useNames(country: string): Names {
  const { session } = usePane();
  const { nameIndexes } = session.feed;
  const isConnected = useSyncExternalStore(session.subscribe, session.state).status === "connected";
  const state = useSyncExternalStore(nameIndexes.subscribe, () => nameIndexes.state(country));
  return {
    country,
    state,
    isConnected,
    build: () => void nameIndexes.build(country),
    cancel: () => nameIndexes.cancel(country),
  };
}

/** Offers to build the index, or shows the progress of its building. */
export function NamesWanted({ country, state, isConnected, build, cancel }: Names) {
  const { texts } = usePane();
  const { ofFind } = texts;
  const styles = useStyles();
  const { status, facts, progress, error } = state;
  if (status === "building") return <Building {...{ country, progress, cancel }} />;
  const hasFailed = error !== null && !isTooLong(error);
  const { rows = 0, expected = 0, expectedRequests = null } = progress ?? {};
  const isNeeded = status === "none" && (error !== null || rows > 0);
  if (!isNeeded && !hasFailed) return null;
  const isBegun = rows > 0 && !isTooLong(error);
  return (
    <Stack isAtStart className={styles.wanted}>
      {facts === null && (
        <Body1>
          {isBegun
            ? ofFind.namesBegun(country, rows, expected, expectedRequests)
            : ofFind.namesWanted(country, expectedRequests)}
        </Body1>
      )}
      {hasFailed && (
        <div>
          <Reason error={error} />
        </div>
      )}
      <Button appearance="primary" disabledFocusable={!isConnected} onClick={build}>
        {facts === null ? ofFind.buildNames : ofFind.rebuildNames}
      </Button>
    </Stack>
  );
}

function Building({ country, progress, cancel }: Pick<Names, "country" | "cancel"> & Pick<NamesState, "progress">) {
  const { ofFind } = usePane().texts;
  const { rows = 0, expected = 0 } = progress ?? {};
  return (
    <Progress
      label={ofFind.names}
      share={expected > 0 ? rows / expected : 0}
      cancel={cancel}
      cancelText={ofFind.cancelNames}
    >
      {ofFind.namesBuilding(country, rows, expected)}
    </Progress>
  );
}

/** The age of the index, and the families that it lacks. */
export function NamesBuilt({ country, state: { status, facts }, isConnected, build }: Names) {
  const { session, texts } = usePane();
  const { ofFind } = texts;
  const styles = useStyles();
  const look = useLook();
  if (facts === null) return null;
  const ageMs = Math.max(0, session.ports.nowMs() - facts.builtAtMs);
  return (
    <div className={look.muted}>
      <Caption1>{ofFind.namesBuilt(country, facts.companies, ageMs)} </Caption1>
      {status === "built" && isConnected && (
        <Caption1>
          <Link as="button" inline className={styles.again} onClick={build}>
            {ofFind.rebuildNames}
          </Link>
        </Caption1>
      )}
      {facts.missing.map((family) => (
        <Caption1 key={family} block>
          {ofFind.namesMissing[family]}
        </Caption1>
      ))}
    </div>
  );
}

/** An index above the limit of automatic requests is no failure. */
const isTooLong = (error: unknown): boolean => error instanceof FeedError && error.code === "FEED_INDEX_NOT_READY";
