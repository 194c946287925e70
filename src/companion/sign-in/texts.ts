import type { SignInFault } from "./sign-in-refusal";

/** What the pages of signing in say, in one language. */
export interface Texts {
  language: string;
  title: string;
  /** Who signed in. */
  name: (name: string) => string;
  code: string;
  /** Where the code goes, and until when (UTC, "09:30"). */
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

/** Picks the language that a browser asks for first, English where that is neither. */
export function pickTexts(acceptLanguage: string | undefined): Texts {
  return /^\s*ja\b/i.test(acceptLanguage ?? "") ? JAPANESE : ENGLISH;
}
