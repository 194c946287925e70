import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import ts from "typescript";

export interface ModuleImport {
  /** As written: `./token`, `jose`, `node:fs`. */
  specifier: string;
  /** A type import, erased by the compiler. */
  isTypeOnly: boolean;
  /** The file or folder it resolves to, from the project's root, if it is ours. */
  path?: string;
}

export interface Module {
  /** From the project's root, such as `src/client/auth/token.ts`. */
  path: string;
  imports: ModuleImport[];
  /** Free names in the code: variables and namespaces, not properties. */
  names: Set<string>;
  lines: number;
  /** Functions and components of any kind, from the first line to the last. */
  functions: { name: string; lines: number }[];
}

const ROOT = join(__dirname, "../..");
const SOURCE = /\.(tsx?|mjs|cjs)$/;
const ENDINGS = ["", ".ts", ".tsx", ".mjs", ".cjs", "/index.ts", "/index.tsx"];

/** Reads every source file below the folders, except generated ones. */
export function readModules(...folders: string[]): Module[] {
  const paths = folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).map((path) => `${folder}/${path}`),
  );
  const sources = paths.filter((path) => SOURCE.test(path) && !path.includes("/generated/"));
  return toModules(Object.fromEntries(sources.map((path) => [path, readFileSync(join(ROOT, path), "utf8")])));
}

/** Reads modules from their texts, by path from the project's root. */
export function toModules(texts: Record<string, string>): Module[] {
  const known = new Set(Object.keys(texts));
  return Object.entries(texts).map(([path, text]) => {
    const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
    const nodes = listNodes(file);
    const imports = nodes.flatMap(toImport).map((found) => ({ ...found, path: resolve(path, found.specifier, known) }));
    const names = new Set(nodes.filter(isFreeName).map((node) => node.getText(file)));
    const functions = nodes.filter(hasBody).map((node) => ({ name: toName(node), lines: countLines(file, node) }));
    return { path, imports, names, lines: text.trimEnd().split("\n").length, functions };
  });
}

function listNodes(node: ts.Node): ts.Node[] {
  const nodes: ts.Node[] = [];
  const visit = (each: ts.Node): void => {
    nodes.push(each);
    ts.forEachChild(each, visit);
  };
  visit(node);
  return nodes;
}

const hasBody = (node: ts.Node): node is ts.FunctionLikeDeclaration =>
  ts.isFunctionLike(node) && "body" in node && node.body !== undefined;

/** An arrow function is named by its variable. */
function toName(node: ts.FunctionLikeDeclaration): string {
  const { parent } = node;
  const name = node.name ?? (ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent) ? parent.name : null);
  return name?.getText() ?? "a function";
}

function countLines(file: ts.SourceFile, node: ts.Node): number {
  const [first, last] = [node.getStart(file), node.getEnd()].map((at) => file.getLineAndCharacterOfPosition(at).line);
  return (last ?? 0) - (first ?? 0) + 1;
}

function toImport(node: ts.Node): ModuleImport[] {
  if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
    return [{ specifier: node.moduleSpecifier.text, isTypeOnly: isTypeOnly(node.importClause) }];
  }
  if (ts.isExportDeclaration(node) && node.moduleSpecifier && ts.isStringLiteral(node.moduleSpecifier)) {
    return [{ specifier: node.moduleSpecifier.text, isTypeOnly: node.isTypeOnly }];
  }
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument) && ts.isStringLiteral(node.argument.literal)) {
    return [{ specifier: node.argument.literal.text, isTypeOnly: true }];
  }
  const [argument] = ts.isCallExpression(node) && isLoading(node.expression) ? node.arguments : [];
  return argument && ts.isStringLiteralLike(argument) ? [{ specifier: argument.text, isTypeOnly: false }] : [];
}

function isLoading(callee: ts.Expression): boolean {
  return callee.kind === ts.SyntaxKind.ImportKeyword || (ts.isIdentifier(callee) && callee.text === "require");
}

function isTypeOnly(clause: ts.ImportClause | undefined): boolean {
  if (!clause) return false;
  if (clause.isTypeOnly) return true;
  const bindings = clause.namedBindings;
  if (clause.name || !bindings || !ts.isNamedImports(bindings)) return false;
  return bindings.elements.length > 0 && bindings.elements.every((element) => element.isTypeOnly);
}

/** `Excel` in `Excel.run` and `Excel.Range` is a free name; in `labels.Excel` or `{ Excel: 1 }` it is not. */
function isFreeName(node: ts.Node): node is ts.Identifier {
  if (!ts.isIdentifier(node)) return false;
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node || isGlobalObject(parent.expression);
  if (ts.isQualifiedName(parent)) return parent.left === node;
  return !ts.isPropertyAssignment(parent) || parent.name !== node;
}

function isGlobalObject(node: ts.Expression): boolean {
  return ts.isIdentifier(node) && ["globalThis", "window", "self"].includes(node.text);
}

function resolve(from: string, specifier: string, known: Set<string>): string | undefined {
  if (!specifier.startsWith(".")) return undefined;
  const target = posix.join(posix.dirname(from), specifier);
  return ENDINGS.map((ending) => target + ending).find((path) => known.has(path)) ?? target;
}
