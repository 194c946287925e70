import { useMemo } from "react";
import type { Proposal } from "../Choice";
import { ComboBox } from "../ComboBox";

interface ProposalBoxProps {
  written: string;
  proposals: readonly Proposal[];
  /** Whether it takes several values, with commas between them. */
  isList: boolean;
  change: (written: string) => void;
}

/** The text before the value being written, and that value. */
const splitLast = (written: string, isList: boolean): [before: string, last: string] => {
  const at = isList ? written.lastIndexOf(",") + 1 : 0;
  return [written.slice(0, at), written.slice(at).trim()];
};

/** A field with proposals that takes other values too. */
export function ProposalBox({ written, proposals, isList, change }: ProposalBoxProps) {
  const [before, last] = splitLast(written, isList);
  const offered = useMemo(() => pickOffered(proposals, last), [proposals, last]);
  const choose = (value: string) => change(before === "" ? value : `${before} ${value}`);
  return (
    <ComboBox
      value={written}
      offers={offered.map(({ value, name }) => ({ value, label: name === undefined ? value : `${value} · ${name}` }))}
      chosen={last}
      onWrite={change}
      onChoose={choose}
    />
  );
}

/** All proposals where the text is one of them; else the text itself and the matching ones. */
function pickOffered(proposals: readonly Proposal[], last: string): readonly Proposal[] {
  const part = last.toLowerCase();
  if (part === "" || proposals.some(({ value }) => value.toLowerCase() === part)) return proposals;
  const fitting = proposals.filter(({ value, name = "" }) => `${value} ${name}`.toLowerCase().includes(part));
  return [{ value: last }, ...fitting];
}
