import { STEPS, type Step, type Journey as Steps } from "../../session/connecting";
import { Fold } from "../Fold";
import { Hint, useLook } from "../layout";
import { usePane } from "../pane";
import type { Texts } from "../texts";
import { Check, Checks } from "./Check";

interface JourneyProps {
  steps: Steps;
  mode: "sign" | "relay";
  /** Whether all is well, so that it stays folded. */
  isWell: boolean;
}

/** The steps of connecting, each with its state, its time, and on failure the reason and the remedy. */
export function Journey({ steps, mode, isWell }: JourneyProps) {
  const { texts } = usePane();
  const look = useLook();
  return (
    <Fold title={texts.journey} summary={isWell ? toTime(toTookMs(steps)) : ""} isOpen={!isWell}>
      <Checks label={texts.ofSettings.steps}>
        {STEPS.map((name, index) => (
          <Check
            key={name}
            {...steps[name]}
            sign={String(index + 1)}
            label={texts.steps[mode][name]}
            state={toStateText(steps[name], texts)}
          />
        ))}
      </Checks>
      <Hint block className={look.aboveS}>
        {texts.journeyHint[mode]}
      </Hint>
    </Fold>
  );
}

/** Formats a duration in milliseconds. */
export const toTime = (tookMs: number | null): string => `${Math.round(tookMs ?? 0)} ms`;

const toTookMs = (steps: Steps): number => STEPS.reduce((sum, name) => sum + (steps[name].tookMs ?? 0), 0);

function toStateText({ status, tookMs }: Step, texts: Texts): string {
  if (status === "waiting" || status === "running") return texts[status];
  return status === "failed" ? `${texts.stepFailed}, ${toTime(tookMs)}` : toTime(tookMs);
}
