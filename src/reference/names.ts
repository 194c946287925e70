import { MATCH_FIELDS, NAME_FIELDS } from "../feed/field-tables";
import type { MatchState } from "../feed/names";
import { type FormulaReference, HEADERS, OWN_COUNTRY, type Section, TOP_ALL } from "./formula";
import type { Text } from "./texts";

const REQUESTS = {
  en: "none once the country's index exists; building it costs one per 1,000 companies of each list, private and classified",
  ja: "国の企業名の索引があれば 0 回。索引の作成には、非上場企業と分類済み企業の各一覧の 1,000 社につき 1 回",
};

/** Names of a state by what was meant: its first candidate, another one, none of them, or no company of the index. */
interface Measured {
  right: number;
  listed: number;
  wrong: number;
  absent: number;
}

/** What the states were worth on synthetic names; a test measures it anew. */
export const MEASURED: { names: number; companies: number; states: Readonly<Record<MatchState, Measured>> } = {
  names: 2_000,
  companies: 9_300,
  states: {
    exact: { right: 232, listed: 0, wrong: 0, absent: 0 },
    sure: { right: 1_374, listed: 0, wrong: 0, absent: 0 },
    doubtful: { right: 151, listed: 51, wrong: 1, absent: 87 },
    none: { right: 0, listed: 0, wrong: 0, absent: 104 },
  },
};

const STATES: Readonly<Record<MatchState, Text>> = {
  exact: {
    en: "The name, id or code of one company alone, but for width, case and spaces. Or what you chose for this workbook.",
    ja: "全角と半角、大文字と小文字、空白の違いを除き、名称、ID、コードが 1 社だけに一致。またはこのブックで選んだ企業。",
  },
  sure: {
    en: "A similar name that fits one company clearly better than all others, or whose hints confirm it.",
    ja: "似た名称のうち、ほかより明らかによく合う 1 社、または手がかりで確かめられた 1 社。",
  },
  doubtful: {
    en: "Several companies fit, or the best does not fit well enough. You choose.",
    ja: "複数の企業が当てはまる、または十分に一致しない。選択が必要です。",
  },
  none: {
    en: "No company has a similar name; or you chose None of these for this workbook.",
    ja: "似た名称の企業はありません。またはこのブックで [該当なし] を選びました。",
  },
};

const same = (text: string): Text => ({ en: text, ja: text });

const SECTIONS: readonly Section[] = [
  {
    id: "states",
    title: { en: "What the states mean", ja: "状態の意味" },
    paragraphs: [
      {
        en: "Only exact and sure give a company. In a doubtful row the company id and every other field of the company are an error, so that no formula uses an uncertain company. The best guess stands in closestId and closestName, and up to five in candidates.",
        ja: "企業が返るのは exact と sure だけです。doubtful の行では、企業 ID などの企業の項目はエラーになり、不確かな企業がほかの数式に渡ることはありません。最も近い企業は closestId と closestName に、候補（最大 5 社）は candidates に表示されます。",
      },
      {
        en: "Companies of one name are never sure without evidence. A legal form that only one of them has is such evidence. Where fields have tickerSymbol but not registrationNumber, or the reverse, the only one that can have it is taken. What you choose for a name in the FEED pane is kept in the workbook and goes before any match, None of these too; its reason is workbook. Other formulas with the name keep to it.",
        ja: "同名の企業は、根拠がなければ sure になりません。1 社だけに一致する法人形態は根拠になります。fields に tickerSymbol と registrationNumber の一方だけがある場合は、それを持ちうる唯一の企業になります。FEED ウィンドウで選んだ企業はブックに保存され、照合より優先されます（[該当なし] も同様）。その根拠は「ブックでの選択」です。その名称を使うほかの数式にも反映されます。",
      },
    ],
    table: {
      headings: [
        { en: "State", ja: "状態" },
        { en: "Meaning", ja: "意味" },
      ],
      rows: Object.entries(STATES).map(([state, text]) => [same(state), text]),
    },
  },
  {
    id: "score",
    title: { en: "Score and hints", ja: "スコアと手がかり" },
    paragraphs: [
      {
        en: "The score, 0 to 1, says how well the closest company fits. It compares names word by word; rare words count most. Legal forms, word order, spaces, letter case, kana, romanisation, old kanji and common abbreviations count little. It is no probability: use the state.",
        ja: "スコア（0～1）は、最も近い企業がどの程度合うかを示します。名称を語ごとに比べ、珍しい語ほど重く見ます。法人形態、語順、空白、大文字・小文字、かな、ローマ字、旧字体、よく使われる略語の違いはほとんど影響しません。確率ではないため、判断には状態を使ってください。",
      },
      {
        en: "A ticker, registration number or website that is the company's own settles a similar name. A city or industry tells companies of one name apart, but only where the index knows it of each. A code of another company makes a name doubtful. Hints that are errors, TRUE or FALSE, or amounts such as 1,234 say nothing. Remarks in the names such as (client) or 御中 are left out; a country beside a name must be the company's own.",
        ja: "証券コード、登録番号、ウェブサイトがその企業のものであれば、似た名称は確定します。市区町村と業種は、索引がどの企業についても知っている場合に限り、同名の企業を区別します。別の企業のコードがあると doubtful になります。エラー、TRUE/FALSE、1,234 のような金額は手がかりになりません。「(client)」や「御中」などの書き込みは除いて照合します。名称に添えた国名は、その企業の国でなければなりません。",
      },
      {
        en: "sameAs is the row, from 1, of the first name that leads to the same company. reason says what decided, in the language of Excel: the name, the kinds of hints, or how many companies fit alike. To test a row in a formula, use state, which is the same in each language.",
        ja: "sameAs は、同じ企業になる最初の名称の行（1 から）です。reason は決め手（名称、手がかりの種類、同じ程度に合う企業の数）を Excel の表示言語で示します。数式で判定するときは、言語によらず同じ state を使ってください。",
      },
    ],
  },
  {
    id: "measured",
    title: { en: "Measured error", ja: "誤りの測定結果" },
    paragraphs: [
      {
        en: `Measured on ${MEASURED.names.toLocaleString("en")} synthetic names of ${MEASURED.companies.toLocaleString("en")} sample companies, made with typing errors, abbreviations, other scripts and remarks; one in ten has no company. Of 300 further names, those with the company's own legal form or none were taken, and those with another kind's or another country's were all left to review. Your names may be better or worse: check a sample of the sure ones.`,
        ja: `サンプル企業 ${MEASURED.companies.toLocaleString("en")} 社から、入力ミス、略語、別の文字、書き込みを加えて作った合成の名称（synthetic names）${MEASURED.names.toLocaleString("en")} 件での結果です。10 件に 1 件は該当する企業がありません。別の 300 件では、企業自身の法人格を付けた名称と法人格のない名称はすべて対応付けられ、別の種類や別の国の法人格を付けた名称はすべて確認に回りました。実際の名称では結果が異なるため、sure の行も一部を確かめてください。`,
      },
    ],
    table: {
      headings: [
        { en: "State", ja: "状態" },
        { en: "Closest is right", ja: "最も近い企業が正しい" },
        { en: "Among the candidates", ja: "候補の中にある" },
        { en: "Not among them", ja: "候補にない" },
        { en: "Company not in the index", ja: "索引にない企業" },
      ],
      rows: Object.entries(MEASURED.states).map(([state, { right, listed, wrong, absent }]) =>
        [state, ...[right, listed, wrong, absent].map((count) => count.toLocaleString("en"))].map(same),
      ),
    },
  },
];

/** The formula that matches lists of names. */
const MATCHING_FORMULA: FormulaReference = {
  ja: "名称の一覧がどの企業を指すかを、1 件 1 行の表で返します。企業 ID と確かさが分かり、入力ミスや表記の違いがあっても照合します。",
  gives: { en: "Companies of a list of names", ja: "名称の一覧に対応する企業" },
  arguments: {
    names: {
      ja: "名称の列（表記は問いません）。例：A2:A500。証券コード、登録番号、企業 ID も可",
      accepts: {
        en: 'one column of texts or numbers, one name in a cell, also after its country as in "SGP:Raintree Pharma"; a blank cell is a blank row',
        ja: '1 列の文字列または数値。1 セルに 1 件。"SGP:Raintree Pharma" のように国を前に付けることもできます。空白のセルは空白の行になります',
      },
    },
    country: OWN_COUNTRY,
    hints: {
      ja: "一覧にあるほかの情報（同じ行数）：証券コード、登録番号、ウェブサイト、市区町村、業種",
      accepts: {
        en: "a range with as many rows as names, of any number of columns in any order",
        ja: "names と同じ行数の範囲。列の数と順序は自由です",
      },
    },
    fields: {
      ja: '表示する項目。例："companyId,state,closestName"、または "all"。省略時はよく使う項目',
      values: "MATCH_FIELD",
    },
    headers: HEADERS,
  },
  requests: REQUESTS,
  examples: [
    {
      formula: '=FEED.COMPANY.MATCH("Tukikage Systms Nagoya", "JPN")',
      shows: {
        en: "The company of a name in another romanisation and with a typing error; give a column such as A2:A500 for a row each",
        ja: "別のローマ字表記で入力ミスのある名称の企業。A2:A500 のような列を渡すと 1 件 1 行になります",
      },
    },
    {
      formula: '=FEED.COMPANY.MATCH("Sakura Foods", "JPN", "9530193052711", "companyId,state,reason", FALSE)',
      shows: {
        en: "The company of this name that has the registration number",
        ja: "この名称と登録番号を持つ企業",
      },
    },
  ],
  errors: ["FEED_ARGUMENT_INVALID", "FEED_NO_VALUE", "FEED_AMBIGUOUS", "FEED_INDEX_NOT_READY", "FEED_RESULT_TOO_LARGE"],
  fields: MATCH_FIELDS,
  sections: SECTIONS,
};

/** The formulas over the local index of names. */
export const NAME_FORMULAS: Readonly<Record<string, FormulaReference>> = {
  "COMPANY.FIND": {
    ja: "名称、証券コード、登録番号が文字列に一致する企業を、よく一致する順に表で返します。",
    gives: { en: "Companies by name", ja: "名称で検索した企業" },
    arguments: {
      text: {
        ja: '名称の一部（表記は問いません）、証券コード、または登録番号。例："高島"、"sakura foods"、4899',
      },
      country: OWN_COUNTRY,
      top: TOP_ALL,
      fields: {
        ja: '表示する項目。例："companyId,companyEnglishName"、または "all"。省略時はよく使う項目',
        values: "NAME_FIELD",
      },
      headers: HEADERS,
    },
    requests: REQUESTS,
    examples: [
      {
        formula: '=FEED.COMPANY.FIND("高島")',
        shows: {
          en: "Companies of such a name in the settings' country, however it is written: 髙島 among them",
          ja: "設定の国で、その名称を含む企業。髙島のような異体字も含む",
        },
      },
      {
        formula: '=FEED.COMPANY.FIND("sakura", "JPN", 10, "companyId,companyEnglishName,tickerSymbol")',
        shows: { en: "The ten best matches, in three columns", ja: "よく一致する 10 社を 3 列で表示" },
      },
    ],
    errors: ["FEED_ARGUMENT_INVALID", "FEED_NO_VALUE", "FEED_INDEX_NOT_READY", "FEED_RESULT_TOO_LARGE"],
    fields: NAME_FIELDS,
  },
  "COMPANY.ID": {
    ja: "名称の全体、証券コード、登録番号が文字列に一致する 1 社の企業 ID を返します。",
    gives: { en: "The id of a company by its name", ja: "名称から企業 ID を取得" },
    arguments: {
      text: {
        ja: '名称の全体（表記は問いません）、証券コード、または登録番号。例："株式会社髙島化学"、"Komorebi Education Inc."、4899',
      },
      country: OWN_COUNTRY,
    },
    requests: REQUESTS,
    examples: [
      {
        formula: '=FEED.COMPANY.ID("Yuzuriha Energy Corporation")',
        shows: { en: "The company id, to hand on to the other formulas", ja: "ほかの数式に渡せる企業 ID" },
      },
      {
        formula: '=FEED.FINANCIAL(FEED.COMPANY.ID("7280102827537"), "FY0", "Revenue")',
        shows: {
          en: "Revenue of the company with this registration number, by its id",
          ja: "この登録番号の企業の売上高（企業 ID を経由）",
        },
      },
    ],
    errors: ["FEED_ARGUMENT_INVALID", "FEED_NO_VALUE", "FEED_AMBIGUOUS", "FEED_INDEX_NOT_READY"],
  },
  "COMPANY.MATCH": MATCHING_FORMULA,
};
