import ts from "typescript";

/** A text in place of a part of a source. */
export interface Change {
  start: number;
  end: number;
  text: string;
}

interface Mutation {
  /** What it changes, in plural. */
  of: string;
  canChange(node: ts.Node, words: readonly string[]): boolean;
  change(node: ts.Node): Change;
}

const MUTATIONS: Readonly<Record<string, Mutation>> = {
  /** A condition is read, and does not hold; `a ??= b` assigns at any rate. */
  never: { of: "conditions", canChange: isCondition, change: (node) => settle(node, false) },
  /** A condition is read, and holds. */
  always: { of: "conditions", canChange: isCondition, change: (node) => settle(node, true) },
  /** A statement, argument, element, property or operand is left out; a `catch` throws what it caught. */
  drop: { of: "parts", canChange: isPart, change: leaveOut },
  /** A call of the first word gives what it was called on, or its first argument. */
  skip: { of: "calls", canChange: (node, [name]) => isCallOf(node, name), change: skip },
};

/** Reads a row's guard: "file › names › mutation words". */
export function readGuard(guard: string) {
  const [file = "", ...names] = guard.split(" › ");
  const [mutation = "", ...words] = names.pop()?.split(" ") ?? [];
  return { file, names, mutation, words };
}

/**
 * Gives a file's text without a guard.
 *
 * The names lead to a function, method, variable or property, by as many of those around it as make it the only one. The
 * words are names, literals and keywords: the smallest node with all of them is changed. `is` gives the declaration
 * another value. In a file that is not TypeScript, `drop` leaves out the line with the words.
 *
 * @throws Error with what to mend in the row if not exactly one place is meant
 */
export function removeGuard(text: string, guard: string): string {
  const { file, names, mutation: kind, words } = readGuard(guard);
  if (!/\.tsx?$/.test(file)) return leaveOutLine(text, guard);
  const source = parse(file, text);
  const scope = pickOne(guard, "such declarations", listDeclared(source, names));
  if (kind === "is") return apply(text, { ...spanOf(readValue(guard, scope)), text: words.join(" ") });
  const mutation = MUTATIONS[kind];
  if (mutation === undefined) throw new Error(`${guard}: give one of is, ${Object.keys(MUTATIONS).join(", ")}`);
  const able = listNodes(scope).filter((node) => mutation.canChange(node, words) && hasAll(node, words));
  const smallest = able.filter((node) => !able.some((other) => isInside(other, node)));
  return apply(text, mutation.change(pickOne(guard, `such ${mutation.of}`, smallest)));
}

function readValue(guard: string, node: ts.Node): ts.Node {
  if (isWithValue(node) && node.initializer !== undefined) return node.initializer;
  throw new Error(`${guard}: only a variable or property has a value`);
}

export const parse = (file: string, text: string): ts.SourceFile =>
  ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);

export const apply = (source: string, { start, end, text }: Change): string =>
  source.slice(0, start) + text + source.slice(end);

export const spanOf = (node: ts.Node) => ({ start: node.getStart(), end: node.getEnd() });

/** The names of the declarations around a node, from the outermost, and its own. */
export function listNames(node: ts.Node): string[] {
  const own = readName(node);
  const around = node.parent === undefined ? [] : listNames(node.parent);
  return own === undefined ? around : [...around, own];
}

function readName(node: ts.Node): string | undefined {
  const isCode = ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node) || ts.isClassDeclaration(node);
  return isCode || isWithValue(node) ? node.name?.getText() : undefined;
}

const isWithValue = (node: ts.Node): node is ts.VariableDeclaration | ts.PropertyAssignment | ts.PropertyDeclaration =>
  ts.isVariableDeclaration(node) || ts.isPropertyAssignment(node) || ts.isPropertyDeclaration(node);

function listDeclared(source: ts.SourceFile, names: readonly string[]): ts.Node[] {
  const named = listNodes(source).filter((node) => readName(node) === names.at(-1) && isBehind(names, listNames(node)));
  const whole = named.filter((node) => listNames(node).length === names.length);
  return whole.length > 0 ? whole : named;
}

/** Whether a path has all names, in order. */
function isBehind(names: readonly string[], path: readonly string[]): boolean {
  let found = 0;
  for (const name of path) if (name === names[found]) found++;
  return found === names.length;
}

function pickOne(guard: string, wanted: string, nodes: readonly ts.Node[]): ts.Node {
  const [node] = nodes;
  if (node !== undefined && nodes.length === 1) return node;
  if (node === undefined) throw new Error(`${guard}: there are no ${wanted}`);
  const lines = nodes.map((each) => each.getSourceFile().getLineAndCharacterOfPosition(each.getStart()).line + 1);
  throw new Error(`${guard}: lines ${lines.join(", ")} have ${wanted}; add what one of them has alone`);
}

function listNodes(node: ts.Node): ts.Node[] {
  const nodes = [node];
  for (const each of nodes) each.forEachChild((child) => void nodes.push(child));
  return nodes;
}

const isInside = (node: ts.Node, other: ts.Node): boolean =>
  node !== other && node.pos >= other.pos && node.end <= other.end;

function hasAll(node: ts.Node, words: readonly string[]): boolean {
  const source = node.getSourceFile();
  const found = new Set<string>();
  const visit = (each: ts.Node) => {
    const parts = each.getChildren(source);
    if (parts.length === 0) found.add(ts.isStringLiteralLike(each) ? each.text : each.getText(source));
    parts.forEach(visit);
  };
  visit(node);
  return words.every((word) => found.has(word));
}

const COMPARISONS = new Set([
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
  ts.SyntaxKind.LessThanToken,
  ts.SyntaxKind.LessThanEqualsToken,
  ts.SyntaxKind.GreaterThanToken,
  ts.SyntaxKind.GreaterThanEqualsToken,
  ts.SyntaxKind.InstanceOfKeyword,
  ts.SyntaxKind.InKeyword,
]);
const JUNCTIONS = new Set([ts.SyntaxKind.AmpersandAmpersandToken, ts.SyntaxKind.BarBarToken]);
const OPERATORS = new Set([
  ...JUNCTIONS,
  ts.SyntaxKind.QuestionQuestionToken,
  ts.SyntaxKind.PlusToken,
  ts.SyntaxKind.MinusToken,
]);
const STATEMENTS = new Set([
  ts.SyntaxKind.ExpressionStatement,
  ts.SyntaxKind.ForOfStatement,
  ts.SyntaxKind.IfStatement,
  ts.SyntaxKind.ReturnStatement,
  ts.SyntaxKind.ThrowStatement,
]);

const isOneOf = (node: ts.Node, kinds: ReadonlySet<ts.SyntaxKind>): node is ts.BinaryExpression =>
  ts.isBinaryExpression(node) && kinds.has(node.operatorToken.kind);

const isDefault = (node: ts.Node): node is ts.BinaryExpression =>
  ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.QuestionQuestionEqualsToken;

const isNegation = (node: ts.Node): boolean =>
  ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken;

/** A comparison, junction, negation or `??=`, what one of them joins, and what a statement or `?` depends on. */
function isCondition(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isParenthesizedExpression(parent) && isNegation(parent.parent)) return false;
  if (isOneOf(node, COMPARISONS) || isOneOf(node, JUNCTIONS) || isDefault(node) || isNegation(node)) return true;
  if (ts.isIfStatement(parent) || ts.isWhileStatement(parent)) return parent.expression === node;
  if (ts.isConditionalExpression(parent)) return parent.condition === node;
  if (ts.isArrowFunction(parent)) return parent.body === node && parent.type?.getText() === "boolean";
  return isOneOf(parent, JUNCTIONS) && parent.operatorToken !== node;
}

function settle(node: ts.Node, holds: boolean): Change {
  if (isDefault(node)) return { ...spanOf(node.operatorToken), text: "=" };
  return { ...spanOf(node), text: `(${node.getText()}, ${holds})` };
}

/** What stands in one list with a node, with it; or nothing. */
function listBeside(node: ts.Node): readonly ts.Node[] {
  const { parent } = node;
  if (isOneOf(parent, OPERATORS)) return [parent.left, parent.right];
  if (ts.isArrayLiteralExpression(parent)) return parent.elements;
  if (ts.isObjectLiteralExpression(parent)) return parent.properties;
  return ts.isCallExpression(parent) ? parent.arguments : [];
}

function isPart(node: ts.Node): boolean {
  return STATEMENTS.has(node.kind) || ts.isCatchClause(node) || listBeside(node).includes(node);
}

function leaveOut(node: ts.Node): Change {
  if (STATEMENTS.has(node.kind)) return { ...spanOf(node), text: ";" };
  if (ts.isCatchClause(node)) return { ...spanOf(node), text: "catch (error) { throw error; }" };
  const beside = listBeside(node);
  const [before, after] = [beside[beside.indexOf(node) - 1], beside[beside.indexOf(node) + 1]];
  if (before !== undefined) return { start: before.getEnd(), end: node.getEnd(), text: "" };
  return { start: node.getStart(), end: after?.getStart() ?? node.getEnd(), text: "" };
}

function leaveOutLine(text: string, guard: string): string {
  const { words } = readGuard(guard);
  const lines = text.split("\n");
  const meant = lines.filter((line) => words.every((word) => line.split(/\s+/).includes(word)));
  if (meant.length !== 1) throw new Error(`${guard}: ${meant.length} lines have these words; give those of one`);
  return lines.filter((line) => line !== meant[0]).join("\n");
}

/** The name by which a call calls, the last one behind dots. */
function isCallOf(node: ts.Node, name: string | undefined): node is ts.CallExpression {
  if (!ts.isCallExpression(node)) return false;
  const { expression } = node;
  return (ts.isPropertyAccessExpression(expression) ? expression.name : expression).getText() === name;
}

function skip(node: ts.Node): Change {
  const { expression, arguments: given } = node as ts.CallExpression;
  const subject = ts.isPropertyAccessExpression(expression) ? expression.expression : given[0];
  return { ...spanOf(node), text: subject?.getText() ?? "undefined" };
}
