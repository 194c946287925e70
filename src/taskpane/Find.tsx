import { makeStyles, Tab, TabList, tokens } from "@fluentui/react-components";
import { useEffect, useId, useRef, useState, useSyncExternalStore } from "react";
import { Companies } from "./find/Companies";
import { Company } from "./find/Company";
import type { FoundCompany } from "./find/found";
import { Industries } from "./find/Industries";
import { usePane, type Wishes } from "./pane";

const useStyles = makeStyles({
  kinds: { margin: `calc(-1 * ${tokens.spacingVerticalM}) calc(-1 * ${tokens.spacingHorizontalM}) 8px` },
  hideable: { "&[hidden]": { display: "none" } },
});

const KINDS = ["companies", "industries"] as const;

type Kind = (typeof KINDS)[number];

/** Finds companies by name or by industry, and puts what is known of them into cells. */
export function Find({ wish }: { wish: Wishes["find"] | undefined }) {
  const { session } = usePane();
  const styles = useStyles();
  const byDefault = useSyncExternalStore(session.subscribe, () => session.settings.country);
  const [chosen, setChosen] = useState<string | null>(null);
  const [kind, setKind] = useState<Kind>("companies");
  const [isTreeWanted, setTreeWanted] = useState(false);
  const [company, setCompany] = useState<FoundCompany | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  const country = chosen ?? byDefault;
  useEffect(() => {
    if (company === null && kind === "companies") field.current?.focus({ preventScroll: true });
  }, [company, kind]);
  const show = (shown: Kind) => {
    setKind(shown);
    if (shown === "industries") setTreeWanted(true);
  };
  // What was found stays behind the card, so that nothing has to be looked for again.
  return (
    <>
      <div hidden={company !== null} className={styles.hideable}>
        <Kinds id={id} kind={kind} onKind={show} />
        <div {...toPanel(id, "companies", kind)} className={styles.hideable}>
          <Companies {...{ country, field }} name={wish?.name ?? ""} onCountry={setChosen} onOpen={setCompany} />
        </div>
        <div {...toPanel(id, "industries", kind)} className={styles.hideable}>
          {isTreeWanted && <Industries country={country} onCountry={setChosen} />}
        </div>
      </div>
      {company !== null && <Company key={company.id} company={company} onBack={() => setCompany(null)} />}
    </>
  );
}

function Kinds({ id, kind, onKind }: { id: string; kind: Kind; onKind: (kind: Kind) => void }) {
  const styles = useStyles();
  const { ofFind } = usePane().texts;
  return (
    <TabList
      size="small"
      selectedValue={kind}
      onTabSelect={(_, { value }) => onKind(value as Kind)}
      className={styles.kinds}
    >
      {KINDS.map((each) => (
        <Tab key={each} id={`${id}-tab-${each}`} value={each} aria-controls={`${id}-${each}`}>
          {ofFind.kinds[each]}
        </Tab>
      ))}
    </TabList>
  );
}

const toPanel = (id: string, kind: Kind, shown: Kind) => ({
  id: `${id}-${kind}`,
  role: "tabpanel",
  "aria-labelledby": `${id}-tab-${kind}`,
  hidden: kind !== shown,
});
