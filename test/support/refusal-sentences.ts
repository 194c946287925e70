import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

const SOURCES = join(__dirname, "../../src");
/** What makes a refusal of a sentence. */
const MAKERS = /^(Refusal|BusyRefusal|super|SignInRefusal|toFailure|refuse|toMistake)$/;

/** Lists the sentences with which the companion refuses, each once; `{0}` stands for a value. */
export const listRefusals = (): string[] => listOf(readRefusals);

/** Lists all texts of its sources in that form. */
export const listTexts = (): string[] =>
  listOf((node) => (ts.isStringLiteralLike(node) ? [node.text] : readTexts(node)));

function listOf(read: (node: ts.Node) => string[]): string[] {
  const found = new Set<string>();
  const visit = (node: ts.Node): void => {
    for (const text of read(node)) found.add(text);
    ts.forEachChild(node, visit);
  };
  for (const room of ["companion", "firm"]) {
    for (const name of readdirSync(join(SOURCES, room), { recursive: true, encoding: "utf8" })) {
      if (!name.endsWith(".ts")) continue;
      const text = readFileSync(join(SOURCES, room, name), "utf8");
      visit(ts.createSourceFile(name, text, ts.ScriptTarget.ES2022, true));
    }
  }
  return [...found];
}

function readRefusals(node: ts.Node): string[] {
  const isMade = (ts.isNewExpression(node) || ts.isCallExpression(node)) && MAKERS.test(node.expression.getText());
  const texts = isMade
    ? (node.arguments ?? []).flatMap(readTexts)
    : isSentence(node)
      ? readTexts(node.initializer!)
      : [];
  return texts.filter((text) => /^["A-Z{].* .* /.test(text));
}

/** Sentences are often put together before they are thrown. */
const isSentence = (node: ts.Node): node is ts.VariableDeclaration =>
  ts.isVariableDeclaration(node) && node.name.getText() === "sentence" && node.initializer !== undefined;

function readTexts(node: ts.Node): string[] {
  if (ts.isConditionalExpression(node)) return [...readTexts(node.whenTrue), ...readTexts(node.whenFalse)];
  if (ts.isArrowFunction(node)) return readTexts(node.body);
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (!ts.isTemplateExpression(node)) return [];
  const { head, templateSpans } = node;
  return [templateSpans.reduce((text, { literal }, index) => `${text}{${index}}${literal.text}`, head.text)];
}
