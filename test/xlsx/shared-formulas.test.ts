import { describe, expect, it } from "@jest/globals";
import { createShared } from "../../src/xlsx/shared-formulas";

describe("a shared formula two rows below and one column to the right", () => {
  it.each([
    ["A1+b2", "B3+C4"],
    ["$A1+A$1+$A$1", "$A3+B$1+$A$1"],
    ["SUM(A1:$B$2)", "SUM(B3:$B$2)"],
    ["SUM(A:A,$A:B,1:1,$1:2)", "SUM(B:B,$A:C,3:3,$1:4)"],
    ["Sheet1!A1+'it''s A1'!A1:B2+[1]Book!$A1", "Sheet1!B3+'it''s A1'!B3:C4+[1]Book!$A3"],
    ["'[A1.xlsx]A1'!A1", "'[A1.xlsx]A1'!B3"],
    ["SUM(Sheet1:Sheet3!A1,Jan:Mar!A1,'Q1:Q3'!A1)", "SUM(Sheet1:Sheet3!B3,Jan:Mar!B3,'Q1:Q3'!B3)"],
    ['"A1"&A1&"""A1"', '"A1"&B3&"""A1"'],
    ["LOG10(A1)+ATAN2(A1,1)", "LOG10(B3)+ATAN2(B3,1)"],
    ["Rate+A1.B+_A1+TRUE+A1B", "Rate+A1.B+_A1+TRUE+A1B"],
    ["Sales[A1]+Sales[[#This Row],[A1]]", "Sales[A1]+Sales[[#This Row],[A1]]"],
    ["A1#+_xlfn.SINGLE(A1)+@A1", "B3#+_xlfn.SINGLE(B3)+@B3"],
    ["A1:INDEX(B:B,1E5)", "B3:INDEX(C:C,1E5)"],
    ["{1,2;3,4}*A1+1.5E+3", "{1,2;3,4}*B3+1.5E+3"],
    ["A1 A2,(A1:A3 B1)", "B3 B4,(B3:B5 C3)"],
    ["XFD1+A1048575", "#REF!+#REF!"],
    ["Sheet1!A1048576:A1+A1", "Sheet1!#REF!:B3+B3"],
    ["SUM(1048575:1048576)+SUM(XFD:XFD)", "SUM(#REF!)+SUM(#REF!)"],
    ["$XFD$1048576", "$XFD$1048576"],
    ["#REF!+A1", "#REF!+B3"],
  ])("reads %s as %s", (formula, shifted) => {
    expect(createShared(formula, 0, 0)(2, 1)).toBe(shifted);
  });

  it("runs over the sheet's edge above and to the left too", () => {
    const shared = createShared("A1+B2", 1, 1);
    expect([shared(0, 1), shared(1, 0), shared(0, 0)]).toEqual(["#REF!+B1", "#REF!+A2", "#REF!+A1"]);
  });
});
