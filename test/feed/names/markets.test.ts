import { expect, it } from "@jest/globals";
import { readMarket } from "../../../src/feed/names/country-prefix";

it.each([
  ["7203.T", "7203", "JPN"],
  ["285A JP Equity", "285A", "JPN"],
  ["0700.HK", "0700", "HKG"],
  ["005930.KS", "005930", "KOR"],
  ["600519.SS", "600519", "CHN"],
  ["XSHE:000001", "000001", "CHN"],
  ["BBCA IJ Equity", "BBCA", "IDN"],
  ["PSE:ALI", "ALI", "PHL"],
  ["2330.TW", "2330", "TWN"],
  ["Toyota Motor (XTKS:7203)", "7203", "JPN"],
])("a ticker with its market's tag is read: %s", (text, ticker, country) => {
  expect(readMarket(text)).toEqual({ ticker, country });
});

it.each([
  ...["TSE:RY", "T CN Equity", "SAP.SG", "SHA.HM", "CS:GO", "VOLVB SS Equity", "THYAO.IS", "HIVE.CN", "T:mobile"],
  ...["1877-T", "29579-T", "3813-K", "3D CG", "Studio IN", "7-Eleven", "A&D HK", "Sakura Foods", "JPN:7203", ""],
])("another text is none: %s", (text) => {
  expect(readMarket(text)).toBeNull();
});
