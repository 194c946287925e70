import { type FormEvent, useCallback, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { hasCode } from "../../client/errors";
import { TEMPLATES } from "../../session/persisted-settings";
import type { Template } from "../../session/settings";
import { BusyButton, Heading, Hint, Stack, useLook } from "../layout";
import { type Handoffs, useHandoff, usePane } from "../pane";
import { type CompanyNames, CompanyNamesContext, useMemory } from "../picker/company-writing";
import { useLoaded } from "../query";
import { toReasonText } from "../Reason";
import {
  type Drafts,
  describeDraft,
  listKinds,
  type Mistakes,
  type OwnTemplate,
  readDraft,
  toFirstDrafts,
  toTemplateName,
  withStatement,
} from "./drafts";
import { Pick } from "./fields";
import { useMake } from "./MadeSheets";
import { ComparisonForm, RankingForm, StatementForm } from "./SheetForms";

const NONE: Mistakes = {};

const listFirst = (): Drafts["ofTools"] =>
  Object.fromEntries(Object.entries(listKinds()).map(([template, { first }]) => [template, first]));

/** The form for a new sheet. */
export function NewSheet({ handoff }: { handoff: Handoffs["sheets"] | undefined }) {
  const { session, texts } = usePane();
  const { ofSheets, language } = texts;
  const look = useLook();
  const companyNames = useSyncExternalStore(session.subscribe, () => session.settings.companyNames);
  const [template, setTemplate] = useState<Template>("ranking");
  const [drafts, setDrafts] = useState(() => toFirstDrafts(listFirst()));
  const names = useMemory();
  useHandoff(handoff, ({ company }) => {
    setTemplate("statement");
    names.remember([company]);
    setDrafts((before) => withStatement(before, company.id));
  });
  const { form, mistakes, isMaking, submit } = useForm(template, drafts, names);
  const kinds = listKinds();
  const hints: Partial<Record<Template, string>> = ofSheets.templateHints;
  return (
    <section>
      <Heading gap="S">{ofSheets.newSheet}</Heading>
      <Stack as="form" gap="M" ref={form} noValidate onSubmit={submit}>
        <Pick
          label={ofSheets.template}
          hint={hints[template] ?? kinds[template]?.hint[language]}
          value={template}
          values={TEMPLATES.filter((each) => each in hints || each in kinds)}
          name={(each) => toTemplateName(each, texts)}
          onPick={setTemplate}
        />
        <CompanyNamesContext value={names}>
          <TemplateForm template={template} drafts={drafts} setDrafts={setDrafts} mistakes={mistakes} />
        </CompanyNamesContext>
        <Stack gap="XS" className={look.bar}>
          <Hint>{describeDraft(template, drafts, texts, companyNames)}</Hint>
          <BusyButton
            type="submit"
            appearance="primary"
            className={look.atStart}
            isBusy={isMaking}
            // A double click's second click may come after a quick host has made the sheet.
            onClick={(event) => event.detail > 1 && event.preventDefault()}
          >
            {isMaking ? ofSheets.making : ofSheets.make}
          </BusyButton>
        </Stack>
      </Stack>
    </section>
  );
}

/** Mistakes show from the first attempt on, which focuses the first of them. */
function useForm(template: Template, drafts: Drafts, { nameOf }: CompanyNames) {
  const { texts, notify } = usePane();
  const { isMaking, make } = useMake();
  const form = useRef<HTMLFormElement>(null);
  const [tried, setTried] = useState<{ template: Template; count: number } | null>(null);
  const reading = readDraft(template, drafts, texts, nameOf);
  const refusal = useRefusal(drafts.ranking);
  const refused: Mistakes = template === "ranking" && refusal !== null ? { to: refusal } : NONE;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const plan = "plan" in reading && refused === NONE ? reading.plan : null;
    setTried((before) => (plan === null ? { template, count: (before?.count ?? 0) + 1 } : null));
    if (plan === null)
      notify(null); // what an earlier attempt made would seem to be of this one
    else void make(plan, template);
  };
  useEffect(() => {
    if (tried !== null) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [tried]);
  const mistakes = "mistakes" in reading && tried?.template === template ? reading.mistakes : NONE;
  return { form, mistakes: { ...mistakes, ...refused }, isMaking, submit };
}

/** Why the sheet's formula would refuse the days of a form, in its own sentence; null where it takes them. */
function useRefusal({ range, from, to }: Drafts["ranking"]): string | null {
  const { session, texts } = usePane();
  const isGiven = range === "dates" && from !== "" && to !== "";
  const find = useCallback(
    async () => (isGiven ? session.formulas.findError("RANKING", [from, to]) : null),
    [session, isGiven, from, to],
  );
  const error = useLoaded(find);
  const said = isOfArguments(error) ? toReasonText(error, texts) : null;
  return said && said.charAt(0).toUpperCase() + said.slice(1);
}

/** Any other error is of answers at hand, which may come again. */
const isOfArguments = hasCode("FEED_ARGUMENT_INVALID");

interface TemplateFormProps {
  template: Template;
  drafts: Drafts;
  setDrafts: (change: (before: Drafts) => Drafts) => void;
  mistakes: Mistakes;
}

function TemplateForm({ template, drafts, setDrafts, mistakes }: TemplateFormProps) {
  const toChange =
    <T extends OwnTemplate>(name: T) =>
    (changed: Partial<Drafts[T]>) =>
      setDrafts((before) => ({ ...before, [name]: { ...before[name], ...changed } }));
  const ofTool = drafts.ofTools[template];
  if (ofTool !== undefined) {
    return ofTool.form((changed) =>
      setDrafts((before) => ({ ...before, ofTools: { ...before.ofTools, [template]: changed } })),
    );
  }
  const { ranking, comparison, statement } = drafts;
  if (template === "ranking") return <RankingForm draft={ranking} change={toChange("ranking")} mistakes={mistakes} />;
  if (template === "comparison") {
    return <ComparisonForm draft={comparison} change={toChange("comparison")} mistakes={mistakes} />;
  }
  return <StatementForm draft={statement} change={toChange("statement")} mistakes={mistakes} />;
}
