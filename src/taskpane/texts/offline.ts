const en = {
  since: (time: string) => `Offline since ${time}. Cells show what came before; they go on when the network is back.`,
  notConnected: "Not connected, since there is no network. The pane connects by itself when it is back.",
  nothingSent: "There is no network, so nothing was asked. Cells keep their values.",
};

const ja: typeof en = {
  since: (time) =>
    `${time} からオフラインです。セルには以前に取得した値が表示されます。ネットワークが復旧すると再開します。`,
  notConnected: "ネットワークがないため、接続していません。復旧すると自動で接続します。",
  nothingSent: "ネットワークがないため、問い合わせていません。セルの値はそのまま残ります。",
};

export const offlineTexts = { en, ja };
