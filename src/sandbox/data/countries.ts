/** The generator's facts about a country. */
export interface Country {
  code: string;
  name: string;
  currency: string;
  /** Units of the currency to one US dollar, about. */
  perDollar: number;
  /** Amounts are multiples of this many currency units. */
  rounding: number;
  cities: readonly string[];
  phonePrefix: string;
  legalStructures: readonly string[];
  /** Months in which fiscal years end; repeated entries are likelier. */
  yearEndMonths: readonly number[];
  exchange: { name: string; code: string };
  websiteSuffix: string;
}

export const COUNTRIES: readonly Country[] = [
  {
    code: "JPN",
    name: "Japan",
    currency: "JPY",
    perDollar: 140,
    rounding: 1000,
    cities: ["Tokyo", "Osaka", "Nagoya", "Fukuoka", "Sapporo", "Kyoto", "Sendai", "Hiroshima", "Kobe", "Kanazawa"],
    phonePrefix: "+81-3",
    legalStructures: ["Kabushiki Kaisha", "Godo Kaisha", "Yugen Kaisha"],
    yearEndMonths: [3, 3, 3, 3, 3, 12, 12, 9, 6, 2],
    exchange: { name: "Tokyo Sample Exchange", code: "TSX-S" },
    websiteSuffix: "co.jp.example",
  },
  {
    code: "SGP",
    name: "Singapore",
    currency: "SGD",
    perDollar: 1.35,
    rounding: 1,
    cities: ["Singapore"],
    phonePrefix: "+65-6",
    legalStructures: ["Private Limited Company", "Limited Liability Partnership", "Exempt Private Company"],
    yearEndMonths: [12, 12, 12, 3, 6],
    exchange: { name: "Singapore Sample Exchange", code: "SSX-S" },
    websiteSuffix: "com.sg.example",
  },
  {
    code: "IDN",
    name: "Indonesia",
    currency: "IDR",
    perDollar: 15500,
    rounding: 100000,
    cities: ["Jakarta", "Surabaya", "Bandung", "Medan", "Semarang"],
    phonePrefix: "+62-21",
    legalStructures: ["Perseroan Terbatas", "Commanditaire Vennootschap"],
    yearEndMonths: [12],
    exchange: { name: "Jakarta Sample Exchange", code: "JSX-S" },
    websiteSuffix: "co.id.example",
  },
  {
    code: "THA",
    name: "Thailand",
    currency: "THB",
    perDollar: 35,
    rounding: 100,
    cities: ["Bangkok", "Chiang Mai", "Rayong", "Khon Kaen"],
    phonePrefix: "+66-2",
    legalStructures: ["Company Limited", "Limited Partnership"],
    yearEndMonths: [12, 12, 12, 9],
    exchange: { name: "Bangkok Sample Exchange", code: "BSX-S" },
    websiteSuffix: "co.th.example",
  },
  {
    code: "VNM",
    name: "Viet Nam",
    currency: "VND",
    perDollar: 24500,
    rounding: 1000000,
    cities: ["Ha Noi", "Ho Chi Minh City", "Da Nang", "Hai Phong"],
    phonePrefix: "+84-28",
    legalStructures: ["Joint Stock Company", "Limited Liability Company"],
    yearEndMonths: [12],
    exchange: { name: "Ha Noi Sample Exchange", code: "HSX-S" },
    websiteSuffix: "com.vn.example",
  },
  {
    code: "PHL",
    name: "Philippines",
    currency: "PHP",
    perDollar: 56,
    rounding: 100,
    cities: ["Manila", "Cebu City", "Davao City", "Quezon City"],
    phonePrefix: "+63-2",
    legalStructures: ["Corporation", "Partnership"],
    yearEndMonths: [12, 12, 6],
    exchange: { name: "Manila Sample Exchange", code: "MSX-S" },
    websiteSuffix: "com.ph.example",
  },
];

/** Country of every twenty companies in a row, as places in COUNTRIES: fixed, so that country n's k-th company is known. */
const CYCLE: readonly number[] = [0, 1, 0, 2, 3, 0, 4, 5, 0, 1, 2, 0, 3, 4, 0, 1, 2, 3, 4, 5];

/** For each place of the cycle: how many earlier places have its country, and how many of all have it. */
const EARLIER = CYCLE.map((place, at) => CYCLE.slice(0, at).filter((other) => other === place).length);
const SHARES = CYCLE.map((place) => CYCLE.filter((other) => other === place).length);

/** The country of the company with this index. */
export function pickCountry(index: number): Country {
  return COUNTRIES[CYCLE[index % CYCLE.length]!]!;
}

/** How many companies of the same country have a lower index. */
export function countEarlier(index: number): number {
  const place = index % CYCLE.length;
  return SHARES[place]! * Math.floor(index / CYCLE.length) + EARLIER[place]!;
}
