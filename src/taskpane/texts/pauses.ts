const en = {
  reasons: {
    asked: (families: readonly string[]) =>
      `${families.join(", ")}: the provider has asked for a pause. Cells keep the values they have.`,
    failing: (families: readonly string[]) =>
      `${families.join(", ")}: the provider keeps failing. Cells keep the values they have.`,
    unreachable: (families: readonly string[]) =>
      `${families.join(", ")}: the provider cannot be reached. Check the network. Cells keep the values they have.`,
  },
  goesOn: (time: string) => `Goes on by itself in ${time}.`,
  allGoOn: (time: string) => `All of it goes on by itself within ${time}.`,
  trying: "Trying now…",
  tryNow: "Try now",
};

const ja: typeof en = {
  reasons: {
    asked: (families) => `${families.join("、")}: データ提供元から待機を求められています。セルの値はそのまま残ります。`,
    failing: (families) => `${families.join("、")}: データ提供元のエラーが続いています。セルの値はそのまま残ります。`,
    unreachable: (families) =>
      `${families.join("、")}: 応答が得られない状態が続いています。ネットワークを確認してください。セルの値はそのまま残ります。`,
  },
  goesOn: (time) => `あと ${time} で自動的に再開します。`,
  allGoOn: (time) => `${time} 以内にすべて自動的に再開します。`,
  trying: "再試行しています…",
  tryNow: "今すぐ再試行",
};

export const pausesTexts = { en, ja };
