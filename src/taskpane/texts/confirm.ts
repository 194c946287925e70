import { count } from "./quantities";

const requests = (number: number) => count(number, "request");

const en = {
  sample: "sample data",
  requests: (number: number, limit: number) =>
    `What the cells ask for takes about ${requests(number)}. More than ${limit.toLocaleString("en")} are sent only when ` +
    "you confirm them; how many that is can be changed in Settings.",
  send: (number: number) => `Send about ${requests(number)}`,
  notNow: "Not now",
  requestsDeclined: (number: number) =>
    `About ${requests(number)} wait for you. Their cells show #N/A, or the values of before.`,
  provider: (from: string, to: string) =>
    `The figures of this workbook are from ${from}, and the pane is connected to ${to}. Until you decide, FEED cells ` +
    "show #N/A, and nothing is asked.",
  adopt: (to: string) => `Use ${to} for this workbook`,
  leave: "Leave it",
  providerDeclined: (from: string) => `FEED cells show #N/A, since the figures of this workbook are from ${from}.`,
  decide: "Decide",
  held: "Nothing has been asked yet: confirm it above.",
};

const jaRequests = (number: number) => `${number.toLocaleString("ja")} 件のリクエスト`;

const ja: typeof en = {
  sample: "サンプルデータ",
  requests: (number, limit) =>
    `セルの問い合わせには約 ${jaRequests(number)}が必要です。${limit.toLocaleString("ja")} 件を超える場合は、確認後に` +
    "送信します(件数は「設定」で変更できます)。",
  send: (number) => `約 ${jaRequests(number)}を送信`,
  notNow: "後で",
  requestsDeclined: (number) =>
    `約 ${jaRequests(number)}が確認待ちです。該当するセルには #N/A または以前の値が表示されます。`,
  provider: (from, to) =>
    `このブックの数値は ${from} のものですが、現在の接続先は ${to} です。選択するまで、FEED のセルには #N/A が` +
    "表示され、データは取得されません。",
  adopt: (to) => `このブックで ${to} を使う`,
  leave: "このままにする",
  providerDeclined: (from) => `このブックの数値は ${from} のものであるため、FEED のセルには #N/A が表示されています。`,
  decide: "選択する",
  held: "まだ問い合わせていません。上で確認してください。",
};

export const confirmTexts = { en, ja };
