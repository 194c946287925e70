import type { Field } from "../feed/fields";
import type { Text } from "./texts";

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
export const PAGE_TYPES_IN_WORDS: Readonly<Record<string, Text>> = {
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
