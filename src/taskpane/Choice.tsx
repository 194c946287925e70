import { Field, makeStyles, tokens } from "@fluentui/react-components";
import { useState } from "react";
import { ComboBox, type Offer } from "./ComboBox";

const useStyles = makeStyles({
  choice: { marginTop: tokens.spacingVerticalM },
});

/** A value that may be chosen, and what it is called besides. */
export interface Proposal {
  value: string;
  name?: string;
}

interface ChoiceProps {
  label: string;
  hint?: string;
  /** The value in force. */
  value: string;
  proposals: readonly Proposal[];
  /** Reads what was written; null when it cannot be chosen. */
  read: (written: string) => string | null;
  /** What to write instead of what cannot be chosen. */
  advice: string;
  /** That a value still holds. */
  stillHolds: (value: string) => string;
  onChoose: (value: string) => void;
}

/** A field with proposals that takes other values too; what it refuses leaves the value in force. */
export function Choice({ label, hint, advice, stillHolds, ...choice }: ChoiceProps) {
  const styles = useStyles();
  const { value } = choice;
  const { written, isRefused, offered, write, settle } = useWritten(choice);
  return (
    <Field
      className={styles.choice}
      label={label}
      hint={hint}
      validationState={isRefused ? "error" : "none"}
      validationMessage={isRefused ? `${advice} ${stillHolds(value)}` : undefined}
    >
      <ComboBox
        value={written ?? value}
        offers={[...offered.map(toOffer), ...toAdvice(written, offered, advice)]}
        chosen={value}
        onWrite={write}
        onChoose={settle}
        onClick={({ currentTarget }) => written === null && currentTarget.select()}
        onKeyDown={(event) => {
          if (event.key === "Escape") write(null);
          // A name that was begun means the first that fits, as "singap" means SGP; the list chooses what keys went to.
          const isEnter = event.key === "Enter" && !event.defaultPrevented && !event.nativeEvent.isComposing;
          if (isEnter && written !== null) settle(offered[0]?.value ?? written);
        }}
        onBlur={() => written !== null && settle(written)}
      />
    </Field>
  );
}

const toOffer = ({ value, name }: Proposal): Offer => ({
  value,
  label: name === undefined ? value : `${value} ${name}`,
});

/** Stands where the proposals would, as long as none fits. */
const toAdvice = (written: string | null, offered: readonly Proposal[], advice: string): Offer[] =>
  written !== null && offered.length === 0 ? [{ value: written, label: advice }] : [];

/** What is being written into the field, until it is chosen or left. */
function useWritten({
  value,
  proposals,
  read,
  onChoose,
}: Pick<ChoiceProps, "value" | "proposals" | "read" | "onChoose">) {
  const [written, setWritten] = useState<string | null>(null);
  const [isRefused, setRefused] = useState(false);
  const write = (text: string | null) => {
    setWritten(text);
    setRefused(false);
  };
  const settle = (text: string) => {
    const chosen = findSame(proposals, text)?.value ?? read(text);
    if (chosen === null) return setRefused(true);
    write(null);
    if (chosen !== value) onChoose(chosen);
  };
  const offered = written === null ? proposals : pickOffered(proposals, written, read);
  return { written, isRefused, offered, write, settle };
}

const findSame = (proposals: readonly Proposal[], written: string) =>
  proposals.find(({ value }) => value.toLowerCase() === written.trim().toLowerCase());

/** What was written comes first where it can be chosen: "NOR" is Norway, not the beginning of North Korea. */
function pickOffered(proposals: readonly Proposal[], written: string, read: ChoiceProps["read"]): readonly Proposal[] {
  const part = written.trim().toLowerCase();
  const fits = ({ value, name = "" }: Proposal) => `${value} ${name}`.toLowerCase().includes(part);
  const same = findSame(proposals, written);
  const own = same === undefined ? read(written) : null;
  const others = proposals.filter((proposal) => proposal !== same && fits(proposal));
  return [...(same ? [same] : []), ...(own === null ? [] : [{ value: own }]), ...others];
}
