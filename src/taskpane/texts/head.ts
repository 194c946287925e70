import { count } from "./quantities";

const en = {
  states: {
    idle: "Not connected",
    connecting: "Connecting…",
    connected: "Connected",
    disconnected: "Disconnected",
    failed: "Not connected",
    unpaired: "Not connected",
    offline: "Offline",
  },
  pausedUntil: (time: string) => `Paused until ${time}`,
  sample: "sample data",
  sampleHint: "Generated companies and figures; nothing here is real.",
  settings: "Settings",
  back: "Back",
  notConnected: {
    failed: "FEED is not connected. Cells keep their values; new ones come once it is.",
    unpaired: "FEED is not connected: the companion does not know this pane yet.",
    disconnected: "FEED is disconnected. Cells keep their values and get no new ones.",
  },
  /** @param name the provider, or sample data; null where that is not known */
  connectTo: (name: string | null) => (name === null ? "Connect…" : `Connect to ${name}…`),
};

const ja: typeof en = {
  states: {
    idle: "未接続",
    connecting: "接続しています…",
    connected: "接続済み",
    disconnected: "切断済み",
    failed: "未接続",
    unpaired: "未接続",
    offline: "オフライン",
  },
  pausedUntil: (time) => `${time} まで一時停止中`,
  sample: "サンプルデータ",
  sampleHint: "企業も数値も生成されたもので、実在しません。",
  settings: "設定",
  back: "戻る",
  notConnected: {
    failed: "FEED は接続されていません。セルの値はそのまま残り、接続すると新しい値を取得します。",
    unpaired: "FEED は接続されていません。この作業ウィンドウはまだコンパニオンとペアリングされていません。",
    disconnected: "FEED は切断されています。セルの値はそのまま残り、新しい値は取得しません。",
  },
  connectTo: (name) => (name === null ? "接続…" : `${name}に接続…`),
};

export const headTexts = { en, ja };

const offline = {
  since: (time: string) => `Offline since ${time}. Cells show what came before; they go on when the network is back.`,
  notConnected: "Not connected, since there is no network. The pane connects by itself when it is back.",
  nothingSent: "There is no network, so nothing was asked. Cells keep their values.",
};

const offlineJa: typeof offline = {
  since: (time) =>
    `${time} からオフラインです。セルには以前に取得した値が表示されます。ネットワークが復旧すると再開します。`,
  notConnected: "ネットワークがないため、接続していません。復旧すると自動で接続します。",
  nothingSent: "ネットワークがないため、問い合わせていません。セルの値はそのまま残ります。",
};

export const offlineTexts = { en: offline, ja: offlineJa };

const pauses = {
  reasons: {
    rateLimited: (families: readonly string[]) => `${families.join(", ")}: the provider has asked for a pause.`,
    failing: (families: readonly string[]) => `${families.join(", ")}: the provider keeps failing.`,
    unreachable: (families: readonly string[]) =>
      `${families.join(", ")}: the provider cannot be reached. Check the network.`,
  },
  /** @param cells number of cells that show an error for it */
  failed: (cells: number) => {
    if (cells === 0) return "Cells keep the values they have.";
    return `${count(cells, "cell shows", "cells show")} #N/A for that; the others keep their values.`;
  },
  goesOn: (time: string) => `Goes on by itself in ${time}.`,
  allGoOn: (time: string) => `All of it goes on by itself within ${time}.`,
  trying: "Trying now…",
  tryNow: "Try now",
};

const pausesJa: typeof pauses = {
  reasons: {
    rateLimited: (families) => `${families.join("、")}: データ提供元から待機を求められています。`,
    failing: (families) => `${families.join("、")}: データ提供元のエラーが続いています。`,
    unreachable: (families) =>
      `${families.join("、")}: 応答が得られない状態が続いています。ネットワークを確認してください。`,
  },
  failed: (cells) => {
    if (cells === 0) return "セルの値はそのまま残ります。";
    return `${cells.toLocaleString("ja")} 個のセルに #N/A が表示され、ほかのセルの値はそのまま残ります。`;
  },
  goesOn: (time) => `あと ${time} で自動的に再開します。`,
  allGoOn: (time) => `${time} 以内にすべて自動的に再開します。`,
  trying: "再試行しています…",
  tryNow: "今すぐ再試行",
};

export const pausesTexts = { en: pauses, ja: pausesJa };

const requests = (number: number) => count(number, "request");

const confirm = {
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

const confirmJa: typeof confirm = {
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

export const confirmTexts = { en: confirm, ja: confirmJa };
