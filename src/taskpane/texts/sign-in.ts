const en = {
  byOffice: "Your firm gives access to persons. Sign in with the account that you use in Office.",
  byBrowser: "Your firm gives access to persons. Sign in in the browser, then enter the code that it shows.",
  signIn: "Sign in",
  inBrowser: "Use the browser instead",
  signingIn: "Signing in…",
  notByOffice: "Office did not sign you in. Sign in in the browser instead, then enter the code that it shows.",
  refused:
    "The companion did not take the sign-in of Office. Sign in in the browser instead, or ask your IT department.",
  codeHint: "The browser shows it once you have signed in; it lasts five minutes.",
  codeRefused: "That is not the code, or it has ended. Sign in again for a new one.",
};

const ja: typeof en = {
  byOffice:
    "このデータは、所属組織で利用を許可された方のみ利用できます。Office で使用しているアカウントでサインインしてください。",
  byBrowser:
    "このデータは、所属組織で利用を許可された方のみ利用できます。ブラウザーでサインインし、表示されたコードを入力してください。",
  signIn: "サインイン",
  inBrowser: "代わりにブラウザーを使う",
  signingIn: "サインインしています…",
  notByOffice:
    "Office ではサインインできませんでした。代わりにブラウザーでサインインし、表示されたコードを入力してください。",
  refused:
    "Office でのサインインがコンパニオンで拒否されました。代わりにブラウザーでサインインするか、IT 部門にお問い合わせください。",
  codeHint: "サインインするとブラウザーに表示され、5 分間有効です。",
  codeRefused: "コードが違うか、期限が切れています。もう一度サインインすると、新しいコードが表示されます。",
};

export const signInTexts = { en, ja };
