import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import ts from "typescript";
import { toModules } from "../support/module-graph";
import READERS from "./argument-readers.json";

const ROOT = join(__dirname, "../..");
const FOLDER = "src/functions";

type Texts = Readonly<Record<string, string>>;

/** The formulas' files, by path from their folder. */
const SOURCES: Texts = Object.fromEntries(
  readdirSync(join(ROOT, FOLDER), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts"))
    .map((path) => [path, readFileSync(join(ROOT, FOLDER, path), "utf8")]),
);

/** The arguments that one reader each takes, as the formulas call them. */
const ARGUMENTS = new Set(READERS.arguments);
/** What reads a value by itself. */
const CONVERSIONS = new Set(READERS.conversions);
/** Readers, and what lays answers out, where a year is the provider's. */
const mayConvert = (path: string): boolean => [...READERS.readers, ...READERS.layouts].includes(path);

/** Lists the files outside the readers that use what only these may, such as the parser of units. */
const listParts = (texts: Texts): string[] =>
  toModules({ ...texts }).flatMap(({ path, names }) =>
    Object.entries(READERS.parts as Record<string, string[]>)
      .filter(([name, files]) => names.has(name) && !files.includes(path))
      .map(([name]) => `${path} uses ${name}`),
  );

/** Lists conversions of an argument outside its reader: `Number(year)`, `given.unit.trim()`, `readText(company, …)`. */
const listConversions = (texts: Texts): string[] =>
  Object.entries(texts).flatMap(([path, text]) => {
    if (mayConvert(path)) return [];
    const found: string[] = [];
    const visit = (node: ts.Node): void => {
      const [name, given] = toConversion(node);
      if (CONVERSIONS.has(name) && given.some((each) => ARGUMENTS.has(each))) found.push(`${path}: ${node.getText()}`);
      ts.forEachChild(node, visit);
    };
    visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true));
    return found;
  });

/** What converts a value, and the names of the values. */
function toConversion(node: ts.Node): [name: string, given: string[]] {
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.PlusToken)
    return ["+", [lastName(node.operand)]];
  if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) return ["", []];
  const { expression } = node;
  const own = ts.isPropertyAccessExpression(expression) ? [lastName(expression.expression)] : [];
  return [lastName(expression), [...own, ...(node.arguments ?? []).map(lastName)]];
}

/** The name that an expression ends with: "unit" of `given.unit`, of `unit[0]?.[0]` and of `unit as string`. */
function lastName(node: ts.Node): string {
  if (ts.isIdentifier(node)) return node.text;
  if (ts.isPropertyAccessExpression(node)) return node.name.text;
  if (ts.isElementAccessExpression(node) || ts.isAsExpression(node) || ts.isNonNullExpression(node))
    return lastName(node.expression);
  return ts.isParenthesizedExpression(node) ? lastName(node.expression) : "";
}

describe("a formula's company, year, period or unit", () => {
  it("is converted by its reader alone", () => {
    expect(listConversions(SOURCES)).toEqual([]);
  });

  it("is parsed by the parts of that reader alone", () => {
    expect(listParts(SOURCES)).toEqual([]);
    expect(READERS.readers.filter((path) => SOURCES[path] === undefined)).toEqual([]);
  });

  it.each(READERS.converted)("is not converted by %s", (code) => {
    expect(listConversions({ "views/new.ts": code })).toHaveLength(1);
  });

  it.each(READERS.read)("may be handed on by %s", (code) => {
    expect(listConversions({ "views/new.ts": code })).toEqual([]);
  });

  it.each(Object.keys(READERS.parts))("is not parsed by a formula's own use of %s", (name) => {
    expect(listParts({ "views/new.ts": `export const open = (given: string) => ${name}(given);` })).toHaveLength(1);
  });
});
