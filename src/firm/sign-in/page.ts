import { createHash } from "node:crypto";
import type { SignInFault } from "./refusal";

/** Uses the system's colours, which include dark and forced ones. */
const STYLE = `:root{color-scheme:light dark}
body{margin:0;background:Canvas;color:CanvasText;font:1rem/1.5 system-ui,sans-serif}
main{max-width:34rem;margin:0 auto;padding:2rem 1rem}
h1{font-size:1.25rem}
output{display:block;margin:1.5rem 0;padding:1rem;border:1px solid;border-radius:.5rem;text-align:center;font:700 2.25rem/1.2 ui-monospace,monospace;letter-spacing:.1em;user-select:all;overflow-wrap:anywhere}`;

/** Headers of pages that run, load and send nothing, cannot be framed, and must not be cached. */
export const PAGE_HEADERS = {
  "cache-control": "no-store",
  "content-security-policy": `default-src 'none'; style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  "cross-origin-opener-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

/**
 * Creates the page with a person's pairing code.
 * @param untilMs End of the code, in milliseconds since 1970.
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
 * Creates the page that says why a sign-in failed.
 * @param pane The pane to try again for; null where only the pane itself leads there.
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

/** A person's name is foreign text. */
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** The texts of the sign-in pages, in one language. */
export interface Texts {
  language: string;
  title: string;
  /** The sentence with the person's name. */
  name: (name: string) => string;
  code: string;
  /** Where to enter the code, and until when (UTC, "09:30"). */
  advice: (until: string) => string;
  again: string;
  faults: Readonly<Record<SignInFault | "busy" | "address", string>>;
}

const ENGLISH: Texts = {
  language: "en",
  title: "Signing in to FEED for Excel",
  name: (name) => `You are signed in as ${name}.`,
  code: "Pairing code",
  advice: (until) =>
    `Enter this code in the FEED pane in Excel within five minutes (until ${until} UTC); then close this page. Give it to nobody: whoever enters it reads in your name.`,
  again: "Sign in again",
  faults: {
    begin: "Signing in begins in the FEED pane in Excel: press Sign in there.",
    declined:
      "Your organisation's sign-in service declined: ask your administrator whether you may use FEED for Excel.",
    unfit: "You are signed in, but not for FEED for Excel: ask your administrator, whose companion's log says why.",
    ended: "This sign-in has ended, or was begun in another browser: sign in again.",
    unreachable: "Your organisation's sign-in service does not answer: try again in a few minutes.",
    failed: "Signing in failed: ask your administrator, whose companion's log says why.",
    busy: "Too many people signed in from here within a minute: wait a minute, then sign in again.",
    address: "This page is not here: open the address that the FEED pane shows.",
  },
};

const JAPANESE: Texts = {
  language: "ja",
  title: "FEED for Excel へのサインイン",
  name: (name) => `${name} としてサインインしました。`,
  code: "ペアリング コード",
  advice: (until) =>
    `このコードを 5 分以内(${until} UTC まで)に Excel の FEED ペインに入力してから、このページを閉じてください。ほかの人には教えないでください。入力した人は、あなたの名前でデータを読み取ります。`,
  again: "もう一度サインインする",
  faults: {
    begin: "サインインは Excel の FEED ペインから始めます。そこで［サインイン］を押してください。",
    declined:
      "組織のサインイン サービスが拒否しました。FEED for Excel を使用できるかどうか、管理者に確認してください。",
    unfit:
      "サインインしましたが、FEED for Excel の使用は許可されていません。管理者に確認してください。理由はコンパニオンのログにあります。",
    ended: "このサインインは終了しているか、別のブラウザーで開始されたものです。もう一度サインインしてください。",
    unreachable: "組織のサインイン サービスが応答しません。数分後にもう一度お試しください。",
    failed: "サインインに失敗しました。管理者に確認してください。理由はコンパニオンのログにあります。",
    busy: "1 分間にサインインした人が多すぎます。1 分待ってから、もう一度サインインしてください。",
    address: "このページはありません。FEED ペインに表示されるアドレスを開いてください。",
  },
};

/** Picks the browser's first language; English unless that is Japanese. */
export function pickTexts(acceptLanguage: string | undefined): Texts {
  return /^\s*ja\b/i.test(acceptLanguage ?? "") ? JAPANESE : ENGLISH;
}
