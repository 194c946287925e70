import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

const SOURCES = join(__dirname, "../../src");
/** The rooms whose errors a cell or the pane shows. */
const ROOMS = ["client", "feed", "session", "functions", "taskpane"];

/** Lists the templates of all messages in the sources, each once. */
export function listTemplates(): string[] {
  return [...new Set(parseAll().flatMap(readTags))];
}

/** Lists the places where an error is made from a text that no catalogue has: "src/client/http.ts:12". */
export function listUntranslatable(): string[] {
  return parseAll().flatMap((source) => {
    const isText = (node: ts.Node) => ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);
    const errors = collect(source, ts.isNewExpression).filter(({ expression }) => ERROR.test(expression.getText()));
    const plain = errors.filter(({ arguments: given = [] }) => given.some((node) => isText(node) && !isCode(node)));
    return plain.map((node) => `${source.fileName}:${source.getLineAndCharacterOfPosition(node.pos).line + 1}`);
  });
}

let parsed: ts.SourceFile[] | null = null;

/** Parses the rooms' files once for all lists. */
function parseAll(): ts.SourceFile[] {
  parsed ??= ROOMS.flatMap((room) => listFiles(join(SOURCES, room))).map(parse);
  return parsed;
}

const ERROR = /^(Feed|Argument|Session|Signer|Token|Request|Decode|NoValue)Error$/;

const isCode = (node: ts.Node) => ts.isStringLiteralLike(node) && /^FEED_[A-Z_]+$/.test(node.text);

const listFiles = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(folder, name));

const parse = (file: string) => ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.ES2022, true);

function readTags(source: ts.SourceFile): string[] {
  const tagged = collect(source, ts.isTaggedTemplateExpression).filter(({ tag }) => tag.getText() === "msg");
  return tagged.map(({ template }) =>
    ts.isNoSubstitutionTemplateLiteral(template)
      ? template.text
      : template.templateSpans.reduce(
          (text, { literal }, index) => `${text}{${index}}${literal.text}`,
          template.head.text,
        ),
  );
}

function collect<T extends ts.Node>(root: ts.Node, is: (node: ts.Node) => node is T): T[] {
  const found: T[] = is(root) ? [root] : [];
  ts.forEachChild(root, (child) => {
    found.push(...collect(child, is));
  });
  return found;
}
