import type { ProviderAnswer } from "../relay/answer";
import { readUnambiguousJson } from "./unambiguous-json";

/** As much as a cell says of an error. */
const LONGEST_TEXT = 200;
const MOST_DETAILS = 20;
/** What an error says outside the shape of §7, as OAuth and others write it. */
const PLAIN_TEXTS = ["error", "error_description", "message", "detail", "title", "traceId"];

/** Leaves the sentences of an error alone: its body may hold rows as well as an answer's. */
export function toErrorOnly<A extends ProviderAnswer>(answer: A): A {
  const reading = readUnambiguousJson(answer.body);
  const body = Buffer.from(JSON.stringify(typeof reading === "string" ? {} : pickError(reading.value)));
  return { ...answer, headers: { ...answer.headers, "content-type": "application/json" }, body };
}

function pickError(value: unknown): object {
  const { error } = Object(value);
  if (typeof error !== "object" || error === null) return pickTexts(value, PLAIN_TEXTS);
  const details = Array.isArray(error.details) ? error.details.slice(0, MOST_DETAILS) : [];
  const issues = details.map((detail: unknown) => pickTexts(detail, ["field", "issue"]));
  return {
    error: { ...pickTexts(error, ["code", "message", "traceId"]), ...(issues.length > 0 && { details: issues }) },
  };
}

function pickTexts(value: unknown, names: readonly string[]): object {
  const texts = names
    .map((name) => [name, Object(value)[name]] as const)
    .filter(([, text]) => typeof text === "string");
  return Object.fromEntries(texts.map(([name, text]) => [name, text.slice(0, LONGEST_TEXT)]));
}
