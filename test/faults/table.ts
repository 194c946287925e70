import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Fault, GROUPS, readTest, toPattern } from "./groups";

const ROOT = join(__dirname, "../..");
const RELIABILITY = join(ROOT, "docs/reliability.md");
/** What the last run of each tier has left. */
const RESULTS = ["results", "results-long", "results-firm"].map((name) => join(ROOT, `artefacts/${name}.json`));

const BEGIN = "<!-- npm run faults writes from here -->";
const END = "<!-- to here -->";

const print = (line: string) => process.stdout.write(`${line}\n`);

interface Result {
  file: string;
  tests: { name: string; status: string }[];
}

/** Formats the rows as in docs/reliability.md. */
export function toTable(): string {
  const groups = GROUPS.map(({ title, rows, elsewhere }) => {
    if (elsewhere !== undefined) return [`### ${title}`, "", elsewhere];
    const lines = rows.map(({ fault, seen }) => toLine([fault, seen]));
    return [`### ${title}`, "", toLine(["fault", "what you see"]), "|---|---|", ...lines];
  });
  return groups.map((lines) => lines.join("\n")).join("\n\n");
}

/** The text between the marks of a document. @throws Error if it has none */
export function readTable(document: string): string {
  const [, table] = document.match(new RegExp(`${BEGIN}\n\n([^]*)\n\n${END}`)) ?? [];
  if (table === undefined)
    throw new Error(`docs/reliability.md has no "${BEGIN}" with "${END}" behind it; put both back`);
  return table;
}

const toLine = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;

/** Whether all tests of a row have run and passed. */
const createVerdict =
  (results: readonly Result[]) =>
  (row: Fault): boolean =>
    row.tests.map(readTest).every(({ file, title }) => {
      const pattern = new RegExp(toPattern(title));
      const tests = results.filter((result) => result.file === file).flatMap((result) => result.tests);
      const own = tests.filter(({ name }) => pattern.test(name));
      return own.length > 0 && own.every(({ status }) => status === "passed");
    });

function write(): void {
  const results = RESULTS.filter(existsSync).flatMap((path): Result[] => JSON.parse(readFileSync(path, "utf8")).files);
  const hasPassed = createVerdict(results);
  const document = readFileSync(RELIABILITY, "utf8");
  const before = readTable(document);
  writeFileSync(
    RELIABILITY,
    document.replace(`${BEGIN}\n\n${before}\n`, () => `${BEGIN}\n\n${toTable()}\n`),
  );
  const rows = GROUPS.flatMap((group) => group.rows);
  const missing = rows.filter((row) => !hasPassed(row));
  for (const { fault } of missing) print(`not passed in the last run of the tests: ${fault}`);
  print(`${rows.length - missing.length} of ${rows.length} faults passed`);
  if (missing.length > 0) process.exitCode = 1;
}

if (require.main === module) write();
