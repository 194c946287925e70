import { familiesTexts } from "./families";
import { setUpTexts } from "./set-up";

const nothing = (why: string, cure: string) => ({
  what: `This page keeps nothing (${why}): values are asked for again when a workbook is opened.`,
  cure,
});

const en = {
  setUp: setUpTexts.en,
  diagnostics: "Diagnostics",
  steps: "Steps of connecting",
  clock: {
    ahead: (span: string) => `The clock of the companion's computer is ${span} ahead.`,
    behind: (span: string) => `The clock of the companion's computer is ${span} behind.`,
    corrected: (off: string) =>
      `${off} Set it by network time. Until then, requests for a token are signed by the provider's time.`,
    tooFar: (off: string) =>
      `${off} That is too far to sign by the provider's time: set it by network time, then connect again.`,
  },
  eachSite:
    "Excel on the web: each site that Excel runs at is paired by itself, so that another site asks for a code again.",
  localNetwork:
    "Excel on the web: the browser may block the companion, as after Deny in its question. Press the icon left of the " +
    "address, open the site's settings and allow local network access, which newer versions call apps and services on " +
    "this device. Then reload the page.",
  access: {
    title: "What this client may read",
    all: "all data",
    families: {
      ...familiesTexts.en,
      rankings: "Company rankings",
      rankingPages: "Rankings by page type",
      rankingIndustries: "Industry rankings",
      walkThrough: "/private-company/v1/companies",
    },
    walkThroughHint: "The path of the provider's walk-through; no formula needs it.",
    states: { unknown: "not tried yet", asking: "asking", allowed: "", refused: "not allowed", failed: "failed" },
    refusedHint: "Ask your administrator or the provider for what is not allowed; all else works without it.",
    checked: (ago: string) => `Checked ${ago}.`,
    again: "Check again",
    tryWalkThrough: "Try",
  },
  persisted: {
    title: "Kept on this computer",
    text: "Answers and indexes of names, so that workbooks open at once and without a network. Tokens and persons' contact data are never kept.",
    nothing: {
      absent: nothing(
        "there is no storage",
        "To change that, open it in a browser that keeps data, and not in a private window.",
      ),
      blocked: nothing(
        "storage is blocked",
        "To change that, allow this page to store data in the browser's settings.",
      ),
      full: nothing("storage is full", "To change that, free some space on this computer, then press Forget."),
      silent: nothing("storage does not answer", "To change that, close the workbook and open it again."),
      newer: nothing(
        "a newer version of the add-in has kept what is there",
        "To change that, close the workbook and open it again.",
      ),
      damaged: nothing("what was kept is damaged", "To begin anew, press Forget."),
      unknown: nothing("storage cannot be used", "To change that, close the workbook and open it again."),
    },
    size: (megabytes: string) => `About ${megabytes} for all workbooks of this computer.`,
    before: (megabytes: string) => `Kept from before: about ${megabytes}.`,
    measuring: "Measuring…",
    forget: "Forget…",
    confirmation: {
      title: "Forget what is kept?",
      text: "Cells keep their values. The next time a workbook opens, all its data is asked for again, and indexes of names are built anew.",
      yes: "Forget",
      no: "Keep it",
    },
    gone: "Forgotten. What is asked for from now on is kept again.",
    stayed: "Not all of it could be deleted. Close other windows in which the add-in is open, then try again.",
  },
  sample: {
    title: "Your own data",
    text: "Formulas show sample data for now. With access to the Data Feed API, connect to your provider: the pane leads through it.",
    begin: "Connect to a provider…",
    locked:
      "Formulas show sample data for now. Which provider this companion serves is set where it is started: ask who runs it, in a firm the IT department.",
  },
  provider: {
    lockedAll:
      "Set where the companion is started. To have it changed, ask who runs the companion, in a firm the IT department.",
    change: "Change…",
    secondKey: "Second key…",
    toSample: "Use sample data…",
    sampleReturn: {
      title: "Back to sample data?",
      text: "The companion forgets base URL, client id and key id, and pairing ends; the keys stay. Cells show generated figures from then on. You can enter all of it again.",
      yes: "Use sample data",
      no: "Keep the provider",
    },
  },
};

const nothingJa = (why: string, cure: string) => ({
  what: `${why}、このページでは何も保存されません。値は、ブックを開くたびに取得し直します。`,
  cure,
});

const ja: typeof en = {
  setUp: setUpTexts.ja,
  diagnostics: "診断",
  steps: "接続の手順",
  clock: {
    ahead: (span) => `コンパニオンのコンピューターの時計が ${span}進んでいます。`,
    behind: (span) => `コンパニオンのコンピューターの時計が ${span}遅れています。`,
    corrected: (off) =>
      `${off}時計をネットワークの時刻に合わせてください。それまでは、データ提供元の時刻で署名します。`,
    tooFar: (off) =>
      `${off}差が大きすぎるため、データ提供元の時刻では署名できません。時計をネットワークの時刻に合わせてから、もう一度接続してください。`,
  },
  eachSite:
    "Web 版 Excel では、Excel を開いているサイトごとにペアリングします。別のサイトでは、もう一度コードの入力が必要です。",
  localNetwork:
    "Web 版 Excel では、確認で「拒否」を選んだ場合など、ブラウザーがコンパニオンへの接続をブロックすることがあります。" +
    "アドレスの左のアイコンからサイトの設定を開き、ローカル ネットワーク アクセス（新しいバージョンでは、このデバイス上のアプリやサービス）を許可して、" +
    "ページを再読み込みしてください。",
  access: {
    title: "利用できるデータ",
    all: "すべてのデータ",
    families: {
      ...familiesTexts.ja,
      rankings: "企業ランキング",
      rankingPages: "ページ種別ごとのランキング",
      rankingIndustries: "業種ランキング",
      walkThrough: "/private-company/v1/companies",
    },
    walkThroughHint: "データ提供元の手引きに出てくるパスで、数式では使いません。",
    states: { unknown: "未確認", asking: "確認中", allowed: "", refused: "利用権限なし", failed: "失敗" },
    refusedHint: "利用権限のないデータは、管理者またはデータ提供元に依頼してください。ほかのデータはそのまま使えます。",
    checked: (ago) => `確認: ${ago}`,
    again: "もう一度確認",
    tryWalkThrough: "確認",
  },
  persisted: {
    title: "このコンピューターに保存されているデータ",
    text: "ブックをすぐに、ネットワークがなくても開けるように、取得したデータと企業名の索引を保存しています。トークンと個人の連絡先は保存しません。",
    nothing: {
      absent: nothingJa(
        "保存領域がないため",
        "保存するには、プライベート ウィンドウ以外の、データを保存できるブラウザーで開いてください。",
      ),
      blocked: nothingJa(
        "ブラウザーの保存領域へのアクセスが許可されていないため",
        "保存するには、ブラウザーの設定でこのページのデータの保存を許可してください。",
      ),
      full: nothingJa(
        "保存領域がいっぱいのため",
        "保存するには、このコンピューターの空き容量を増やしてから「削除」を押してください。",
      ),
      silent: nothingJa("保存領域が応答しないため", "保存するには、ブックを閉じて開き直してください。"),
      newer: nothingJa(
        "新しいバージョンのアドインで保存されたデータがあるため",
        "保存するには、ブックを閉じて開き直してください。",
      ),
      damaged: nothingJa("保存されたデータが壊れているため", "保存し直すには「削除」を押してください。"),
      unknown: nothingJa("保存領域を使用できないため", "保存するには、ブックを閉じて開き直してください。"),
    },
    size: (megabytes) => `このコンピューターのすべてのブックで約 ${megabytes} です。`,
    before: (megabytes) => `以前に保存されたデータは約 ${megabytes} です。`,
    measuring: "計算中…",
    forget: "削除…",
    confirmation: {
      title: "保存されているデータを削除しますか?",
      text: "セルの値はそのまま残ります。次にブックを開くと、すべてのデータを取得し直し、企業名の索引も作り直します。",
      yes: "削除",
      no: "残す",
    },
    gone: "削除しました。今後取得したデータは、再び保存されます。",
    stayed: "一部を削除できませんでした。アドインを開いているほかのウィンドウを閉じて、もう一度お試しください。",
  },
  sample: {
    title: "実際のデータ",
    text: "現在はサンプルデータを表示しています。Data Feed API をご契約の場合は、ここからデータ提供元に接続できます。",
    begin: "データ提供元に接続…",
    locked:
      "現在はサンプルデータを表示しています。データ提供元は、コンパニオンの起動時に設定されます。コンパニオンの管理者(社内では IT 部門)に依頼してください。",
  },
  provider: {
    lockedAll:
      "コンパニオンの起動時に設定されています。変更は、コンパニオンの管理者(社内では IT 部門)に依頼してください。",
    change: "変更…",
    secondKey: "2 つ目の鍵…",
    toSample: "サンプルデータを使う…",
    sampleReturn: {
      title: "サンプルデータに戻しますか?",
      text: "コンパニオンからベース URL、クライアント ID、キー ID が削除され、ペアリングも解除されます(鍵は残ります)。以後、セルには生成された数値が表示されます。設定は後で入力し直せます。",
      yes: "サンプルデータを使う",
      no: "このまま使う",
    },
  },
};

export const settingsTexts = { en, ja };
