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
