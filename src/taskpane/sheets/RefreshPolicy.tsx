import { makeStyles, tokens } from "@fluentui/react-components";
import { FAMILIES } from "../../contract/constants";
import { REFRESH_POLICIES, type RefreshPolicies } from "../../session/freshness";
import { toPolicies } from "../../session/settings";
import { Fold } from "../Fold";
import type { Texts } from "../texts";
import { Pick } from "./Pick";

const useStyles = makeStyles({
  families: { display: "flex", flexDirection: "column", rowGap: tokens.spacingVerticalS },
});

interface RefreshPolicyProps {
  policies: RefreshPolicies;
  onChoose: (policies: RefreshPolicies) => void;
  texts: Texts;
}

/** When a workbook refreshes by itself: all of it alike, or each kind of data in its own way. */
export function RefreshPolicy({ policies, onChoose, texts: { ofSheets, families } }: RefreshPolicyProps) {
  const styles = useStyles();
  const { policies: names, mixed } = ofSheets;
  const isMixed = new Set(Object.values(policies)).size > 1;
  const common = isMixed ? MIXED : policies.financials;
  return (
    <>
      <Pick
        label={ofSheets.policy}
        hint={`${isMixed ? ofSheets.mixedHint : ofSheets.policyHints[toKind(policies.financials)]} ${ofSheets.policyHint}`}
        value={common}
        values={isMixed ? [MIXED, ...REFRESH_POLICIES] : REFRESH_POLICIES}
        name={(policy) => (policy === MIXED ? mixed : names[policy])}
        onPick={(policy) => policy !== MIXED && onChoose(toPolicies(policy))}
      />
      <Fold title={ofSheets.byFamily} isPlain isOpen={isMixed}>
        <div className={styles.families}>
          {FAMILIES.map((family) => (
            <Pick
              key={family}
              label={families[family]}
              value={policies[family]}
              values={REFRESH_POLICIES}
              name={(policy) => names[policy]}
              onPick={(policy) => onChoose({ ...policies, [family]: policy })}
            />
          ))}
        </div>
      </Fold>
    </>
  );
}

const MIXED = "mixed";

/** Those that differ only in how long it is. */
const toKind = (policy: RefreshPolicies["financials"]) =>
  policy === "manual" || policy === "open" ? policy : policy.startsWith("open") ? "aged" : "timed";
