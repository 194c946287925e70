import { makeStyles, ProgressBar, tokens } from "@fluentui/react-components";
import { useEffect, useState } from "react";
import type { Live } from "../../feed/watch";
import type { Call } from "../../session/calls";
import type { Desk } from "./desk";

/** Often enough for the eye; thousands of questions are counted each time. */
const LOOK_AGAIN_MS = 500;

const useStyles = makeStyles({ bar: { marginTop: tokens.spacingVerticalS, minWidth: "160px" } });

type AskingProps = Pick<Desk, "session" | "texts"> & {
  /** Whose questions are asked again; all where absent. */
  calls: readonly Call[] | undefined;
};

/** How far a refresh has come: the sentence stays, so that it is read out once, and the bar moves. */
export function Asking({ session, texts, calls }: AskingProps) {
  const styles = useStyles();
  const { feed, ports } = session;
  const [before] = useState(() => readStates(feed.watch.live(), calls));
  const [answered, setAnswered] = useState(0);
  useEffect(() => {
    let callOff: (() => void) | null = null;
    const count = () => {
      callOff = null;
      setAnswered(countChanged(before, feed.watch.live()));
    };
    const stop = feed.activity.onChange(() => {
      callOff ??= ports.after(LOOK_AGAIN_MS, count);
    });
    return () => {
      stop();
      callOff?.();
    };
  }, [before, feed, ports]);
  return (
    <>
      {texts.refreshing(before.size)}
      <ProgressBar
        className={styles.bar}
        aria-label={texts.ofCommands.progress}
        value={answered}
        max={Math.max(before.size, 1)}
      />
    </>
  );
}

const toText = (key: readonly unknown[]) => JSON.stringify(key);

function readStates(live: readonly Live[], calls: readonly Call[] | undefined): ReadonlyMap<string, Live["state"]> {
  const wanted = calls && new Set(calls.flatMap(({ questions }) => questions.map(({ key }) => toText(key))));
  const states = live.map(({ key, state }) => [toText(key), state] as const);
  return new Map(states.filter(([key]) => wanted?.has(key) ?? true));
}

/** An answer that came since is another object, even where it says the same. */
const countChanged = (before: ReturnType<typeof readStates>, live: readonly Live[]) =>
  live.filter(({ key, state }) => state.status !== "pending" && isOther(before.get(toText(key)), state)).length;

const isOther = (before: Live["state"] | undefined, now: Live["state"]) => before !== undefined && before !== now;
