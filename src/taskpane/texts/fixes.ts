const en = {
  drifts: (times: number) =>
    `Recalculations have entered it ${times} times in a row, each time with other arguments, as with NOW() or RAND(); it waits longer each time. Round such an argument, as INT(NOW()), give "-7d" in place of dates, or type its value.`,
  dependsOn: (place: string) => `It depends on ${place}, which shows an error. Correct that cell first.`,
  dependsOnOther: "One of its arguments is an error. Correct that argument first.",
  blocked: "Its table does not fit: other cells are in the way, or the sheet ends. Empty them, or move the formula.",
  lost: (code: string) => `FEED has handed over a value, but the cell shows ${code}.`,
  outer: (code: string) => `FEED has answered; the rest of the cell's formula gives ${code}.`,
  goTo: (place: string) => `Go to ${place}`,
  makeRoom: "Show what is in the way",
  repair: "Repair formulas",
  correct: "Correct the formula",
  correction: (name: string) => `Writes “${name}” in place of the name`,
  buildIndex: "Build the index in Find",
  decide: "Decide",
  connect: "Connect",
  settings: "Show settings",
  refresh: "Refresh this",
};

const ja: typeof en = {
  drifts: (times) =>
    `NOW() や RAND() のように再計算のたびに引数が変わり、続けて ${times} 回入力し直されたため、取得までの待ち時間を延ばしています。INT(NOW()) のように丸めるか、日付の代わりに "-7d" を使うか、値を直接入力してください。`,
  dependsOn: (place) => `参照先の ${place} がエラーです。先にそのセルを修正してください。`,
  dependsOnOther: "引数がエラーです。先にその引数を修正してください。",
  blocked:
    "ほかのセルに内容があるか、シートの端を超えるため、表を表示できません。そのセルを空にするか、数式を移動してください。",
  lost: (code) => `値は取得済みですが、セルには ${code} が表示されています。`,
  outer: (code) => `値は取得済みですが、セルの数式のほかの部分が ${code} になっています。`,
  goTo: (place) => `${place} に移動`,
  makeRoom: "妨げているセルを表示",
  repair: "数式を修復",
  correct: "数式を修正",
  correction: (name) => `企業名を「${name}」に置き換えます`,
  buildIndex: "「検索」で索引を作成",
  decide: "選択する",
  connect: "接続",
  settings: "「設定」を表示",
  refresh: "この値を更新",
};

export const fixesTexts = { en, ja };
