import type { Catalogue } from "../../client/messages";

/** What formulas say, by the English templates. */
export const FUNCTIONS: Catalogue = {
  "{0} must be text, not {1}": "{0} は文字列で指定してください（入力値：{1}）",
  "{0} must be {1}, not {2}": "{0} は {1} で指定してください（入力値：{2}）",
  "the unit is in {0}, and the figure is in {1}, which is not converted; give a unit in {2} or without a currency":
    "単位は {0} ですが、この数値は {1} です（換算はしません）。{2} の単位か、通貨のない単位を指定してください",
  'unit must be "k", "m", "bn" or a number from 1e-12 to 1e15 to divide by, not {0}':
    'unit は "k"、"m"、"bn" か、割る数（1e-12 から 1e15）で指定してください（入力値：{0}）',
  "{0} is the number {1}, of which Excel keeps 15 digits alone; enter it as text, with an apostrophe before it":
    "{0} は数値 {1} です。Excel が保つのは 15 桁だけなので、先頭にアポストロフィを付けて文字列として入力してください",
  '{0} "{1}/{2}" may be a month or a year; write "{3}" or "FY{4}/{5}"':
    '{0} の "{1}/{2}" は月にも年度にも読めます。"{3}" または "FY{4}/{5}" と指定してください',
  '{0} {1} may be one of two days; write "{2}" or "{3}"':
    '{0} の {1} は 2 通りの日付に読めます。"{2}" または "{3}" と指定してください',
  "a value of another kind": "別の種類の値",
  "a {0}": "{0}",
  "a company's name, ticker, registration number or id": "企業の名称、証券コード、登録番号または ID",
  "{0} is missing; give {1}": "{0} が指定されていません。{1} を指定してください",
  "no answer within {0} seconds; it shows when it comes, or refresh later":
    "{0} 秒以内に応答がありませんでした。届くと表示されます。または後で更新してください",
  "lower top or name fewer fields": "top を小さくするか、項目を減らしてください",
  "{0}, or let numbers carry no properties (a switch of the pane)":
    "{0}。または FEED ウィンドウで数値のプロパティをオフにしてください",
  "{0} cells are more than a formula can show; {1}": "{0} 個のセルは数式で表示できる上限を超えています。{1}",
  "{0} rows would be {1} MB, above what a formula can show; {2}":
    "{0} 行は {1} MB になり、数式で表示できる上限を超えます。{2}",
  "the value is no number; report it to the provider": "値が数値ではありません。データ提供元に報告してください",
  "give fewer companies, years or metrics": "企業、年度、指標を減らしてください",
  "year and metric look swapped: {0} is {1}; exchange them":
    "year と metric が逆のようです（{0} が {1}）。入れ替えてください",
  '{0} must be a name such as "Revenue", not {1}':
    '{0} は "Revenue" や "売上高" などの名称で指定してください（入力値：{1}）',
  '{0} is a period of the provider, not a year; give it as basis, or "FY0" for the latest year':
    '{0} は年度ではなく、データ提供元の期間の名称です。basis に指定するか、最新年度なら "FY0" を指定してください',
  '{0} must be like 2023, "FY2023", "FY0" for the latest, "2019:2023" or a date, not {1}':
    '{0} は 2023、"FY2023"、最新年度の "FY0"、"2019:2023"、日付などで指定してください（入力値：{1}）',
  'a range of years is like "2019:2023" or "FY-4:FY0", the earlier first, not {0}':
    '年度の範囲は "2019:2023" や "FY-4:FY0" のように、古い年度を先に書いてください（入力値：{0}）',
  '"{0}" is no fiscal year; the provider has {1} of this company: give a year, and a period such as "HY2" as basis':
    '"{0}" は会計年度ではありません。データ提供元にあるこの企業の期間：{1}。year に年度を、basis に "HY2" などの期間を指定してください',
  "ask for another company": "別の企業を指定してください",
  'give {0} as year and "{1}" as basis': 'year に {0}、basis に "{1}" を指定してください',
  "the provider has no financials of this company; {0}": "データ提供元にこの企業の財務情報がありません。{0}",
  "the provider has no annual statement of this company; {0}": "データ提供元にこの企業の年次決算がありません。{0}",
  "{0} lies in several fiscal years: {1}; give one of them":
    "{0} は複数の会計年度（{1}）に含まれます。いずれか 1 つを指定してください",
  "the provider does not say when its fiscal years end, so {0} names none; give a year":
    "データ提供元が会計年度の期末を示していないため、{0} から年度を決められません。年度を指定してください",
  "no fiscal year of this company has {0}; ask for one of {1}":
    "この企業に {0} を含む会計年度はありません。次のいずれかを指定してください：{1}",
  "the ranges do not fit together, in rows: {0}; give ranges of the same number of rows, or of one row":
    "範囲の行数が合いません（{0}）。行数が同じ範囲か、1 行の範囲を指定してください",
  "the ranges do not fit together, in columns: {0}; give ranges of the same number of columns, or of one column":
    "範囲の列数が合いません（{0}）。列数が同じ範囲か、1 列の範囲を指定してください",
  "no formula shows an answer yet; enter one, or wait":
    "まだどの数式にも値がありません。数式を入力するか、しばらくお待ちください",
  "no formula shows financials yet; enter one such as FEED.FINANCIAL, or wait":
    "まだ財務情報を示す数式がありません。FEED.FINANCIAL などの数式を入力するか、しばらくお待ちください",
  "not read yet; press Enter to read it": "まだ取得していません。Enter キーで取得します",
  'name a field such as "primary.industryName"; without one, a single company is shown':
    '"primary.industryName" などの項目を指定してください。項目がない場合に表示できる企業は 1 社だけです',
  'the provider marks no classification of the company as primary; ask for "taxonomy"':
    'データ提供元はこの企業の主たる分類を示していません。"taxonomy" を指定してください',
  'the provider does not classify the company; ask for a field of its record such as "companyFormalName"':
    'データ提供元はこの企業を分類していません。"companyFormalName" など、企業の項目を指定してください',
  'the provider marks {0} classifications of the company as primary; ask for "taxonomy" to see them':
    'データ提供元はこの企業の主たる分類を {0} 個示しています。一覧は "taxonomy" で確認できます',
  "the provider gives no {0} for the company; ask for another field":
    "データ提供元はこの企業の {0} を提供していません。別の項目を指定してください",
  "give fewer companies": "企業を減らしてください",
  'the company has {0} classifications; ask for a field of "primary", or for this company alone':
    'この企業には分類が {0} 個あります。"primary" の項目を指定するか、この企業だけを指定してください',
  "field is missing; name one, since a card shows a single company":
    "field が指定されていません。カードで表示できる企業は 1 社だけです。項目を指定してください",
  "give fewer companies or fields": "企業または項目を減らしてください",
  'field must be a name such as "companyName", not {0}':
    'field は "companyName" などの項目名で指定してください（入力値：{0}）',
  "the provider has no company; refresh later": "データ提供元に企業がありません。後で更新してください",
  "the provider has no company in {0}; try another country":
    "データ提供元に {0} の企業はありません。別の国を試してください",
  "no company of any country has the identifier {0}; check it":
    "識別子 {0} の企業はどの国にもありません。識別子を確認してください",
  'no company in {0} has the identifier {1}; check it, or try country "ALL"':
    '{0} に識別子 {1} の企業はありません。識別子を確認するか、国 "ALL" を試してください',
  'fields has "{0}", which is several fields; name one of them after "{1}."':
    'fields の "{0}" は複数の項目を含みます。"{1}." の後に項目名を続けてください',
  'fields has "{0}", and a list needs a single company; use FEED.COMPANY':
    'fields の "{0}" は一覧なので、企業を 1 社に絞る必要があります。FEED.COMPANY を使ってください',
  "the provider gives no {0} of this company; name another field":
    "データ提供元はこの企業の {0} を提供していません。別の項目を指定してください",
  '"{0}" has several values per company; ask for it alone and for one company':
    '"{0}" は 1 社に複数の値があります。この項目だけを、1 社について指定してください',
  "the provider has no such numbers; ask for other years, metrics or companies":
    "データ提供元に該当する数値がありません。別の年度、指標、企業を指定してください",
  'no number has the basis "{0}"; give one of {1}':
    '区分 "{0}" の数値はありません。次のいずれかを指定してください：{1}',
  'layout "statement" shows one company, and companies has {0}; give one, or the layout "wide" or "long"':
    'レイアウト "statement" で表示できる企業は 1 社ですが、companies に {0} 社あります。1 社にするか、レイアウト "wide" または "long" を指定してください',
  'metrics has "{0}", which is a column of the layout "long"; leave it out':
    'metrics の "{0}" はレイアウト "long" の列です。metrics から除いてください',
  'text is missing; give part of a name such as "高島", a ticker or a registration number':
    'text が指定されていません。"高島" のような名称の一部、証券コード、または登録番号を指定してください',
  "text must have letters or digits of a name, a ticker or a registration number, not {0}":
    "text には名称、証券コード、登録番号の文字または数字が必要です（入力値：{0}）",
  'pagetype must be a page type such as "NEWS", not {0}; the closest is "{1}"':
    'pagetype は "NEWS" などのページ種別で指定してください（入力値：{0}）。最も近いのは "{1}" です',
  'start is missing; give a date, or a range such as "-7d" or "2024-03"':
    'start が指定されていません。日付か、"-7d"、"2024-03" などの期間を指定してください',
  '{0} is a cell with the date {1}, which may be meant as a month; write "{2}" as text for the month, or "{3}" for the day':
    '{0} は日付 {1} のセルですが、月の意味かもしれません。月なら文字列 "{2}"、その日なら文字列 "{3}" と指定してください',
  'end is missing; give a date, or as start a range such as "-7d" or "2024-03" alone':
    'end が指定されていません。日付を指定するか、start だけに "-7d"、"2024-03" などの期間を指定してください',
  "start is after end: {0}; exchange them": "start が end より後です：{0}。入れ替えてください",
  "the period begins after today: {0}; give an earlier one":
    "期間の始まりが今日より後です：{0}。過去の期間を指定してください",
  "{0} to {1}": "{0} から {1}",
  "{0} must have no time zone: write {1}, not {2}":
    "{0} にタイムゾーンは付けられません。{1} と書いてください（入力値：{2}）",
  '{0} must be a date such as "2024-01-31", a date cell, or "-7d", "MTD", "2024-03", not {1}':
    '{0} は "2024-01-31" などの日付、日付のセル、または "-7d"、"MTD"、"2024-03" で指定してください（入力値：{1}）',
  '{0} is the number {1}; for the year write "{2}-01-01" or "{3}-12-31"':
    '{0} が数値 {1} です。年を指定するには "{2}-01-01" または "{3}-12-31" と書いてください',
  '{0} must be a date such as "2024-01-31", not the number {1}':
    '{0} は "2024-01-31" などの日付で指定してください（入力値：数値 {1}）',
  company: "企業",
  "lower top, name fewer fields, or fields of one page type":
    "top を小さくするか、項目を減らすか、1 つのページ種別の項目にしてください",
  "the provider ranks no {0} from {1}; give another range":
    "データ提供元のランキングには、{1} の{0}がありません。別の期間を指定してください",
  'a ticker, a name, or "top 20"': '証券コード、名称、または "top 20"',
  'names must be "top 1" or more, not {0}': 'names は "top 1" 以上で指定してください（入力値：{0}）',
  "names must be tickers or names as a ranking shows them, not {0}":
    "names はランキングに表示される証券コードまたは名称で指定してください（入力値：{0}）",
  "give fewer names or periods": "names または periods を減らしてください",
  'periods is missing; give periods such as "-12w" or "2024-01:2024-12", or cells with dates':
    'periods が指定されていません。"-12w"、"2024-01:2024-12" などの期間か、日付のセルを指定してください',
  'periods mixes dates with periods; give dates alone, or periods such as "2024-03" alone':
    'periods に日付と期間が混在しています。日付だけ、または "2024-03" などの期間だけを指定してください',
  'dates in periods must be first days of months, or days, at equal steps; give periods such as "2024-03" for others':
    'periods の日付は、等間隔に並ぶ月初か、等間隔に並ぶ日（いずれも昇順）にしてください。ほかは "2024-03" などの期間で指定してください',
  "{0} begins after it ends: {1}; exchange them": "{0} の始まりが終わりより後です：{1}。入れ替えてください",
  "periods must be 1 to {0} columns; give fewer or longer ones":
    "periods は 1 ～ {0} 列にしてください。数を減らすか、長い期間にしてください",
  '{0} must be of whole days, such as "2024-01-31" or "2024-03", not {1}':
    '{0} は "2024-01-31"、"2024-03" などの日単位で指定してください（入力値：{1}）',
  'period is missing; give a period such as "-7d", "2024-03" or "2024-W12"':
    'period が指定されていません。"-7d"、"2024-03"、"2024-W12" などの期間を指定してください',
  'ranking must be "companies", "industries" or a page type such as "NEWS", not {0}; the closest is "{1}"':
    'ranking は "companies"、"industries"、または "NEWS" などのページ種別で指定してください（入力値：{0}）。最も近いのは "{1}" です',
  '{0} must be "rank" or a measure such as "totalPageViews", not {1}; the closest is "{2}"':
    '{0} は "rank" または "totalPageViews" などの指標で指定してください（入力値：{1}）。最も近いのは "{2}" です',
  "the provider ranks no {0} in {1}; give another period":
    "データ提供元の {1} のランキングには{0}がありません。別の期間を指定してください",
  "it is not in the ranking of {0}; choose a period in which it was viewed":
    "{0} のランキングにありません。閲覧のあった期間を指定してください",
  'it is not among the first {0} of {1}; name it in place of "top", which reads the whole ranking':
    '{1} の上位 {0} にありません。"top" の代わりに名前を指定すると、ランキング全体を取得します',
  "the provider has no number to rank it by in {0}; choose another ranking":
    "データ提供元に {0} の順位の基になる数値がありません。別のランキングを指定してください",
  "no {0} in these rankings is called {1}; give a ticker, an industry's id or a name, since rankings have no registration numbers and no company ids":
    "これらのランキングに {1} という{0}はありません。ランキングには登録番号も企業 ID もないため、証券コード、業種の ID、または名称を指定してください",
  "{0} fits {1} rows of these rankings: {2}; give the ticker or the industry's id":
    "{0} はランキングの {1} 行に当てはまります：{2}。証券コードまたは業種の ID を指定してください",
  "{0} is not certain in {1}: {2} could be it; compare them in FEED.RANKING":
    "{1} の {0} を特定できません。候補：{2}。FEED.RANKING で見比べてください",
  '{0} has no ticker, so that only the whole ranking of {1} shows whether it is alone; name it in place of "top"':
    '{0} には証券コードがなく、ほかにないかは {1} のランキング全体でしか確かめられません。"top" の代わりに名前を指定してください',
  "{0} has no ticker, and it may have another name in {1}; compare both periods in FEED.RANKING":
    "{0} には証券コードがなく、{1} では別の名称の可能性があります。両方の期間を FEED.RANKING で見比べてください",
  'top must be a whole number from 1, or "all", not {0}':
    'top は 1 以上の整数か "all" で指定してください（入力値：{0}）',
  "{0} must be TRUE or FALSE, not {1}": "{0} は TRUE または FALSE で指定してください（入力値：{1}）",
  'country is missing; give a code such as "JPN", or "ALL"':
    'country が指定されていません。"JPN" などの国コードか "ALL" を指定してください',
  'country must be a code of three letters such as "JPN", or "ALL", not {0}':
    'country は "JPN" などの 3 文字の国コードか "ALL" で指定してください（入力値：{0}）',
  'there is no field "{0}"; the closest is "{1}"': '項目 "{0}" はありません。最も近い項目は "{1}" です',
  '"{0}" is no number in the provider\'s answer; report it to the provider':
    'データ提供元の応答で、"{0}" が数値ではありません。データ提供元に報告してください',
  '"{0}" is no date in the provider\'s answer; report it to the provider':
    'データ提供元の応答で、"{0}" が日付ではありません。データ提供元に報告してください',
  'by must be a measure such as "totalPageViews"; the closest to {0} is "{1}"':
    'by は "totalPageViews" などの指標で指定してください。{0} に最も近いのは "{1}" です',
  'parent must be left out with level "sector", since nothing stands above a sector':
    'セクターには上位の分類がないため、level が "sector" のとき parent は省略してください',
  "the provider's tree is empty; refresh later": "データ提供元の分類が空です。後で更新してください",
  "node is missing; give the id of an industry, sub-sector or sector, as FEED.TAXONOMY shows it":
    "node が指定されていません。FEED.TAXONOMY が示す業種、サブセクター、セクターの ID を指定してください",
  'the provider has no {0} under "{1}"{2}; {3}': 'データ提供元の分類 "{1}" には、{2}{0}がありません。{3}',
  "another node": "別の分類を指定してください",
  "try another node": "別の分類を試してください",
  "the provider has no {0}{1}; {2}": "データ提供元には、{1}{0}がありません。{2}",
  "a wider level": "より広い階層を指定してください",
  "try a wider level": "より広い階層を試してください",
  "the provider has no other {0} of the same {1}{2}; {3}": "データ提供元には、同じ{1}の {2}ほかの{0}がありません。{3}",
  "listed company": "上場企業",
  "private company": "非上場企業",
  "try {0}, or {1}": "{0} を試すか、{1}",
  '{0} must be an id of the taxonomy such as "IND040101", not {1}':
    '{0} は "IND040101" のような分類の ID で指定してください（入力値：{1}）',
  "a column of names": "名称の列",
  "names must be one column such as A2:A500, not {0} columns":
    "names は A2:A500 のような 1 列で指定してください（入力は {0} 列）",
  "hints must have a row for each name: names have {0} rows, hints {1}":
    "hints は names と同じ行数で指定してください（names は {0} 行、hints は {1} 行）",
  "give fewer names or fields": "名称または項目を減らしてください",
  'no company is named like "{0}"; check the name and the country':
    '"{0}" に似た名称の企業はありません。名称と国を確認してください',
  '"{0}" is not certain; the closest: {1}; choose one in the FEED pane, or give a hint such as a ticker or website':
    '"{0}" がどの企業か確定できません。最も近い企業：{1}。FEED ウィンドウで選ぶか、証券コードやウェブサイトなどの手がかりを指定してください',
  "{0} alike": "該当 {0} 社",
  "not certain": "不確か",
  "same name": "名称が同じ",
  name: "名称",
  "no similar name": "似た名称なし",
  workbook: "ブックでの選択",
  companyId: "企業 ID",
  ticker: "証券コード",
  registrationNumber: "登録番号",
  website: "ウェブサイト",
  city: "都市",
  legalForm: "法人形態",
};
