import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

const SOURCES = join(__dirname, "../../src");
/** The rooms whose errors a cell or the pane shows. */
const ROOMS = ["client", "feed", "session", "functions", "taskpane"];

/** Lists the templates of all messages in the sources, each once. */
export function listTemplates(): string[] {
  const files = ROOMS.flatMap((room) => listFiles(join(SOURCES, room)));
  return [...new Set(files.flatMap((file) => readTags(parse(file))))];
}

/** Lists the places where an error is made from a text that no catalogue has: "src/client/http.ts:12". */
export function listUntranslatable(): string[] {
  const files = ROOMS.flatMap((room) => listFiles(join(SOURCES, room)));
  return files.flatMap((file) => {
    const source = parse(file);
    const isText = (node: ts.Node) => ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);
    const errors = collect(source, ts.isNewExpression).filter(({ expression }) => ERROR.test(expression.getText()));
    const plain = errors.filter(({ arguments: given = [] }) => given.some((node) => isText(node) && !isCode(node)));
    return plain.map((node) => `${file}:${source.getLineAndCharacterOfPosition(node.pos).line + 1}`);
  });
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
