import type { Fault, TestOf } from "./fault";
import CLIENT_STATE from "./rows/client-state.json";
import DOOR from "./rows/companion-api.json";
import DATA from "./rows/data.json";
import FIRM from "./rows/firm.json";
import HOST from "./rows/host.json";
import NETWORK from "./rows/network.json";
import REGISTRATIONS from "./rows/registrations.json";
import RULE from "./rows/rule.json";
import SIGNING from "./rows/signing.json";
import TOKEN from "./rows/token.json";

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
