import type { NameSource } from "../../feed/names/rows";
import { count, toAgo } from "./quantities";

const toEnglish = (number: number): string => number.toLocaleString("en");

const en = {
  kinds: { companies: "Companies", industries: "Industries" },
  company: "Company",
  companyHint: "Name or number",
  country: "Country",
  results: "Companies found",
  begin: "Type a name in any script, a ticker or a registration number. A part of the name will do.",
  examples: "For example:",
  found: (shown: number, isAll: boolean) =>
    isAll
      ? `${shown === 1 ? "1 company" : `${toEnglish(shown)} companies`}. Arrow keys choose, Enter opens.`
      : `More than ${toEnglish(shown)} companies: write more of the name to see the others.`,
  nobody: (text: string, country: string) =>
    country === "ALL"
      ? `No company fits "${text}". Try a shorter part of the name, or another spelling.`
      : `No company of ${country} fits "${text}". Try a shorter part of the name, another spelling, or all countries.`,
  closest: (companies: number) => (companies === 1 ? "The closest name:" : `The closest ${companies} names:`),
  searchAll: "Search all countries",
  notConnected: "Companies are found once the pane is connected.",

  names: "Names",
  namesWanted: (country: string, requests: number | null) =>
    `Names are searched on this machine, and those of ${country} are not here yet. Building their index takes ` +
    `${requests === null ? "some requests" : `about ${toEnglish(requests)} requests`}, once; searching takes none.`,
  namesBegun: (country: string, rows: number, expected: number, requests: number | null) =>
    `The index of ${country} is not finished: ${toEnglish(rows)} of ${toEnglish(expected)} names are here` +
    `${requests === null ? "" : `, of about ${toEnglish(requests)} requests in all`}. Building goes on from there.`,
  buildNames: "Build the index",
  rebuildNames: "Rebuild",
  cancelNames: "Cancel",
  namesBuilding: (country: string, rows: number, expected: number) =>
    expected === 0
      ? `Building the index of ${country}…`
      : `Building the index of ${country}: ${toEnglish(rows)} of ${toEnglish(expected)} names.`,
  namesBuilt: (country: string, companies: number, ageMs: number) =>
    `${toEnglish(companies)} companies of ${country}, read ${toAgo(ageMs, "en")}.`,
  namesMissing: {
    taxonomy: "Without classified companies, which this client may not read.",
    private: "Without private-market companies, which this client may not read.",
  } satisfies Record<NameSource, string>,

  back: "Back to the results",
  insert: "Insert",
  insertRevenue: "Latest revenue",
  insertId: "Id",
  insertRow: "Company details",
  insertPeers: "Peers",
  lack: (label: string, reason: string) => `${label}: ${reason}`,
  goOn: "Go on",
  build: "Build a formula…",
  statement: "Statement sheet…",
  copyId: "Copy id",
  registration: (number: string) => `No. ${number}`,
  loading: "Loading…",
  again: "Try again",
  absent: {
    financials: "There are no financials with this company's id in the private-market data.",
    companies: "The private-market data has no company with this id.",
    taxonomies: "The classified companies have none with this id.",
    tree: "The provider has no taxonomy.",
  },
  refused: {
    financials:
      "This client may not read financials of this company. Ask your administrator or the provider for access.",
    companies:
      "This client may not read private-market companies here. Ask your administrator or the provider for access.",
    taxonomies:
      "This client may not read classified companies here. Ask your administrator or the provider for access.",
    tree: "This client may not read the taxonomy. Ask your administrator or the provider for access.",
  },
  unread: {
    financials: "The financials could not be read; their section below says why.",
    taxonomies: "The listing could not be read; its section below says why.",
  },
  onlySample: "The sample data has invented companies only.",
  figures: "Revenue and net income",
  revenue: "Revenue",
  netIncome: "Net income",
  year: "Year",
  noFigures: "The provider gives neither revenue nor net income of this company.",
  chart: (from: number, to: number, currency: string | null) =>
    `Revenue and net income by fiscal year, ${from} to ${to}${currency === null ? "" : `, in ${currency}`}.`,
  chartEnds: (name: string, year: number, value: string) => `${name} of ${year}: ${value}.`,
  otherCurrencies: (years: number) =>
    `Without ${years === 1 ? "1 year" : `${years} years`} in another currency than the latest.`,
  table: "Show as a table",
  profile: "Private-market profile",
  people: "People",
  employees: "Employees",
  classification: "Listing and industries",
  primary: "primary",
  nothingKnown: "The provider says nothing more.",
  yes: "Yes",
  no: "No",
  /** Names of fields; default a table's header. */
  fields: {} as Readonly<Record<string, string>>,

  industry: "Industry",
  industryHint: "Part of a name, or an id",
  tree: "Taxonomy",
  noIndustry: (text: string) => `Nothing in the taxonomy fits "${text}". Try a shorter word.`,
  noTree: "The provider's taxonomy is empty. Try again later.",
  levels: { sector: "Sector", subSector: "Sub-sector", industry: "Industry" },
  chooseIndustry: "Choose a sector, sub-sector or industry to insert its companies.",
  insertConstituents: (country: string) =>
    country === "ALL" ? "Insert its companies" : `Insert companies of ${country}`,
  sectors: (shown: number) => (shown === 1 ? "Found in 1 sector." : `Found in ${toEnglish(shown)} sectors.`),
};

const toJapanese = (number: number): string => number.toLocaleString("ja");

const ja: typeof en = {
  kinds: { companies: "企業", industries: "業種" },
  company: "企業",
  companyHint: "企業名または番号",
  country: "国",
  results: "見つかった企業",
  begin: "企業名(漢字、かな、ローマ字)、証券コード、登録番号を入力してください。名前の一部でも検索できます。",
  examples: "例:",
  found: (shown, isAll) =>
    isAll
      ? `${toJapanese(shown)} 社が見つかりました。矢印キーで選び、Enter キーで開きます。`
      : `${toJapanese(shown)} 社を超える企業が見つかりました。続きを表示するには、名前をもう少し入力してください。`,
  nobody: (text, country) =>
    country === "ALL"
      ? `「${text}」に該当する企業はありません。名前を短くするか、別の表記をお試しください。`
      : `${country} に「${text}」に該当する企業はありません。名前を短くするか、別の表記、またはすべての国をお試しください。`,
  closest: (companies) => `近い名称の企業(${companies} 社):`,
  searchAll: "すべての国で検索",
  notConnected: "接続すると企業を検索できます。",

  names: "企業名",
  namesWanted: (country, requests) =>
    `企業名はこの端末の索引で検索しますが、${country} の索引はまだありません。作成には` +
    `${requests === null ? "リクエスト" : `約 ${toJapanese(requests)} 回のリクエスト`}が一度だけ必要で、検索には必要ありません。`,
  namesBegun: (country, rows, expected, requests) =>
    `${country} の索引は未完成です。${toJapanese(expected)} 件のうち ${toJapanese(rows)} 件を取得済み` +
    `${requests === null ? "" : `(全部で約 ${toJapanese(requests)} 回のリクエスト)`}で、続きから作成します。`,
  buildNames: "索引を作成",
  rebuildNames: "作り直す",
  cancelNames: "中止",
  namesBuilding: (country, rows, expected) =>
    expected === 0
      ? `${country} の索引を作成しています…`
      : `${country} の索引を作成しています: ${toJapanese(expected)} 件中 ${toJapanese(rows)} 件`,
  namesBuilt: (country, companies, ageMs) => `${country} の ${toJapanese(companies)} 社、${toAgo(ageMs, "ja")}に取得。`,
  namesMissing: {
    taxonomy: "分類済み企業は、このクライアントに利用権限がないため含まれません。",
    private: "非上場企業は、このクライアントに利用権限がないため含まれません。",
  },

  back: "検索結果に戻る",
  insert: "挿入",
  insertRevenue: "最新の売上高",
  insertId: "ID",
  insertRow: "企業情報",
  insertPeers: "同業他社",
  lack: (label, reason) => `${label}: ${reason}`,
  goOn: "次の操作",
  build: "数式を作成…",
  statement: "財務諸表シート…",
  copyId: "ID をコピー",
  registration: (number) => `登録番号 ${number}`,
  loading: "読み込んでいます…",
  again: "再試行",
  absent: {
    financials: "非上場企業データに、この企業の ID の財務情報はありません。",
    companies: "非上場企業データに、この ID の企業はありません。",
    taxonomies: "分類済み企業に、この ID の企業はありません。",
    tree: "データ提供元に産業分類はありません。",
  },
  refused: {
    financials:
      "このクライアントにはこの企業の財務情報の利用権限がありません。管理者またはデータ提供元に依頼してください。",
    companies:
      "このクライアントには非上場企業データの利用権限がありません。管理者またはデータ提供元に依頼してください。",
    taxonomies: "このクライアントには分類済み企業の利用権限がありません。管理者またはデータ提供元に依頼してください。",
    tree: "このクライアントには産業分類の利用権限がありません。管理者またはデータ提供元に依頼してください。",
  },
  unread: {
    financials: "財務情報を取得できませんでした。理由は下に表示されています。",
    taxonomies: "上場区分と業種を取得できませんでした。理由は下に表示されています。",
  },
  onlySample: "サンプルデータの企業はすべて架空のものです。",
  figures: "売上高と純利益",
  revenue: "売上高",
  netIncome: "純利益",
  year: "年度",
  noFigures: "データ提供元に、この企業の売上高と純利益はありません。",
  chart: (from, to, currency) =>
    `${from} 年度から ${to} 年度までの売上高と純利益${currency === null ? "" : `(${currency})`}。`,
  chartEnds: (name, year, value) => `${year} 年度の${name}: ${value}。`,
  otherCurrencies: (years) => `最新年度と通貨が異なる ${years} 年分は含まれません。`,
  table: "表で見る",
  profile: "非上場企業データ",
  people: "代表者",
  employees: "従業員",
  classification: "上場区分と業種",
  primary: "主業種",
  nothingKnown: "これ以上の情報はありません。",
  yes: "はい",
  no: "いいえ",
  fields: {
    companyName: "企業名",
    businessDescription: "事業内容",
    legalStructure: "法人形態",
    dateOfRegistration: "登記日",
    registrationNumber: "登録番号",
    registeredAddress: "登記上の所在地",
    websiteUrl: "ウェブサイト",
    telephoneNumber: "電話番号",
    "employees.nonConsolidated.employeeCount": "従業員数(単体)",
    "employees.nonConsolidated.numberOfOfficers": "役員数(単体)",
    "employees.nonConsolidated.employeeRange": "従業員数の範囲(単体)",
    "employees.consolidated.employeeCount": "従業員数(連結)",
    "employees.consolidated.numberOfOfficers": "役員数(連結)",
    "employees.consolidated.employeeRange": "従業員数の範囲(連結)",
    companyFormalName: "正式名称",
    companyLegalName: "法的名称",
    companyEnglishName: "英語名",
    companyInformalName: "通称",
    countryName: "国",
    foundedYear: "設立年",
    website: "ウェブサイト",
    tickerSymbol: "証券コード",
    exchangeName: "取引所",
    listingDate: "上場日",
    isPublic: "上場",
    isActive: "活動中",
  },

  industry: "業種",
  industryHint: "名前の一部か ID",
  tree: "産業分類",
  noIndustry: (text) => `産業分類に「${text}」に該当するものはありません。短い語でお試しください。`,
  noTree: "データ提供元の産業分類は空です。後でもう一度お試しください。",
  levels: { sector: "セクター", subSector: "サブセクター", industry: "業種" },
  chooseIndustry: "セクター、サブセクター、業種を選ぶと、その企業を挿入できます。",
  insertConstituents: (country) => (country === "ALL" ? "企業の一覧を挿入" : `${country} の企業の一覧を挿入`),
  sectors: (shown) => `${toJapanese(shown)} 件のセクターで見つかりました。`,
};

export const findTexts = { en, ja };

const companies = (number: number) => count(number, "company", "companies");

const picker = {
  hint: "Name, ticker or number",
  example: (company: string) => `Such as ${company}`,
  asWritten: (text: string) => `Use ${text} as it is`,
  listed: (ticker: string) => `Listed · ${ticker}`,
  /** @param latest the last fiscal year with financials; null where it is not known */
  private: (latest: number | null) => (latest === null ? "Private" : `Private · financials to ${latest}`),
  leftOut: {
    private: (left: number) => `${companies(left)} without financials left out.`,
    taxonomy: (left: number) => `${companies(left)} without a classification left out.`,
  } satisfies Record<NameSource, (companies: number) => string>,
  searching: "Searching…",
  noMatch: (text: string) => `No company fits ${text}. Try a shorter part of the name, or look for it in Find.`,
  noNames: "Names cannot be searched here yet.",
  lookInFind: "Look in Find",
  chosen: "Chosen companies",
  chosenCount: (chosen: number, doubtful: number) =>
    doubtful === 0 ? companies(chosen) : `${companies(chosen)}, ${doubtful} in doubt: press one to choose its company.`,
  remove: (name: string) => `Remove ${name}`,
  choose: (text: string) => `Choose a company for ${text}`,
  candidates: (text: string) => `Which company is ${text}?`,
  noCandidates: (text: string) => `No company is like ${text}.`,
  /** Of a company that has the name, and lacks the needed data. */
  without: {
    private: (text: string) => `${text} has no financials here. Listed companies have none.`,
    taxonomy: (text: string) => `${text} is not among the classified companies.`,
  } satisfies Record<NameSource, (text: string) => string>,
  searchAgain: "Search again",
  removeText: "Remove",
  chooseInFind: "Choose the company in Find",
  choosing: (text: string) => `Open the company that “${text}” means, then press its first button.`,
  use: (text: string) => `Use for “${text}” in this workbook`,
  noFigures: (text: string) => `The formulas with “${text}” show financials, and this company has none.`,
  used: (text: string, name: string) => toSentence(`In this workbook, “${text}” now means ${name}`),
  chooseOther: "Choose another…",
  forget: "Forget this choice",
  forgotten: (text: string) => `The choice of a company for “${text}” is forgotten.`,
};

/** Many names end with a full stop of their own. */
const toSentence = (text: string): string => (text.endsWith(".") ? text : `${text}.`);

const pickerJa: typeof picker = {
  hint: "企業名、証券コード、番号",
  example: (company) => `例: ${company}`,
  asWritten: (text) => `${text} をそのまま使う`,
  listed: (ticker) => `上場 · ${ticker}`,
  private: (latest) => (latest === null ? "非上場" : `非上場 · 財務情報 ${latest} 年度まで`),
  leftOut: {
    private: (left) => `財務情報のない企業 ${left.toLocaleString("ja")} 社を除いています。`,
    taxonomy: (left) => `産業分類のない企業 ${left.toLocaleString("ja")} 社を除いています。`,
  },
  searching: "検索しています…",
  noMatch: (text) => `${text} に一致する企業がありません。名前の一部を短く入力するか、「検索」で探してください。`,
  noNames: "ここではまだ企業名を検索できません。",
  lookInFind: "「検索」で探す",
  chosen: "選択した企業",
  chosenCount: (chosen, doubtful) =>
    doubtful === 0
      ? `${chosen.toLocaleString("ja")} 社`
      : `${chosen.toLocaleString("ja")} 社(要確認 ${doubtful.toLocaleString("ja")} 社)。押して企業を選んでください。`,
  remove: (name) => `${name} を外す`,
  choose: (text) => `${text} の企業を選ぶ`,
  candidates: (text) => `${text} に当たる企業を選んでください`,
  noCandidates: (text) => `${text} に似た名称の企業はありません。`,
  without: {
    private: (text) => `${text} の財務情報はありません。上場企業の財務情報は提供されていません。`,
    taxonomy: (text) => `${text} は産業分類の対象ではありません。`,
  },
  searchAgain: "検索し直す",
  removeText: "外す",
  chooseInFind: "「検索」で企業を選ぶ",
  choosing: (text) => `「${text}」に当たる企業を開き、最初のボタンを押してください。`,
  use: (text) => `このブックの「${text}」に使う`,
  noFigures: (text) => `「${text}」の数式は財務情報を表示しますが、この企業にはありません。`,
  used: (text, name) => `このブックでは、「${text}」は${name}を指します。`,
  chooseOther: "別の企業を選ぶ…",
  forget: "この選択を取り消す",
  forgotten: (text) => `このブックの「${text}」の企業の選択を取り消しました。`,
};

export const pickerTexts = { en: picker, ja: pickerJa };
