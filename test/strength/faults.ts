import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import ts from "typescript";
import { apply, type Change, listNames, parse, spanOf } from "../faults/mutation";
import { createChance } from "../support/chance";

/** A small change of one file of src, found again after other changes by the declarations around it. */
export interface SeededFault {
  kind: "negated condition" | "removed call" | "changed bound" | "swapped operand";
  room: string;
  file: string;
  /** The names of these declarations, from the outermost. */
  names: readonly string[];
  from: string;
  to: string;
  /** Which of the equal changes in them, from 0. */
  place: number;
}

interface PlacedFault extends SeededFault {
  change: Change;
}

const isSource = (name: string) => /\.tsx?$/.test(name) && !name.endsWith(".d.ts") && !name.includes("generated");

/** The TypeScript sources, relative to the root. */
function listSources(root: string): string[] {
  const names = readdirSync(join(root, "src"), { recursive: true }) as string[];
  return names.filter(isSource).map((name) => join("src", name).replaceAll("\\", "/"));
}

/**
 * Chooses type-correct faults at random, from each room by its number of lines and at least a few.
 * @param seed The same seed chooses the same faults of the same sources.
 */
export function chooseFaults(root: string, count: number, seed: number): SeededFault[] {
  const chance = createChance(seed);
  const isTypeCorrect = createTypeCheck(root);
  const sources = listSources(root);
  const rooms = [...new Set(sources.map(toRoom))].map((room) =>
    sources
      .filter((file) => toRoom(file) === room)
      .flatMap((file) => listFaults(file, readFileSync(join(root, file), "utf8"))),
  );
  const total = rooms.reduce((sum, faults) => sum + faults.length, 0);
  return rooms.flatMap((faults) => {
    const wanted = Math.max(FEWEST, Math.round((count * faults.length) / total));
    const chosen: SeededFault[] = [];
    while (chosen.length < wanted && faults.length > 0) {
      const [fault] = faults.splice(chance.below(faults.length), 1);
      if (isTypeCorrect(fault!)) chosen.push(fault!);
    }
    return chosen;
  });
}

/** Of a room, if it has as many. */
const FEWEST = 4;

const toRoom = (file: string) => file.split("/")[1] as string;

/** The source with the fault, or undefined if its place is no longer there. */
export function applyFault(text: string, fault: SeededFault): string | undefined {
  const found = listFaults(fault.file, text).find((each) => toKey(each) === toKey(fault));
  return found && apply(text, found.change);
}

const toKey = ({ kind, names, from, to, place }: SeededFault) => JSON.stringify([kind, names, from, to, place]);

function listFaults(file: string, text: string): PlacedFault[] {
  const faults: PlacedFault[] = [];
  const counts = new Map<string, number>();
  const add = (kind: SeededFault["kind"], node: ts.Node, to: string) => {
    const first = { kind, room: toRoom(file), file, names: listNames(node), from: node.getText(), to, place: 0 };
    const place = counts.get(toKey(first)) ?? 0;
    counts.set(toKey(first), place + 1);
    faults.push({ ...first, place, change: { ...spanOf(node), text: to } });
  };
  const visit = (node: ts.Node) => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node)) return;
    addFaults(node, add);
    node.forEachChild(visit);
  };
  visit(parse(file, text));
  return faults;
}

const OTHER_BOUND: Partial<Record<ts.SyntaxKind, string>> = {
  [ts.SyntaxKind.LessThanToken]: "<=",
  [ts.SyntaxKind.LessThanEqualsToken]: "<",
  [ts.SyntaxKind.GreaterThanToken]: ">=",
  [ts.SyntaxKind.GreaterThanEqualsToken]: ">",
};

const SWAPPABLE = new Set([
  ts.SyntaxKind.MinusToken,
  ts.SyntaxKind.SlashToken,
  ts.SyntaxKind.PercentToken,
  ts.SyntaxKind.QuestionQuestionToken,
]);

const OTHER_JUNCTION: Partial<Record<ts.SyntaxKind, string>> = {
  [ts.SyntaxKind.AmpersandAmpersandToken]: "||",
  [ts.SyntaxKind.BarBarToken]: "&&",
};

/** Calls whose arguments may change places without a change. */
const IS_SYMMETRIC = /^Math\./;

function addFaults(node: ts.Node, add: (kind: SeededFault["kind"], node: ts.Node, to: string) => void): void {
  if (ts.isIfStatement(node)) add("negated condition", node.expression, `!(${node.expression.getText()})`);
  if (ts.isConditionalExpression(node)) add("negated condition", node.condition, `!(${node.condition.getText()})`);
  if (ts.isExpressionStatement(node) && ts.isCallExpression(unwrap(node.expression))) add("removed call", node, ";");
  if (ts.isNumericLiteral(node) && !ts.isPropertyAssignment(node.parent)) {
    add("changed bound", node, String(Number(node.text) + 1));
  }
  if (ts.isBinaryExpression(node)) {
    const { left, operatorToken, right } = node;
    const bound = OTHER_BOUND[operatorToken.kind];
    const junction = OTHER_JUNCTION[operatorToken.kind];
    if (bound) add("changed bound", operatorToken, bound);
    if (junction) add("negated condition", operatorToken, junction);
    if (SWAPPABLE.has(operatorToken.kind)) {
      add("swapped operand", node, `(${right.getText()} ${operatorToken.getText()} ${left.getText()})`);
    }
  }
  if (ts.isCallExpression(node) && node.arguments.length === 2 && !IS_SYMMETRIC.test(node.expression.getText())) {
    const [one, other] = node.arguments.map((each) => each.getText());
    add("swapped operand", node, `${node.expression.getText()}(${other}, ${one})`);
  }
}

const unwrap = (expression: ts.Expression): ts.Expression =>
  ts.isAwaitExpression(expression) || ts.isVoidExpression(expression) ? unwrap(expression.expression) : expression;

/** Checks a changed file against the others as they are. */
function createTypeCheck(root: string): (fault: PlacedFault) => boolean {
  const config = ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile).config;
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const changed = new Map<string, string>();
  let version = 0;
  const host: ts.LanguageServiceHost = {
    getCompilationSettings: () => ({ ...options, noUnusedLocals: false, noUnusedParameters: false }),
    getScriptFileNames: () => listSources(root).map((file) => join(root, file)),
    getScriptVersion: (path) => (changed.has(relative(root, path)) ? String(version) : "0"),
    getScriptSnapshot: (path) => {
      const text = changed.get(relative(root, path)) ?? ts.sys.readFile(path);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => root,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    readDirectory: ts.sys.readDirectory,
    directoryExists: ts.sys.directoryExists,
  };
  const service = ts.createLanguageService(host);
  return ({ file, change }) => {
    const path = join(root, file);
    changed.set(file, apply(readFileSync(path, "utf8"), change));
    version++;
    const errors = [...service.getSyntacticDiagnostics(path), ...service.getSemanticDiagnostics(path)];
    changed.delete(file);
    return errors.length === 0;
  };
}
