/** The facts of a letter that carries a public key to the provider. */
interface Letter {
  bits: number;
  thumbprint: string;
  publicKeyPem: string;
  /** The client of a second key; null for a client without an id yet. */
  client: { clientId: string; keyId: string } | null;
}

const en = {
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

const ja: typeof en = {
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

export const setUpTexts = { en, ja };
