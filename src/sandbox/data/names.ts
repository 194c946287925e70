import { COUNTRIES, type Country, countEarlier, pickCountry } from "./countries";
import { createDraw, type Draw, PURPOSE } from "./random";

/** A company's names, and its activity by their second word. */
export interface CompanyNames {
  /** In the country's own script where it has one. */
  formal: string;
  english: string;
  informal: string;
  /** The name in lists of companies: the formal or the English one. */
  shown: string;
  activity: string;
}

/** No company before this index has a hostile name, so that samples near the start stay readable. */
const HOSTILE_FROM = 200;
const HOSTILE_EVERY = 250;

/** Names that must stay text wherever they are shown: formulas, markup, direction marks, control characters, length. */
const HOSTILE_NAMES: readonly string[] = [
  '=HYPERLINK("https://hostile.example","Open me")',
  "+1 Ventures",
  "@cmd|' /C calc'!A0",
  '<img src="x" onerror="alert(1)">',
  "\u202eetal ssenisub\u202c Trading",
  "-2+3 Partners",
  "Nul\u0000Byte Works",
  `${"Endless ".repeat(5000)}Company`,
];

const STEP = 11_213;

const LISTED_SHIFT = 4_001;

const NATIVE_SHARE = 0.35;

/** The few listed companies that have the name of a private one. */
const NAMESAKES: readonly string[] = ["Sakura Bakery", "Sakura Foods", "Tamayura Chemicals"];

/** Cities that only the names of listed companies have: the first of their country, as many as it needs. */
const LISTED_CITIES: Readonly<Record<string, number>> = { JPN: 5 };

/** A different pair of words for each of a country's companies until all pairs are used; then a city tells them apart. */
function pickWords(country: Country, ordinal: number, shift: number) {
  const { code, cities } = country;
  const firsts = FIRST_WORDS[code]!;
  const pairs = firsts.length * SECOND_WORDS.length;
  const pair = (ordinal * STEP + shift) % pairs;
  const round = Math.floor(ordinal / pairs);
  const first = firsts[pair % firsts.length]!;
  const second = SECOND_WORDS[Math.floor(pair / firsts.length)]!;
  const isListed = shift === LISTED_SHIFT;
  if (round === 0) {
    const isOwn = isListed && !NAMESAKES.includes(`${first[0]} ${second[0]}`);
    return { first, second, suffix: isOwn ? " International" : "" };
  }
  const before = isListed ? 0 : (LISTED_CITIES[code] ?? 0);
  const number = round <= cities.length ? "" : ` ${Math.ceil(round / cities.length)}`;
  return { first, second, suffix: ` ${cities[(before + round - 1) % cities.length]!}${number}` };
}

const ENGLISH_FORMS: Record<string, readonly string[]> = {
  JPN: ["Co., Ltd.", "Inc.", "Corporation", "K.K."],
  SGP: ["Pte. Ltd.", "Pte. Ltd.", "LLP"],
  THA: ["Co., Ltd."],
  VNM: ["JSC", "Co., Ltd."],
  PHL: ["Corp.", "Inc."],
};

/** "Sakura Foods" with its legal form, in English. */
function toEnglish(code: string, name: string, draw: Draw): string {
  if (code === "IDN") return `PT ${name}`;
  return `${name} ${draw.pick(ENGLISH_FORMS[code]!)}`;
}

/** The name with its legal form, in the country's own script. */
function toNative(code: string, first: string, second: SecondWord, suffix: string, front: boolean): string {
  if (code === "JPN") return front ? `株式会社${first}${second[1]}${suffix}` : `${first}${second[1]}${suffix}株式会社`;
  if (code === "IDN") return `PT ${first} ${second[0]}${suffix}`;
  if (code === "THA") return `บริษัท ${first} ${second[0]}${suffix} จำกัด`;
  if (code === "VNM") return `Công ty ${first} ${second[0]}${suffix}`;
  return `${first} ${second[0]}${suffix}`;
}

/** The names of the k-th company of a country; `shift` sets families of companies apart. */
function createNames(country: Country, ordinal: number, shift: number, draw: Draw): CompanyNames {
  const { first, second, suffix } = pickWords(country, ordinal, shift);
  const english = toEnglish(country.code, `${first[0]} ${second[0]}${suffix}`, draw);
  const formal = toNative(country.code, first[1], second, suffix, draw.chance(0.7));
  const shown = draw.chance(NATIVE_SHARE) ? formal : english;
  return { formal, english, shown, informal: first[0], activity: second[2] };
}

/** The hostile name that stands in for a company's own, if it is one of the few that have one. */
function pickHostileName(index: number): string | undefined {
  if (index < HOSTILE_FROM || index % HOSTILE_EVERY !== HOSTILE_EVERY - 1) return undefined;
  return HOSTILE_NAMES[Math.floor(index / HOSTILE_EVERY) % HOSTILE_NAMES.length];
}

const withHostileName = (index: number, names: CompanyNames): CompanyNames => {
  const hostile = pickHostileName(index);
  return hostile === undefined ? names : { ...names, formal: hostile, english: hostile, shown: hostile };
};

/** The names of the private company with this index. */
export function createCompanyNames(seed: number, index: number): CompanyNames {
  const draw = createDraw(seed, PURPOSE.name, 1, index);
  return withHostileName(index, createNames(pickCountry(index), countEarlier(index), 0, draw));
}

/** The names of a listed company: the k-th of its country. */
export function createListedNames(seed: number, index: number, country: Country, ordinal: number): CompanyNames {
  const draw = createDraw(seed, PURPOSE.name, 2, index);
  return withHostileName(index, createNames(country, ordinal, LISTED_SHIFT, draw));
}

/** The branches a private company's name speaks of: sub-sectors and industries. */
export function pickCompanyBranches(index: number): readonly string[] {
  return pickWords(pickCountry(index), countEarlier(index), 0).second[3];
}

/** The branches the name of the k-th listed company of a country speaks of. */
export function pickListedBranches(country: Country, ordinal: number): readonly string[] {
  return pickWords(country, ordinal, LISTED_SHIFT).second[3];
}

/** The full name of a person of this country. */
export function createPersonName(code: string, draw: Draw): string {
  const { family, given } = PEOPLE[code] ?? PEOPLE[COUNTRIES[0]!.code]!;
  return `${draw.pick(given)} ${draw.pick(family)}`;
}

/** First words of company names by country: [Latin, native script]; all invented uses of ordinary words. */
const FIRST_WORDS: Record<string, readonly (readonly [string, string])[]> = {
  JPN: [
    ["Sakura", "さくら"],
    ["Takatsuki", "髙月"],
    ["Takatsuki", "高月"],
    ["Aozora", "青空"],
    ["Hoshimi", "星見"],
    ["Kazemachi", "風待"],
    ["Minamo", "みなも"],
    ["Yuzuriha", "ゆずりは"],
    ["Asagiri", "朝霧"],
    ["Tsukikage", "月影"],
    ["Shirokane", "白銀"],
    ["Hamasaki", "濵﨑"],
    ["Hamasaki", "浜崎"],
    ["Kumomori", "雲森"],
    ["Komorebi", "コモレビ"],
    ["Natsuiro", "夏色"],
    ["Saitoh", "齋藤"],
    ["Saitoh", "斎藤"],
    ["Morinoko", "森の子"],
    ["Umineko", "ウミネコ"],
    ["Hidamari", "ひだまり"],
    ["Tamayura", "玉響"],
    ["Inaho", "稲穂"],
    ["Yukishiro", "雪代"],
    ["Nagisa", "渚"],
    ["Takashima", "髙島"],
  ],
  SGP: [
    ["Merlion Bay", "Merlion Bay"],
    ["Orchid Straits", "Orchid Straits"],
    ["Kallang Star", "加冷之星"],
    ["Angsana", "Angsana"],
    ["Tembusu", "Tembusu"],
    ["Raintree", "Raintree"],
    ["Golden Causeway", "金长堤"],
    ["Pandan", "Pandan"],
    ["Lion Harbour", "狮港"],
    ["Changi Breeze", "Changi Breeze"],
    ["Saga Seed", "Saga Seed"],
    ["Equator One", "Equator One"],
  ],
  IDN: [
    ["Bintang Samudra", "Bintang Samudra"],
    ["Melati Jaya", "Melati Jaya"],
    ["Nusa Cahaya", "Nusa Cahaya"],
    ["Garuda Langit", "Garuda Langit"],
    ["Cendana Raya", "Cendana Raya"],
    ["Merapi Baru", "Merapi Baru"],
    ["Tirta Kencana", "Tirta Kencana"],
    ["Rimba Hijau", "Rimba Hijau"],
    ["Surya Pelangi", "Surya Pelangi"],
    ["Anggrek Putih", "Anggrek Putih"],
    ["Bahari Sentosa", "Bahari Sentosa"],
    ["Kopi Senja", "Kopi Senja"],
  ],
  THA: [
    ["Siam Lotus", "สยามโลตัส"],
    ["Chao Dao", "เจ้าดาว"],
    ["Golden Rain", "ฝนทอง"],
    ["Doi Mok", "ดอยหมอก"],
    ["Rim Nam", "ริมน้ำ"],
    ["Fah Sai", "ฟ้าใส"],
    ["Chang Khao", "ช้างขาว"],
    ["Ratree", "ราตรี"],
    ["Mali", "มะลิ"],
    ["Andaman Blue", "อันดามันบลู"],
  ],
  VNM: [
    ["Sao Bien", "Sao Biển"],
    ["Hoa Sen Vang", "Hoa Sen Vàng"],
    ["Song Xanh", "Sông Xanh"],
    ["Nui Doi", "Núi Đôi"],
    ["Binh Minh Moi", "Bình Minh Mới"],
    ["Tre Viet", "Tre Việt"],
    ["Mua Thu", "Mùa Thu"],
    ["Canh Dieu", "Cánh Diều"],
    ["Trang Non", "Trăng Non"],
    ["Gio Nam", "Gió Nam"],
  ],
  PHL: [
    ["Bituin", "Bituin"],
    ["Sampaguita", "Sampaguita"],
    ["Amihan", "Amihan"],
    ["Habagat", "Habagat"],
    ["Perlas", "Perlas"],
    ["Bayanihan Isla", "Bayanihan Isla"],
    ["Narra", "Narra"],
    ["Señora Luz", "Señora Luz"],
    ["Dalisay", "Dalisay"],
    ["Bughaw", "Bughaw"],
  ],
};

/** [English, Japanese, what such a company does, its branches: sub-sectors or single industries] */
type SecondWord = readonly [string, string, string, readonly string[]];

/** The branches that no other word speaks of. */
const HOLDINGS: readonly string[] = [
  ...["Aerospace", "Consumer Electronics", "Insurance", "Leisure", "Media and Education"],
  ...["Oil and Gas", "Passenger Transport", "Telecommunications", "Water and Waste"],
];

/** Second words of company names, with the company's activity. */
const SECOND_WORDS: readonly SecondWord[] = [
  ["Foods", "食品", "makes chilled and frozen foods", ["Processed Food"]],
  ["Logistics", "物流", "runs warehouses and parcel delivery", ["Freight"]],
  ["Precision", "精密", "makes precision parts and instruments", ["Factory Equipment", "Precision Instruments"]],
  ["Chemicals", "化学", "makes specialty coatings and adhesives", ["Specialty Chemicals", "Basic Chemicals"]],
  ["Pharma", "製薬", "develops over-the-counter medicines", ["Pharmaceuticals", "Biotechnology"]],
  ["Construction", "建設", "builds and rents out construction machines", ["Construction Machinery"]],
  [
    "Electronics",
    "電子",
    "assembles sensors and circuit boards",
    ["Components", "Semiconductors", "Power Electronics"],
  ],
  ["Trading", "商事", "imports and wholesales consumer goods", ["Food Distribution", "Retail", "Personal Care"]],
  ["Systems", "システム", "writes business software", ["Software", "IT Services"]],
  ["Textiles", "繊維", "weaves technical fabrics", ["Apparel"]],
  ["Marine", "海運", "operates coastal vessels", ["Sea Freight", "Ferries"]],
  ["Energy", "エネルギー", "develops solar and wind plants", ["Electric Power", "Clean Technology"]],
  ["Brewing", "酒造", "brews sake, beer and soft drinks", ["Beverages"]],
  ["Steel", "製鋼", "rolls and cuts specialty steel", ["Metals"]],
  ["Paper", "製紙", "makes packaging board", ["Paper Mills", "Corrugated Board"]],
  ["Motors", "自動車", "makes parts for electric vehicles", ["Automotive Parts", "Automobiles"]],
  ["Robotics", "ロボット", "builds picking and sorting robots", ["Industrial Robots", "Drones"]],
  ["Estate", "不動産", "leases and manages buildings", ["Real Estate"]],
  ["Medical", "医療", "supplies clinics with devices", ["Medical Devices", "Health Services"]],
  ["Farm", "農園", "grows and packs vegetables", ["Farming"]],
  ["Glass", "硝子", "makes display and bottle glass", ["Glass Containers", "Displays"]],
  ["Travel", "観光", "runs hotels and tours", ["Hotels", "Theme Parks", "Travel Agencies", "Airlines", "Bus Services"]],
  ["Education", "教育", "runs evening schools", ["Evening Schools"]],
  ["Bakery", "ベーカリー", "bakes bread and cakes for supermarkets", ["Confectionery"]],
  ["Printing", "印刷", "prints labels and packaging", ["Labels", "Plastic Packaging", "Publishing"]],
  ["Capital", "キャピタル", "finances small companies", ["Capital Markets", "Banking"]],
  ["Aqua", "アクア", "treats and bottles water", ["Water Treatment", "Desalination", "Bottled Water"]],
  ["Optics", "光学", "grinds lenses", ["Optics", "Cameras"]],
  ["Furniture", "家具", "makes furniture", ["Home Centres", "Online Shops"]],
  ["Holdings", "ホールディングス", "holds a group of regional companies", HOLDINGS],
];

/** Family and given names of representatives by country. */
const PEOPLE: Record<string, { family: readonly string[]; given: readonly string[] }> = {
  JPN: { family: ["Sato", "髙橋", "山田", "Mori", "小林", "Ishida"], given: ["Yuki", "健太", "美咲", "Haruto", "Aoi"] },
  SGP: { family: ["Tan", "Lim", "Ng", "Kumar", "Wong"], given: ["Wei Ling", "Jun Jie", "Priya", "Marcus", "Hui Min"] },
  IDN: { family: ["Santoso", "Wijaya", "Putri", "Hidayat"], given: ["Budi", "Sari", "Dewi", "Agus"] },
  THA: { family: ["Srisai", "Chaiyo", "Suwan", "Rattana"], given: ["Somchai", "Malee", "Anong", "Niran"] },
  VNM: { family: ["Nguyễn", "Trần", "Lê", "Phạm"], given: ["Minh Anh", "Quốc Bảo", "Thu Hà", "Văn Long"] },
  PHL: { family: ["Reyes", "Santos", "Peña", "Cruz"], given: ["Maria", "Jose", "Angelica", "Ramon"] },
};
