import { Caption1, Link } from "@fluentui/react-components";
import { type ClipboardEvent, type KeyboardEvent, useRef, useState, useSyncExternalStore } from "react";
import { isCompanyId } from "../../client/ids";
import { ComboBox } from "../ComboBox";
import { type FoundCompany, SAMPLE_COMPANY, type SearchedCompanies, useIsSample, useSearch } from "../company-search";
import { usePane } from "../pane";
import { Chips } from "./Chips";
import { CompanyRow } from "./CompanyRow";
import { isCompanyText, listPasted, useCompanyNames, withCompany, withoutCompany } from "./company-writing";
import { type CompanyContent, useAdd } from "./read-companies";

/** A field for companies: by name or ticker from the index, by id or number, by a pasted list, or from cells. */
export function CompanyBox(content: CompanyContent) {
  const { written, needs, change } = content;
  const { asWritten, example, hint, leftOut } = usePane().texts.ofPicker;
  const isSample = useIsSample();
  const field = useCompanyField(content);
  const input = useRef<HTMLInputElement>(null);
  const { shown, text, found, searched, isOffered } = field;
  const companies = searched === "idle" ? [] : (found?.companies ?? []);
  const offers = companies.map((company) => ({
    value: company.id,
    text: company.name,
    label: <CompanyRow company={company} query={found?.text ?? ""} />,
  }));
  const left = searched === "found" || searched === "nobody" ? (found?.leftOut ?? 0) : 0;
  return (
    <div onPaste={field.paste}>
      <ComboBox
        ref={input}
        takes={toTaken(searched, text, companies[0])}
        placeholder={isSample ? example(SAMPLE_COMPANY) : hint}
        value={shown}
        offers={[...offers, ...(isOffered ? [{ value: text, label: asWritten(text) }] : [])]}
        onWrite={field.write}
        onChoose={field.choose}
        onKeyDown={field.press}
        onBlur={field.settle}
        {...field.compose}
      />
      <SearchStatus searched={searched} search={text} left={left} />
      {left > 0 && <Caption1 block>{leftOut[needs](left)}</Caption1>}
      <Chips {...{ written, needs, change, input }} correct={field.correct} />
    </div>
  );
}

/** Nothing of an earlier text may be taken, and for a number or an id only its own company. */
function toTaken(searched: Searched, text: string, first: FoundCompany | undefined): "first" | "beginning" | "none" {
  if (searched === "searching") return "none";
  if (searched !== "found" || first === undefined) return "beginning";
  if (!isCompanyText(text)) return "first";
  const { id, ticker, registrationNumber } = first;
  const written = text.normalize("NFKC").toLowerCase();
  return [id, ticker, registrationNumber].some((code) => code?.toLowerCase() === written) ? "first" : "none";
}

/** The status of a search without results. @param left matching companies without the needed data, of which more is said below */
function SearchStatus({ searched, search, left }: { searched: Searched; search: string; left: number }) {
  const { texts, open } = usePane();
  const { searching, noMatch, noNames, lookInFind } = texts.ofPicker;
  const isSample = useIsSample();
  const isEmpty = searched === "nobody" || searched === "unready";
  const isUnknown = searched === "nobody" && left === 0;
  return (
    <div role="status">
      {searched === "searching" && <Caption1>{searching}</Caption1>}
      {isEmpty && (
        <Caption1>
          {searched === "unready" && `${noNames} `}
          {isUnknown && `${noMatch(search)} ${isSample ? `${texts.ofFind.onlySample} ` : ""}`}
          <Link inline onClick={() => open("find", { name: search })}>
            {lookInFind}
          </Link>
        </Caption1>
      )}
    </div>
  );
}

/** The state of a search; unready where the index cannot be searched. */
type Searched = "idle" | "searching" | "found" | "nobody" | "unready";

const MOST_SHOWN = 8;

/** The text in a field for companies until one is chosen, and the matching companies. */
function useCompanyField({ written, isList, needs, change }: CompanyContent) {
  const { country } = usePane().session.settings;
  const { remember, doubt } = useCompanyNames();
  const add = useAdd({ written, isList, needs, change });
  const [search, setSearch] = useState("");
  const text = search.trim();
  const isSearched = useHeld(country) || !isCompanyText(text); // a number needs no index
  const wanted = isSearched ? text : "";
  const [isComposing, setComposing] = useState(false);
  const found = useSearch({ text: wanted, isComposing, country, most: MOST_SHOWN, needs });
  const searched = toSearched(wanted, found);
  const isFormula = written.trim().startsWith("=");
  const enter = (texts: readonly string[]) => {
    setSearch("");
    void add(texts);
  };
  return {
    shown: isFormula ? written : search,
    text,
    found,
    searched,
    isOffered: isOffered(text, searched),
    compose: { onCompositionStart: () => setComposing(true), onCompositionEnd: () => setComposing(false) },
    choose(company: string) {
      setSearch("");
      const chosen = found?.companies.find(({ id }) => id === company);
      if (chosen !== undefined) remember([chosen]);
      else if (!isCompanyText(company)) doubt([company]);
      change(withCompany(written, company, isList));
    },
    write(typed: string) {
      const isFormulaNow = typed.trim().startsWith("=");
      setSearch(isFormulaNow ? "" : typed);
      if (isFormulaNow || isFormula) change(isFormulaNow ? typed : "");
    },
    press(event: KeyboardEvent) {
      if (event.key !== "Enter" || event.defaultPrevented || event.nativeEvent.isComposing || text === "") return;
      event.preventDefault(); // of the form
      enter([text]);
    },
    settle: () => text !== "" && enter([text]),
    paste(event: ClipboardEvent) {
      const pasted = listPasted(event.clipboardData.getData("text"));
      if (!isList || pasted.length < 2) return;
      event.preventDefault(); // the field has one line
      enter(pasted);
    },
    correct(company: string) {
      change(withoutCompany(written, company));
      setSearch(company);
    },
  };
}

/** Whether the text itself is offered. Beside companies of a name, it would be chosen by mistake. */
function isOffered(text: string, searched: Searched): boolean {
  if (isCompanyText(text)) return searched !== "found" || !isCompanyId(text);
  return searched === "nobody" || searched === "unready";
}

/** Whether the index of a country is open in this page. */
function useHeld(country: string): boolean {
  const { nameIndexes } = usePane().session.feed;
  return useSyncExternalStore(nameIndexes.subscribe, () => nameIndexes.state(country).facts !== null);
}

function toSearched(wanted: string, found: SearchedCompanies | null): Searched {
  if (wanted === "") return "idle";
  if (!found?.isCurrent) return "searching";
  if (isCompanyText(wanted) && found.companies.length === 0) return "idle"; // taken as it is
  if (found.error !== null) return "unready";
  return found.companies.length === 0 ? "nobody" : "found";
}
