/** The facts of a letter that carries a public key to the provider. */
interface Letter {
  bits: number;
  thumbprint: string;
  publicKeyPem: string;
  /** The client of a second key; null for a client without an id yet. */
  client: { clientId: string; keyId: string } | null;
}

const setUp = {
  titles: { provider: "Connect to a provider", change: "Change the connection", secondKey: "Second key" },
  back: "Back to the settings",
  backHint: { provider: "Nothing is lost: you can go on later.", change: "", secondKey: "" },
  pair: "Pair this pane with the companion",
  pairHint: "Only a paired pane may change what the companion does.",
  key: "Create a key pair",
  keyHint:
    "The private key is made in the companion and stays there. This pane never sees it. If you have a private key already, name its file in the companion's settings, as the help page “Connect your provider” says.",
  createKey: "Create a key pair",
  createAnother: "Create another one",
  creating: "Creating the key pair…",
  keyChoice: "Key",
  keyFacts: (bits: number, day: string) => `RSA, ${bits} bits, created ${day}`,
  send: "Send the public key to the provider",
  sendHint: "By whatever way your provider asks for: a public key is no secret.",
  copyText: "Copy a text to send",
  copyPem: "Copy the key alone (PEM)",
  showText: "Show the text",
  letter: ({ bits, thumbprint, publicKeyPem, client }: Letter) =>
    `${
      client === null
        ? "Please register this public key for our client of the Data Feed API."
        : `Please register this public key as a second one for our client "${client.clientId}" of the Data Feed API. The present key ("${client.keyId}") stays in use until the new one is accepted.`
    }

Algorithm: RS256 (RSA, ${bits} bits)
Thumbprint (RFC 7638, SHA-256): ${thumbprint}

${publicKeyPem.trim()}

${client === null ? "Please send us the base URL, the client id and the key id (kid)." : "Please send us its key id (kid)."}
`,
  enter: "Enter what the provider sends back",
  enterHint: {
    provider: "Then the companion prints a new pairing code, which this pane asks for.",
    change: "With another base URL the companion prints a new pairing code, which this pane asks for.",
    secondKey: "The new key signs from then on; the present one stays as the previous key until the provider takes it.",
  },
  fields: { baseUrl: "Base URL", clientId: "Client id", keyId: "Key id" },
  baseUrlHint: "Without /token at its end.",
  given: "given where the companion is started",
  save: "Save and connect",
  mistakes: {
    missing: (field: string) => `${field} is missing: the provider gives it to you.`,
    noAddress: (_field: string) => "Write an address such as https://feed.example.com.",
    insecure: (_field: string) => "The address must begin with https://.",
    crowded: (_field: string) => "The address must hold no user name, password, ? or #.",
    endpoint: (_field: string) => "Leave /token out: the companion adds it.",
    unprintable: (field: string) => `${field} must be one line of at most 200 printable characters.`,
    same: (_field: string) => "That is the present key's id. Enter the one that the provider gave the new key.",
  },
};

const setUpJa: typeof setUp = {
  titles: { provider: "データ提供元に接続", change: "接続情報の変更", secondKey: "2 つ目の鍵" },
  back: "設定に戻る",
  backHint: { provider: "途中で戻っても、続きから再開できます。", change: "", secondKey: "" },
  pair: "コンパニオンとペアリング",
  pairHint: "コンパニオンの設定を変更できるのは、ペアリング済みの作業ウィンドウだけです。",
  key: "鍵ペアを作成",
  keyHint:
    "秘密鍵はコンパニオンの中で作成され、外に出ることはありません。この作業ウィンドウにも渡されません。秘密鍵がすでにある場合は、コンパニオンの設定でそのファイルを指定してください。手順はヘルプの「Connect your provider」にあります。",
  createKey: "鍵ペアを作成",
  createAnother: "別の鍵ペアを作成",
  creating: "鍵ペアを作成しています…",
  keyChoice: "鍵",
  keyFacts: (bits, day) => `RSA ${bits} ビット、${day} 作成`,
  send: "公開鍵をデータ提供元に送る",
  sendHint: "データ提供元が指定する方法で送ってください。公開鍵は秘密ではありません。",
  copyText: "送付用の文面をコピー",
  copyPem: "公開鍵だけをコピー (PEM)",
  showText: "文面を表示",
  letter: ({ bits, thumbprint, publicKeyPem, client }) =>
    `${
      client === null
        ? "Data Feed API の当社クライアントに、次の公開鍵の登録をお願いいたします。"
        : `Data Feed API の当社クライアント「${client.clientId}」に、2 つ目の公開鍵の登録をお願いいたします。新しい鍵が有効になるまで、現在の鍵 (${client.keyId}) を引き続き使用します。`
    }

アルゴリズム: RS256 (RSA ${bits} ビット)
拇印 (RFC 7638, SHA-256): ${thumbprint}

${publicKeyPem.trim()}

${client === null ? "ベース URL、クライアント ID、キー ID (kid) をお知らせください。" : "キー ID (kid) をお知らせください。"}
`,
  enter: "データ提供元から通知された情報を入力",
  enterHint: {
    provider: "保存すると、コンパニオンに新しいペアリングコードが表示され、ここで入力を求められます。",
    change: "ベース URL を変更すると、コンパニオンに新しいペアリングコードが表示され、ここで入力を求められます。",
    secondKey: "保存後は新しい鍵で署名します。データ提供元が受け付けるまで、現在の鍵も以前の鍵として残ります。",
  },
  fields: { baseUrl: "ベース URL", clientId: "クライアント ID", keyId: "キー ID" },
  baseUrlHint: "末尾の /token は不要です。",
  given: "コンパニオンの起動時に設定",
  save: "保存して接続",
  mistakes: {
    missing: (field) => `${field} を入力してください。データ提供元から通知されます。`,
    noAddress: () => "https://feed.example.com のようなアドレスを入力してください。",
    insecure: () => "アドレスは https:// で始まる必要があります。",
    crowded: () => "アドレスにユーザー名、パスワード、?、# を含めないでください。",
    endpoint: () => "/token は除いてください。コンパニオンが付け加えます。",
    unprintable: (field) => `${field} は、印字できる 200 文字以内の 1 行で入力してください。`,
    same: () => "現在の鍵のキー ID です。新しい鍵に発行されたキー ID を入力してください。",
  },
};

const families = {
  financials: "Financials",
  rankings: "Rankings",
  companies: "Company records",
  taxonomies: "Industries",
  credentials: "Tokens",
};

const familiesJa: typeof families = {
  financials: "財務情報",
  rankings: "ランキング",
  companies: "企業情報",
  taxonomies: "産業分類",
  credentials: "トークン",
};

/** The names of the families of data, and of the tokens that all need. */
export const familiesTexts = { en: families, ja: familiesJa };

const nothing = (why: string, cure: string) => ({
  what: `This page keeps nothing (${why}): values are asked for again when a workbook is opened.`,
  cure,
});

const en = {
  setUp,
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
      ...families,
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
  sampleWeeks: {
    title: "Try a refresh",
    text: "Views and some figures change when a week passes. Let one pass to see what a refresh shows.",
    ahead: (weeks: number) => `The data are ${weeks === 1 ? "a week" : `${weeks} weeks`} ahead.`,
    on: "A week later",
    back: "Back to today",
    moved: {
      on: "The sample data are a week later. Refresh to see what has changed.",
      back: "The sample data are of today again. Refresh to see it.",
    },
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
  setUp: setUpJa,
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
      ...familiesJa,
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
  sampleWeeks: {
    title: "更新を試す",
    text: "1 週間たつと、ページビューと一部の数値が変わります。1 週間進めて更新すると、変化を確認できます。",
    ahead: (weeks) => `現在、データは ${weeks} 週間先です。`,
    on: "1 週間進める",
    back: "今日に戻す",
    moved: {
      on: "サンプルデータを 1 週間進めました。更新すると、変化を確認できます。",
      back: "サンプルデータを今日に戻しました。更新すると反映されます。",
    },
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
