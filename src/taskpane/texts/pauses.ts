const en = {
  reasons: {
    asked: (family: string) => `${family}: the provider asks to wait.`,
    failing: (family: string) => `${family}: the provider keeps failing. Cells keep the values they have.`,
    unreachable: (family: string) => `${family}: no answer comes through. Cells keep the values they have.`,
  },
  goesOn: (time: string) => `Goes on by itself in ${time}.`,
  trying: "Trying now…",
  tryNow: "Try now",
};

const ja: typeof en = {
  reasons: {
    asked: (family) => `${family}: データ提供元から待機を求められています。`,
    failing: (family) => `${family}: データ提供元のエラーが続いています。セルの値はそのまま残ります。`,
    unreachable: (family) => `${family}: 応答が得られない状態が続いています。セルの値はそのまま残ります。`,
  },
  goesOn: (time) => `あと ${time} で自動的に再開します。`,
  trying: "再試行しています…",
  tryNow: "今すぐ再試行",
};

export const pausesTexts = { en, ja };
