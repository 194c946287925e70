import { Field, makeStyles, tokens } from "@fluentui/react-components";
import { useMemo, useState } from "react";
import { ASIAN_COUNTRIES } from "../contract/asian-countries";
import { toCountry } from "../session/settings";
import { ComboBox } from "./ComboBox";
import { useLook } from "./layout";
import type { Offer } from "./Options";
import { usePane } from "./pane";
import type { Texts } from "./texts";

/** A value to choose, with an optional name. */
export interface Proposal {
  value: string;
  name?: string;
}

interface ChoiceProps {
  label: string;
  hint?: string;
  /** The current value. */
  value: string;
  proposals: readonly Proposal[];
  /** Parses the text; null when it is no valid value. */
  read: (written: string) => string | null;
  /** The advice shown for an invalid value. */
  advice: string;
  /** The sentence that a value stays in force. */
  stillHolds: (value: string) => string;
  onChoose: (value: string) => void;
}

/** A field with proposals that takes other values too; an invalid text leaves the current value. */
export function Choice({ label, hint, advice, stillHolds, ...choice }: ChoiceProps) {
  const look = useLook();
  const { value } = choice;
  const { written, isRefused, offered, write, settle } = useWritten(choice);
  return (
    <Field
      className={look.aboveM}
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
          // An incomplete name means the first match, as "singap" means SGP; the list handles its active option.
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

/** Shows the advice in the list while no proposal fits. */
const toAdvice = (written: string | null, offered: readonly Proposal[], advice: string): Offer[] =>
  written !== null && offered.length === 0 ? [{ value: written, label: advice }] : [];

/** The text in the field until it is chosen or the field loses focus. */
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

/** A valid text comes first: "NOR" is Norway, not the beginning of North Korea. */
function pickOffered(proposals: readonly Proposal[], written: string, read: ChoiceProps["read"]): readonly Proposal[] {
  const part = written.trim().toLowerCase();
  const fits = ({ value, name = "" }: Proposal) => `${value} ${name}`.toLowerCase().includes(part);
  const same = findSame(proposals, written);
  const own = same === undefined ? read(written) : null;
  const others = proposals.filter((proposal) => proposal !== same && fits(proposal));
  return [...(same ? [same] : []), ...(own === null ? [] : [{ value: own }]), ...others];
}

/** Lists the countries of Asia by code, with their names in a language, and "ALL". */
export function listCountries(language: string, texts: Texts): Proposal[] {
  const names = new Intl.DisplayNames(language, { type: "region", style: "short" });
  const countries = Object.entries(ASIAN_COUNTRIES).map(([value, region]) => ({ value, name: names.of(region) ?? "" }));
  return [...countries, { value: "ALL", name: texts.allCountries }];
}

/** Lists the time zones of the engine, and UTC, which engines leave out. */
export function listTimeZones(): Proposal[] {
  const zones = "supportedValuesOf" in Intl ? Intl.supportedValuesOf("timeZone") : [];
  return [...new Set(["UTC", ...zones])].map((value) => ({ value }));
}

const useStyles = makeStyles({
  country: {
    flex: "0 0 6em",
    marginTop: `calc(-1 * ${tokens.spacingVerticalM})`, // beside another field, without the space of a choice below one
    "& input": { width: "100%", minWidth: 0 },
  },
});

interface CountryProps {
  country: string;
  onChoose: (country: string) => void;
}

/** The country to search; it takes codes beside the proposed ones. */
export function Country({ country, onChoose }: CountryProps) {
  const { host, texts } = usePane();
  const styles = useStyles();
  const countries = useMemo(() => listCountries(host.language, texts), [host.language, texts]);
  return (
    <div className={styles.country}>
      <Choice
        label={texts.ofFind.country}
        value={country}
        proposals={countries}
        read={toCountry}
        advice={texts.noCountry}
        stillHolds={texts.stillHolds}
        onChoose={onChoose}
      />
    </div>
  );
}
