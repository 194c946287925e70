import { createHash } from "node:crypto";
import type { Texts } from "./texts";

/** The system's own colours, so that dark and forced ones are right by themselves. */
const STYLE = `:root{color-scheme:light dark}
body{margin:0;background:Canvas;color:CanvasText;font:1rem/1.5 system-ui,sans-serif}
main{max-width:34rem;margin:0 auto;padding:2rem 1rem}
h1{font-size:1.25rem}
output{display:block;margin:1.5rem 0;padding:1rem;border:1px solid;border-radius:.5rem;text-align:center;font:700 2.25rem/1.2 ui-monospace,monospace;letter-spacing:.1em;user-select:all;overflow-wrap:anywhere}`;

/** For pages that run nothing, load nothing, send nothing and are framed by nobody; what they hold is for one pair of eyes. */
export const PAGE_HEADERS = {
  "cache-control": "no-store",
  "content-security-policy": `default-src 'none'; style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  "cross-origin-opener-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

/**
 * Makes the page that shows somebody the code for the pane.
 * @param untilMs When the code ends, in milliseconds since 1970.
 */
export function toCodePage(texts: Texts, name: string, code: string, untilMs: number): string {
  const until = new Date(untilMs).toISOString().slice(11, 16);
  return toPage(
    texts,
    `<p>${escapeHtml(texts.name(name))}</p>
<output aria-label="${escapeHtml(texts.code)}">${escapeHtml(code)}</output>
<p>${escapeHtml(texts.advice(until))}</p>`,
  );
}

/**
 * Makes the page that says in a sentence why somebody is not signed in.
 * @param pane For which they may try again; null where only the pane itself leads there.
 */
export function toFaultPage(texts: Texts, fault: keyof Texts["faults"], pane: string | null): string {
  const again = pane && `\n<p><a href="/sign-in?pane=${escapeHtml(pane)}">${escapeHtml(texts.again)}</a></p>`;
  return toPage(texts, `<p>${escapeHtml(texts.faults[fault])}</p>${again ?? ""}`);
}

function toPage({ language, title }: Texts, content: string): string {
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${content}
</main>
</body>
</html>
`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** A name comes from elsewhere. */
function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => ESCAPES[sign]!);
}
