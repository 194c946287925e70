import { Input, Field as Labelled } from "@fluentui/react-components";
import { type FormEvent, type RefObject, useRef, useState } from "react";
import type { Settable } from "../../client/configuration";
import { FeedError } from "../../client/errors";
import { BusyButton, Stack, useLook } from "../layout";
import { usePane } from "../pane";
import { Failure } from "../Reason";
import type { Texts } from "../texts";

interface ProviderFormProps {
  /** The fields to fill in; a field that is not settable shows as text. */
  fields: readonly Field[];
  settable: readonly Settable[];
  draft: Draft;
  setDraft: (draft: Draft) => void;
  /** A key id that another key already has; default none. */
  takenKeyId?: string | undefined;
  /** Applies the draft; rejects with the companion's error. */
  save: () => Promise<void>;
}

/** Shows the details that a provider sends to its clients, with each mistake beside its field. */
export function ProviderForm(props: ProviderFormProps) {
  const { fields, settable, draft, setDraft } = props;
  const { texts } = usePane();
  const look = useLook();
  const form = useRef<HTMLFormElement>(null);
  const { wrong, failure, isBusy, validate, submit } = useSaving(props, form);
  return (
    <Stack as="form" gap="M" ref={form} noValidate onSubmit={submit}>
      {fields.map((field) => (
        <Entry
          key={field}
          field={field}
          value={draft[field]}
          isSettable={settable.includes(field)}
          wrong={wrong[field]}
          write={(value) => setDraft({ ...draft, [field]: value })}
          leave={() => draft[field] !== "" && validate(field)}
        />
      ))}
      <Failure error={failure} />
      <BusyButton type="submit" appearance="primary" className={look.atStart} isBusy={isBusy}>
        {texts.ofSettings.setUp.save}
      </BusyButton>
    </Stack>
  );
}

/** Validates the draft, and saves it where it has no mistake. */
function useSaving(
  { fields, settable, draft, takenKeyId, save }: ProviderFormProps,
  form: RefObject<HTMLFormElement | null>,
) {
  const { texts } = usePane();
  const [wrong, setWrong] = useState<Partial<Draft>>({});
  const [failure, setFailure] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const editable = fields.filter((field) => settable.includes(field));
  const find = (field: Field) => toSentence(field, draft[field], takenKeyId, texts);
  const show = (found: Partial<Draft>): boolean => {
    setWrong(found);
    const worst = editable.find((field) => found[field] !== undefined);
    if (worst !== undefined) form.current?.querySelector<HTMLInputElement>(`[name=${worst}]`)?.focus();
    return worst !== undefined;
  };
  const trySave = async () => {
    setFailure(null);
    if (isBusy || show(Object.fromEntries(editable.map((field) => [field, find(field)])))) return;
    setBusy(true);
    const said = await save().then(() => null, toRejection);
    setBusy(false);
    if (said === null) return;
    setFailure(said.failure);
    show(said.ofFields);
  };
  return {
    wrong,
    failure,
    isBusy,
    validate: (field: Field) => setWrong({ ...wrong, [field]: find(field) }),
    submit(event: FormEvent) {
      event.preventDefault();
      void trySave();
    },
  };
}

interface EntryProps {
  field: Field;
  value: string;
  isSettable: boolean;
  wrong: string | undefined;
  write: (value: string) => void;
  leave: () => void;
}

function Entry({ field, value, isSettable, wrong, write, leave }: EntryProps) {
  const { texts } = usePane();
  const words = texts.ofSettings.setUp;
  const look = useLook();
  if (!isSettable) {
    return (
      <div className={look.breaking}>
        {words.fields[field]}: {value} ({words.given})
      </div>
    );
  }
  const plain = { autoComplete: "off", autoCapitalize: "off", spellCheck: false } as const;
  return (
    <Labelled
      label={words.fields[field]}
      hint={field === "baseUrl" ? words.baseUrlHint : undefined}
      validationState={wrong ? "error" : "none"}
      validationMessage={wrong?.replace(field, words.fields[field])}
    >
      <Input
        {...plain}
        className={look.wide}
        name={field}
        type={field === "baseUrl" ? "url" : "text"}
        placeholder={field === "baseUrl" ? "https://feed.example.com" : ""}
        value={value}
        onChange={(_, { value: written }) => write(written)}
        onBlur={leave}
      />
    </Labelled>
  );
}

function toSentence(field: Field, written: string, takenKeyId: string | undefined, texts: Texts): string | undefined {
  const { mistakes, fields } = texts.ofSettings.setUp;
  const mistake = field === "keyId" && written.trim() === takenKeyId ? "same" : findMistake(field, written);
  return mistake === null ? undefined : mistakes[mistake](fields[field]);
}

/** Splits the companion's error into messages for fields and the rest. */
function toRejection(error: unknown): { ofFields: Partial<Draft>; failure: unknown } {
  const mistakes = error instanceof FeedError ? (error.facts.mistakes ?? []) : [];
  const { ofFields, others } = sortMistakes(mistakes);
  const isAtFields = mistakes.length > 0 && others.length === 0;
  return { ofFields, failure: isAtFields ? null : error };
}

/** The fields of the form. */
export const FIELDS = ["baseUrl", "clientId", "keyId"] as const;

type Field = (typeof FIELDS)[number];

/** The form's texts. */
export type Draft = Readonly<Record<Field, string>>;

/** A mistake in a field; `texts/settings` has the sentences. */
type Mistake = "missing" | "noAddress" | "insecure" | "crowded" | "endpoint" | "unprintable" | "same";

/** Checks a field by the companion's rules, which the companion applies again. */
export function findMistake(field: Field, written: string): Mistake | null {
  const text = written.trim();
  if (text === "") return "missing";
  if (field === "baseUrl") return findAddressMistake(text);
  return /^\P{C}{1,200}$/u.test(text) ? null : "unprintable";
}

function findAddressMistake(text: string): Mistake | null {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return "noAddress";
  const { protocol, hostname, username, password, search, hash, pathname } = new URL(text);
  const isLoopback = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
  if (protocol !== "https:" && !isLoopback) return "insecure";
  if (`${username}${password}${search}${hash}` !== "") return "crowded";
  return pathname.replace(/\/+$/, "").endsWith("/token") ? "endpoint" : null;
}

/** Assigns the companion's sentences to the fields that they begin with. */
export function sortMistakes(mistakes: readonly string[]): { ofFields: Partial<Draft>; others: readonly string[] } {
  const findField = (sentence: string) => FIELDS.find((field) => sentence.startsWith(`${field} `));
  const ofFields = mistakes.map((sentence) => [findField(sentence), sentence]).filter(([field]) => field);
  return {
    ofFields: Object.fromEntries(ofFields),
    others: mistakes.filter((sentence) => findField(sentence) === undefined),
  };
}
