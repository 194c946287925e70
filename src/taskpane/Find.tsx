import { Button, makeStyles, tokens } from "@fluentui/react-components";
import { type RefObject, useEffect, useId, useRef, useState, useSyncExternalStore } from "react";
import { createSubscribers } from "../client/subscribers";
import type { NamedCompany } from "../feed/resolutions";
import { TOOLS } from "../tools";
import type { FoundCompany } from "./company-search";
import { Companies } from "./find/Companies";
import type { Use } from "./find/Company";
import { Stack } from "./layout";
import { nameCompany, wantsFigures } from "./named-companies";
import { type Handoffs, useHandoff, usePane } from "./pane";
import { createScript, type Script, ScriptPart } from "./pane/ScriptPart";
import { Tabs, toTabIds } from "./Tabs";
import type { Texts } from "./texts";
import { findTexts } from "./texts/find";
import type { FindTool } from "./tool";

const useStyles = makeStyles({
  kinds: { margin: `calc(-1 * ${tokens.spacingVerticalM}) calc(-1 * ${tokens.spacingHorizontalS}) 8px` },
  back: { justifySelf: "start", marginLeft: `calc(-1 * ${tokens.spacingHorizontalS})` },
  hideable: { "&[hidden]": { display: "none" } },
});

/** A tab: of this part, or a tool's. */
type Kind = string;

/** A company's card, which shows once a company is found. */
const CARD = createScript(async () => (await import(/* webpackChunkName: "company" */ "./find/Company")).Company);

const INDUSTRIES: FindTool = {
  id: "industries",
  title: { en: findTexts.en.kinds.industries, ja: findTexts.ja.kinds.industries },
  script: createScript(async () => (await import(/* webpackChunkName: "company" */ "./find/Industries")).Industries),
};

/** The tabs behind the first one. */
const OTHERS = [INDUSTRIES, ...TOOLS.find];

/** The scripts of this part, besides its own. */
export const FIND_SCRIPTS: readonly Pick<Script<unknown>, "load">[] = [CARD, ...OTHERS.map(({ script }) => script)];

/** Finds companies by name or by industry, and inserts their data into cells. */
export function Find({ handoff }: { handoff: Handoffs["find"] | undefined }) {
  const { session, texts } = usePane();
  const styles = useStyles();
  const byDefault = useSyncExternalStore(session.subscribe, () => session.settings.country);
  const [chosen, setChosen] = useState<string | null>(null);
  const { kind, visited, show } = useKind();
  const [company, setCompany] = useState<FoundCompany | null>(null);
  const { named, setNamed, toUse } = useNamed();
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  const country = chosen ?? byDefault;
  const [others] = useState(createSubscribers); // of the companies opened, which end notices about the one before
  useFirstFocus(field, company);
  useHandoff(handoff, (wanted) => {
    show("companies");
    const wantedCountry = wanted.named?.country ?? wanted.country;
    if (wantedCountry !== undefined) setChosen(wantedCountry);
    setCompany(null);
    setNamed(wanted.named ?? null);
  });
  const open = (opened: FoundCompany) => {
    others.notify();
    setCompany(opened);
  };
  // The results stay behind the card, so that nobody searches again.
  return (
    <>
      <div hidden={company !== null} className={styles.hideable}>
        <Tabs id={id} label={texts.parts.find} tabs={toTabs(texts)} shown={kind} open={show} className={styles.kinds} />
        <div {...toPanel(id, "companies", kind)} className={styles.hideable}>
          <Companies {...{ country, field, named }} handoff={handoff} onCountry={setChosen} onOpen={open} />
        </div>
        {OTHERS.map((tool) => (
          <div key={tool.id} {...toPanel(id, tool.id, kind)} className={styles.hideable}>
            {visited.has(tool.id) && <ToolPart tool={tool} country={country} onCountry={setChosen} />}
          </div>
        ))}
      </div>
      {company !== null && (
        <Stack gap="M">
          <Button size="small" appearance="subtle" className={styles.back} onClick={() => setCompany(null)}>
            <span aria-hidden>←&nbsp;</span>
            {texts.ofFind.back}
          </Button>
          <ScriptPart script={CARD} name={company.name}>
            {(Company) => (
              <Company key={company.id} company={company} untilOther={others.subscribe} use={toUse(company)} />
            )}
          </ScriptPart>
        </Stack>
      )}
    </>
  );
}

const toTabs = ({ ofFind, language }: Texts): Record<Kind, string> => ({
  companies: ofFind.kinds.companies,
  ...Object.fromEntries(OTHERS.map(({ id, title }) => [id, title[language]])),
});

interface ToolPartProps {
  tool: FindTool;
  country: string;
  onCountry: (country: string) => void;
}

/** A tool, once its script has loaded. */
const ToolPart = ({ tool, ...props }: ToolPartProps) => (
  <ScriptPart script={tool.script} name={tool.title[usePane().texts.language]}>
    {(Tool) => <Tool {...props} />}
  </ScriptPart>
);

/** The name in formulas whose company is to be chosen, and the button that makes it mean one; null without a name. */
function useNamed() {
  const { session, texts, notify } = usePane();
  const [named, setNamed] = useState<NamedCompany | null>(null);
  const toUse = (company: FoundCompany): Use | null => {
    if (named === null) return null;
    const act = () => {
      nameCompany(session, named, company);
      setNamed(null);
      notify({ intent: "success", text: texts.ofPicker.used(named.name, company.name) });
    };
    return { text: named.name, needsFigures: wantsFigures(session, named), act };
  };
  return { named, setNamed, toUse };
}

/** The kind that is shown, and those that have been: each loads when it is first shown, and keeps its state. */
function useKind() {
  const [kind, setKind] = useState<Kind>("companies");
  const [visited, setVisited] = useState<ReadonlySet<Kind>>(new Set(["companies"]));
  const show = (shown: Kind) => {
    setKind(shown);
    setVisited((before) => new Set([...before, shown]));
  };
  return { kind, visited, show };
}

const toPanel = (id: string, kind: Kind, shown: Kind) => ({
  id: toTabIds(id, kind).panel,
  role: "tabpanel",
  "aria-labelledby": toTabIds(id, kind).tab,
  hidden: kind !== shown,
});

/**
 * Focuses a field when its part of the pane opens, and when the card in front of it closes. A pane
 * that opens the part by itself takes no focus from the sheet.
 *
 * @param card the card in front of the field; null for none
 */
export function useFirstFocus(field: RefObject<HTMLElement | null>, card: object | null): void {
  useEffect(() => {
    if (card !== null) return;
    const focus = () => document.hasFocus() && field.current?.focus({ preventScroll: true });
    focus();
    const panel = field.current?.closest("[role=tabpanel][id^=part-]") ?? null;
    if (panel === null) return;
    const observer = new MutationObserver(() => panel.hasAttribute("hidden") || focus());
    observer.observe(panel, { attributeFilter: ["hidden"] });
    return () => observer.disconnect();
  }, [field, card]);
}
