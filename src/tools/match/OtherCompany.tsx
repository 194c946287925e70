import { Caption1, Field } from "@fluentui/react-components";
import { useState } from "react";
import { ComboBox } from "../../taskpane/ComboBox";
import { useSearch } from "../../taskpane/company-search";
import type { ChosenCompany } from "../../taskpane/pane";
import { CompanyRow } from "../../taskpane/picker/CompanyRow";
import { useMatchTexts } from "./use-match-texts";

const MOST_SHOWN = 8;

interface OtherCompanyProps {
  /** Where it is looked up. */
  country: string;
  choose: (company: ChosenCompany) => void;
}

/** Looks for a company that is not among the candidates. */
export function OtherCompany({ country, choose }: OtherCompanyProps) {
  const ofMatch = useMatchTexts();
  const [text, setText] = useState("");
  const [isComposing, setComposing] = useState(false);
  const found = useSearch({ text, isComposing, country, most: MOST_SHOWN });
  const companies = found?.companies ?? [];
  const isEmpty = found?.isCurrent === true && companies.length === 0;
  return (
    <div>
      <Field label={ofMatch.other} size="small">
        <ComboBox
          placeholder={ofMatch.otherHint}
          aria-keyshortcuts="/"
          value={text}
          takes={found?.isCurrent ? "first" : "none"}
          offers={companies.map((company) => ({
            value: company.id,
            text: company.name,
            label: <CompanyRow company={company} query={found?.text ?? ""} />,
          }))}
          onWrite={setText}
          onChoose={(id) => {
            const chosen = companies.find((company) => company.id === id);
            if (chosen !== undefined) choose(chosen);
          }}
          onCompositionStart={() => setComposing(true)}
          onCompositionEnd={() => setComposing(false)}
        />
      </Field>
      <div role="status">{isEmpty && <Caption1>{ofMatch.nobody(text.trim())}</Caption1>}</div>
    </div>
  );
}
