/** What a provider tells its client, as the form asks for it. */
export const FIELDS = ["baseUrl", "clientId", "keyId"] as const;

export type Field = (typeof FIELDS)[number];

/** What is written in the form. */
export type Draft = Readonly<Record<Field, string>>;

/** What is wrong with a field; `texts/set-up` has the sentences. */
type Mistake = "missing" | "noAddress" | "insecure" | "crowded" | "endpoint" | "unprintable" | "same";

/** The rules of the companion, which judges in the end; told while the person is still at the field. */
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

/** Sorts the companion's sentences to the fields that they begin with; the rest is of none. */
export function sortMistakes(mistakes: readonly string[]): { ofFields: Partial<Draft>; others: readonly string[] } {
  const findField = (sentence: string) => FIELDS.find((field) => sentence.startsWith(`${field} `));
  const ofFields = mistakes.map((sentence) => [findField(sentence), sentence]).filter(([field]) => field);
  return {
    ofFields: Object.fromEntries(ofFields),
    others: mistakes.filter((sentence) => findField(sentence) === undefined),
  };
}
