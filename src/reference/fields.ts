import type { Field } from "../feed/fields";
import type { Text } from "./texts";
import { PAGE_TYPES_IN_WORDS } from "./words";

/** Japanese names of the fields; of the page types' and of the primary classification's, the part after the prefix. */
const JAPANESE: Readonly<Record<string, string>> = {
  id: "会社 ID",
  companyId: "会社 ID",
  registrationNumber: "登録番号",
  companyName: "会社名",
  businessDescription: "事業内容",
  registeredAddress: "登記上の住所",
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
  isActive: "活動中か",
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
  "engagementTime.avg": "平均滞在時間（分）",
  "engagementTime.min": "最短滞在時間（分）",
  "engagementTime.max": "最長滞在時間（分）",
};

/** A field's name as a header would say it, in both languages; Japanese falls back to the header. */
export function toFieldText({ name, header }: Field): Text {
  return { en: header, ja: toJapanese(name) ?? header };
}

function toJapanese(name: string): string | undefined {
  const [, pageType, statistic] = /^pages\.([A-Z_]+)\.(.+)$/.exec(name) ?? [];
  if (pageType !== undefined) return join(PAGE_TYPES_IN_WORDS[pageType]?.ja, JAPANESE[statistic ?? ""]);
  if (name.startsWith("primary.")) return join("主分類", JAPANESE[name.slice("primary.".length)]);
  return JAPANESE[name.replace(/^taxonomy\./, "")];
}

const join = (prefix: string | undefined, name: string | undefined) =>
  prefix === undefined || name === undefined ? undefined : `${prefix}：${name}`;
