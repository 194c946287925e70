import { ASIAN_COUNTRIES } from "../contract/asian-countries";
import { COMPANY_TYPES, METRICS, PAGE_TYPES, STATEMENT_TYPES } from "../contract/parameter-values";
import {
  COMPANY_FIELDS,
  COMPANY_MOVER_FIELDS,
  INDUSTRY_RANKING_FIELDS,
  MATCH_FIELDS,
  NAME_FIELDS,
  PAGE_RANKING_FIELDS,
  RANKING_FIELDS,
  TAXONOMY_FIELDS,
} from "../feed/field-tables";
import { type Field, isMeasure } from "../feed/fields";
import { JAPANESE_WORDS } from "../feed/financials/japanese";
import type { Language, Text } from "./texts";

/** Japanese names of the fields; of the page types' and of the primary classification's, the part after the prefix. */
const JAPANESE: Readonly<Record<string, string>> = {
  id: "企業 ID",
  companyId: "企業 ID",
  registrationNumber: "登録番号",
  companyName: "企業名",
  businessDescription: "事業内容",
  registeredAddress: "登記上の所在地",
  "registeredAddress.line1": "住所 1",
  "registeredAddress.line2": "住所 2",
  "registeredAddress.city": "市区町村",
  "registeredAddress.country": "国",
  "registeredAddress.postalCode": "郵便番号",
  isCompanyHqInAddressCountry: "本社が住所の国にあるか",
  telephoneNumber: "電話番号",
  websiteUrl: "ウェブサイト",
  legalStructure: "法人形態",
  dateOfRegistration: "登記日",
  createdAt: "作成日時（UTC）",
  updatedAt: "更新日時（UTC）",
  employees: "従業員",
  "employees.nonConsolidated": "従業員（単体）",
  "employees.consolidated": "従業員（連結）",
  "employees.employeeCountType": "従業員数の種別",
  "employees.nonConsolidated.employeeCount": "従業員数（単体）",
  "employees.nonConsolidated.numberOfOfficers": "役員数（単体）",
  "employees.nonConsolidated.employeeRange": "従業員数の範囲（単体）",
  "employees.nonConsolidated.updatedAt": "従業員数の更新日時（単体、UTC）",
  "employees.consolidated.employeeCount": "従業員数（連結）",
  "employees.consolidated.numberOfOfficers": "役員数（連結）",
  "employees.consolidated.employeeRange": "従業員数の範囲（連結）",
  "employees.consolidated.updatedAt": "従業員数の更新日時（連結、UTC）",
  representatives: "代表者",
  "representatives.fullName": "代表者の氏名",
  "representatives.role": "代表者の役職",
  "representatives.email": "代表者のメールアドレス",
  "representatives.phone": "代表者の電話番号",
  "representatives.dob": "代表者の生年月日",
  industryClassifications: "産業分類",
  "industryClassifications.standard": "産業分類の基準",
  "industryClassifications.codes": "産業分類コードの一覧",
  "industryClassifications.codes.code": "産業分類コード",
  "industryClassifications.codes.description": "産業分類コードの説明",
  state: "照合の状態",
  reason: "根拠",
  closestId: "最も近い企業の ID",
  closestName: "最も近い企業",
  candidates: "候補",
  sameAs: "同じ企業になる行",
  companyFormalName: "正式名称",
  companyLegalName: "法的名称",
  companyEnglishName: "英語名",
  companyInformalName: "通称",
  families: "データの種類",
  countryCode: "国コード",
  countryName: "国名",
  foundedYear: "設立年",
  website: "ウェブサイト",
  tickerSymbol: "証券コード",
  exchangeName: "取引所",
  exchangeCode: "取引所コード",
  exchangeCountry: "取引所の国",
  listingDate: "上場日",
  isPublic: "上場しているか",
  matchedBy: "一致した分類",
  isActive: "存続中か",
  sectorId: "セクター ID",
  sectorName: "セクター",
  subSectorId: "サブセクター ID",
  subSectorName: "サブセクター",
  subSectorDescription: "サブセクターの説明",
  industryId: "業種 ID",
  industryName: "業種",
  industryDescription: "業種の説明",
  isPrimaryIndustry: "主業種か",
  analystMapped: "アナリストによる分類か",
  score: "スコア",
  rank: "順位",
  headquarters: "本社所在地",
  totalPageViews: "閲覧数",
  totalUniquePageViews: "ユニーク閲覧数",
  "change.rank": "上がった順位",
  status: "新規・圏外",
  "engagementTime.avg": "平均滞在時間（分）",
  "engagementTime.min": "最短滞在時間（分）",
  "engagementTime.max": "最長滞在時間（分）",
};

/** A field's name in both languages; Japanese falls back to the header. */
export function toFieldText({ name, header }: Field): Text {
  return { en: header, ja: toJapanese(name) ?? header };
}

function toJapanese(name: string): string | undefined {
  const [, pageType, statistic] = /^pages\.([A-Z_]+)\.(.+)$/.exec(name) ?? [];
  if (pageType !== undefined) return join(PAGE_TYPES_IN_WORDS[pageType]?.ja, JAPANESE[statistic ?? ""]);
  const [, part = "", rest = ""] = /^(\w+)\.(.+)$/.exec(name) ?? [];
  const prefix = PREFIXES[part];
  if (prefix !== undefined) return JAPANESE[name] ?? join(prefix, JAPANESE[rest]);
  return JAPANESE[name.replace(/^taxonomy\./, "")];
}

/** Parts of a row that have the fields of another one. */
const PREFIXES: Readonly<Record<string, string>> = {
  primary: "主分類",
  previous: "前の期間",
  change: "増減",
  growth: "増減率",
};

const join = (prefix: string | undefined, name: string | undefined) =>
  prefix === undefined || name === undefined ? undefined : `${prefix}：${name}`;

/** The 18 page types of the rankings, as the API document puts them in words (§2.6). */
const PAGE_TYPES_IN_WORDS: Readonly<Record<string, Text>> = {
  OVERVIEW: { en: "Company overview", ja: "企業概要" },
  COMPETITOR_OVERVIEW: { en: "Competitor overview", ja: "競合概要" },
  SEGMENT_COMPARISON: { en: "Segment comparison", ja: "セグメント比較" },
  NEWS: { en: "News", ja: "ニュース" },
  MA: { en: "M&A", ja: "M&A（合併・買収）" },
  SHAREHOLDERS: { en: "Shareholders", ja: "株主" },
  EXECUTIVES_CHART: { en: "Executives chart", ja: "役員構成図" },
  AFFILIATES: { en: "Affiliates", ja: "関係会社" },
  STOCK_PRICES: { en: "Stock prices", ja: "株価" },
  INVESTOR_RELATIONS: { en: "Investor relations", ja: "IR 情報" },
  STATS: { en: "Stats", ja: "統計" },
  TECHNOLOGY: { en: "Technology", ja: "技術" },
  FINANCIAL_RESULTS: { en: "Financial results", ja: "決算" },
  SEGMENT: { en: "Segment", ja: "セグメント" },
  KPI_CHARTS: { en: "KPI charts", ja: "KPI グラフ" },
  ESTIMATES: { en: "Estimates", ja: "業績予想" },
  BETA: { en: "Beta", ja: "ベータ" },
  FUNCTIONALITY: { en: "Functionality", ja: "機能" },
};

/** Values that an argument proposes, each with what it means. */
type Values = ReadonlyMap<string, Text>;

type Words = Readonly<Record<string, Text>>;

const UNKNOWN: Text = { en: "", ja: "" };

/** The contract has the values and their order, the words have their meanings. */
const pair = (values: readonly string[], words: Words): Values =>
  new Map(values.map((value) => [value, words[value] ?? UNKNOWN]));

const toValues = (words: Words): Values => new Map(Object.entries(words));
const toFields = (fields: readonly Field[]): Values => new Map(fields.map((field) => [field.name, toFieldText(field)]));
const toMeasures = (fields: readonly Field[]): Values => toFields(fields.filter(isMeasure));

const STATEMENTS: Words = {
  INCOME_STATEMENT: { en: "Income statement", ja: "損益計算書" },
  BALANCE_SHEET: { en: "Balance sheet", ja: "貸借対照表" },
  CASH_FLOW: { en: "Cash flow", ja: "キャッシュフロー計算書" },
};

const ABBREVIATED_METRICS: Words = {
  EBITDA: {
    en: "earnings before interest, taxes, depreciation and amortisation",
    ja: "EBITDA（利払い前・税引き前・減価償却前利益）",
  },
  EBIT: { en: "earnings before interest and taxes", ja: "EBIT（利払い前・税引き前利益）" },
};

/** The metrics that the API document names (§2.3), by their statement and in the Japanese word that formulas take. */
const METRICS_IN_WORDS: Values = new Map(
  STATEMENT_TYPES.flatMap((type) =>
    METRICS[type].map((metric): [string, Text] => {
      const { en, ja } = STATEMENTS[type] ?? UNKNOWN;
      const [japanese] = Object.entries(JAPANESE_WORDS.metric).find(([, english]) => english === metric) ?? [];
      const { [metric]: words } = ABBREVIATED_METRICS;
      return [metric, { en: words === undefined ? en : `${en}: ${words.en}`, ja: `${ja}：${words?.ja ?? japanese}` }];
    }),
  ),
);

const OTHER_NAMES: Readonly<Record<string, Partial<Text>>> = { TUR: { en: "Turkey" }, MMR: { ja: "ミャンマー" } };

/** Countries by code: the short names of Unicode, but where people write another one. */
const COUNTRIES: Values = new Map(
  Object.entries(ASIAN_COUNTRIES).map(([code, region]) => {
    const toName = (language: Language) =>
      new Intl.DisplayNames(language, { type: "region", style: "short" }).of(region);
    return [code, { en: toName("en") ?? code, ja: toName("ja") ?? code, ...OTHER_NAMES[code] }];
  }),
);

/** Every enumeration by the id under which functions.json has it. */
export const ENUMERATIONS: ReadonlyMap<string, Values> = new Map([
  ["METRIC", METRICS_IN_WORDS],
  [
    "BASIS",
    toValues({
      CONSOLIDATED: { en: "Consolidated statements; preferred by default", ja: "連結財務諸表（既定で優先）" },
      ANNUAL: { en: "Annual periods", ja: "年次" },
      FY4: { en: "The period that ends with the fiscal year", ja: "会計年度末で終わる期間" },
      FULL: { en: "Full statements", ja: "完全な財務諸表" },
    }),
  ],
  [
    "UNIT",
    toValues({
      k: { en: "Thousands", ja: "千" },
      m: { en: "Millions", ja: "百万" },
      bn: { en: "Billions", ja: "十億" },
    }),
  ],
  [
    "LAYOUT",
    toValues({
      wide: { en: "Company and year down, metrics across; the default", ja: "行が企業と年度、列が指標（既定）" },
      statement: {
        en: "Metrics by statement down, years across; one company",
        ja: "行が財務諸表ごとの指標、列が年度（1 社のみ）",
      },
      long: { en: "A row for every number", ja: "数値ごとに 1 行" },
    }),
  ],
  [
    "COUNTRY",
    new Map([...COUNTRIES, ["ALL", { en: "All countries you have access to", ja: "アクセスできるすべての国" }]]),
  ],
  [
    "COMPANY_TYPE",
    pair(COMPANY_TYPES, {
      PUBLIC: { en: "Listed companies", ja: "上場企業" },
      PRIVATE: { en: "Companies that are not listed", ja: "非上場企業" },
      ALL: { en: "Both; the default", ja: "両方（既定）" },
    }),
  ],
  [
    "LEVEL",
    toValues({
      sector: { en: "Sectors, the widest level", ja: "セクター（最上位）" },
      subSector: { en: "Sub-sectors", ja: "サブセクター" },
      industry: { en: "Industries, the narrowest level", ja: "業種（最下位）" },
    }),
  ],
  ["PAGE_TYPE", pair(PAGE_TYPES, PAGE_TYPES_IN_WORDS)],
  [
    "STATUS",
    toValues({
      asof: {
        en: "When the oldest answer of the formula's sheet was fetched",
        ja: "数式があるシートの最も古い回答を取得した日時",
      },
      pending: { en: "Questions that wait for an answer", ja: "回答待ちの問い合わせ数" },
      stale: { en: "Questions whose last refresh failed", ja: "直近の更新に失敗した問い合わせ数" },
      requests: { en: "Requests for data sent since the start", ja: "開始後に送信したデータのリクエスト数" },
      currencies: { en: "Currencies of the figures shown", ja: "表示中の数値の通貨" },
      version: { en: "Version of the add-in", ja: "アドインのバージョン" },
    }),
  ],
  ["COMPANY_FIELD", toFields(COMPANY_FIELDS)],
  ["NAME_FIELD", toFields(NAME_FIELDS)],
  ["MATCH_FIELD", toFields(MATCH_FIELDS)],
  ["TAXONOMY_FIELD", toFields(TAXONOMY_FIELDS)],
  ["RANKING_FIELD", toFields(RANKING_FIELDS)],
  ["RANKING_MEASURE", toMeasures(RANKING_FIELDS)],
  ["PAGE_RANKING_FIELD", toFields(PAGE_RANKING_FIELDS)],
  ["INDUSTRY_FIELD", toFields(INDUSTRY_RANKING_FIELDS)],
  ["INDUSTRY_MEASURE", toMeasures(INDUSTRY_RANKING_FIELDS)],
  [
    "RANKING_KIND",
    toValues({
      companies: {
        en: "Listed companies, in the provider's order; the default",
        ja: "上場企業（データ提供元の順序、既定）",
      },
      industries: { en: "Industries, in the provider's order", ja: "業種（データ提供元の順序）" },
      ...PAGE_TYPES_IN_WORDS,
    }),
  ],
  ["RANK_OR_MEASURE", toFields(RANKING_FIELDS.filter((field) => field.name === "rank" || isMeasure(field)))],
  ["MOVER_FIELD", toFields(COMPANY_MOVER_FIELDS)],
]);

/** Enumerations without further values; of all others the provider may accept more. */
const CLOSED: ReadonlySet<string> = new Set([
  "COMPANY_TYPE",
  "LAYOUT",
  "LEVEL",
  "RANKING_KIND",
  "RANK_OR_MEASURE",
  "STATUS",
  "UNIT",
]);

export const isOpen = (enumeration: string): boolean => !CLOSED.has(enumeration);
