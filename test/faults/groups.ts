import type { Fault, TestOf } from "./fault";
import { ROWS as CLIENT_STATE } from "./rows/client-state";
import { ROWS as DOOR } from "./rows/companion-api";
import { ROWS as DATA } from "./rows/data";
import { ROWS as FIRM } from "./rows/firm";
import { ROWS as HOST } from "./rows/host";
import { ROWS as NETWORK } from "./rows/network";
import { ROWS as REGISTRATIONS } from "./rows/registrations";
import { ROWS as RULE } from "./rows/rule";
import { ROWS as SIGNING } from "./rows/signing";
import { ROWS as TOKEN } from "./rows/token";

export interface Group {
  title: string;
  rows: readonly Fault[];
}

/** Every fault with a test, in the groups of docs/reliability.md. */
export const GROUPS: readonly Group[] = [
  { title: "Whatever goes wrong", rows: RULE },
  { title: "Signing and the companion", rows: SIGNING },
  { title: "The token", rows: TOKEN },
  { title: "The network", rows: NETWORK },
  { title: "Data", rows: DATA },
  { title: "Registration numbers", rows: REGISTRATIONS },
  { title: "What the browser keeps, and cells that come and go", rows: CLIENT_STATE },
  { title: "The companion's own door", rows: DOOR },
  { title: "Kinds of Excel", rows: HOST },
  { title: "A firm of several instances", rows: FIRM },
];

/** Matches the full names of a title's tests; placeholders match anything. */
export function toPattern(title: TestOf["title"]): string {
  const parts = title.split(/%[a-z#]|\$\{[^}]*\}/);
  return parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join(".*");
}
