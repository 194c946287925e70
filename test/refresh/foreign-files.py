"""Writes some 30 workbooks of other programs into a folder, each with FEED cells: openpyxl, XlsxWriter, LibreOffice.

Usage: python3 foreign-files.py FOLDER
       python3 foreign-files.py --read FILE...   prints, as JSON, each file's values and formulas by openpyxl

Each workbook's first sheet has in B2:B4 FEED formulas with stored values, in B5 =SUM(B2:B4) where the program stores one,
and in D2 a text. XlsxWriter's have a dynamic array of FEED at F2 (spilling to F2:G3) besides.
"""
import datetime, io, json, os, subprocess, sys, zipfile
import openpyxl, xlsxwriter
from openpyxl.chart import BarChart, LineChart, Reference
from openpyxl.comments import Comment
from openpyxl.formatting.rule import ColorScaleRule, CellIsRule, DataBarRule
from openpyxl.styles import Font, PatternFill
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.table import Table, TableStyleInfo
from openpyxl.workbook.defined_name import DefinedName

FIN = '_xldudf_FEED_FINANCIAL("%s",2023,"Revenue")'
IDS = ["3d1ce6e7-7fd1-463c-ab13-8646d111213d", "91c6b211-c4b4-490a-a1f2-3fcde0a6f08f", "bca112fc-4390-457f-887d-2e836eaf9ed3"]


def xw(path, build, feed=True, **options):
    book = xlsxwriter.Workbook(path, options)
    sheet = book.add_worksheet("Model")
    money = book.add_format({"num_format": "#,##0.00", "bold": True})
    if feed:
        for at, company in enumerate(IDS):
            sheet.write_string(1 + at, 0, company)
            sheet.write_formula(1 + at, 1, "=" + FIN % company, money, 100.5 + at)
        sheet.write_formula("B5", "=SUM(B2:B4)", None, 304.5)
        sheet.write_formula("C5", '=IF(B5>300,"high <&>","low")', None, "high <&>")
        sheet.write_string("D2", "東京 & <others>\n\"q\"")
        sheet.write_dynamic_array_formula("F2:G3", '=_xldudf_FEED_RANKING("2024-01",,2)', None, 1)
        sheet.write_string("F3", "b")
        sheet.write_number("G2", 7)
        sheet.write_number("G3", 8)
    build(book, sheet)
    book.close()


def table(book, sheet):
    sheet.add_table("I1:K4", {"name": "Sales", "columns": [{"header": "a b"}, {"header": "two\nlines"}, {"header": "sum", "formula": "=Sales[@[a b]]*2"}], "data": [[1, 2], [3, 4], [5, 6]], "total_row": False})


def charts(book, sheet):
    for kind in ("column", "line", "pie"):
        chart = book.add_chart({"type": kind})
        chart.add_series({"values": "=Model!$B$2:$B$4", "categories": "=Model!$A$2:$A$4"})
        sheet.insert_chart("I8", chart)
    book.add_chartsheet("Chart").set_chart(_chart(book))


def _chart(book):
    chart = book.add_chart({"type": "bar"})
    chart.add_series({"values": "=Model!$B$2:$B$4"})
    return chart


def conditional(book, sheet):
    for kind in ({"type": "3_color_scale"}, {"type": "data_bar", "data_bar_2010": True}, {"type": "icon_set", "icon_style": "3_arrows"}, {"type": "formula", "criteria": "=$B2>1", "format": book.add_format({"bg_color": "red"})}):
        sheet.conditional_format("B2:B9", kind)


def validation(book, sheet):
    sheet.data_validation("I1", {"validate": "list", "source": ["a", "b"]})
    sheet.data_validation("I2", {"validate": "list", "source": "=Other!$A$1:$A$3"})
    book.add_worksheet("Other").write_column("A1", ["x", "y", "z"])


def comments(book, sheet):
    sheet.write_comment("B2", "from us")
    sheet.write_comment("B3", "日本語\n二行", {"visible": True})
    sheet.write_url("I1", "https://example.com/?a=1&b=2")
    sheet.insert_textbox("I4", "box")
    sheet.insert_button("I9", {"caption": "go"})


def rich(book, sheet):
    bold = book.add_format({"bold": True})
    sheet.write_rich_string("I1", "plain ", bold, "bold", " end ")
    sheet.write_string("I2", "  spaces  ")
    sheet.write_string("I3", "_x0041_ \r\n\x07")
    sheet.write_boolean("I4", True)
    sheet.write_formula("I5", "=1/0", None, "#DIV/0!")
    sheet.write_formula("I6", "=NA()", None, "#N/A")
    sheet.write_formula("I7", "=TRUE()", None, True)
    sheet.write_formula("I8", '=""', None, "")
    sheet.write_datetime("I9", datetime.datetime(2024, 1, 31, 12), book.add_format({"num_format": "yyyy-mm-dd"}))
    sheet.write_array_formula("J1:J3", "{=A2:A4&1}", None, "x1")
    sheet.write_number("J9", 1e-300)


def layout(book, sheet):
    sheet.set_column("A:C", 20, book.add_format({"bg_color": "yellow"}))
    sheet.set_row(9, 40, book.add_format({"italic": True}))
    sheet.freeze_panes(1, 1)
    sheet.merge_range("I1:J2", "merged")
    sheet.autofilter("A1:B4")
    sheet.set_column("K:M", None, None, {"level": 1, "hidden": True})
    sheet.protect("secret")
    sheet.print_area("A1:F9")
    sheet.repeat_rows(0)
    sheet.set_header("&Lleft")
    sheet.add_sparkline("I5", {"range": "Model!B2:B4"})


def names(book, sheet):
    other = book.add_worksheet("It's 日本")
    other.write_formula("A1", "=Model!B5*Rate", None, 609)
    book.define_name("Rate", "=2")
    book.define_name("Feed", "=" + FIN % IDS[0])
    book.define_name("'It's 日本'!Local", "='It''s 日本'!$A$1")


def image(book, sheet):
    import struct, zlib
    raw = zlib.compress(b"\x00\xff\x00\x00")
    chunk = lambda kind, data: struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    png = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)) + chunk(b"IDAT", raw) + chunk(b"IEND", b"")
    sheet.insert_image("I3", "a.png", {"image_data": io.BytesIO(png)})


def many(book, sheet):
    for row in range(10, 2000):
        for column in range(10):
            sheet.write_number(row, column, row * column / 7)


def macros(folder, path):
    vba = os.path.join(folder, "vbaProject.bin")
    with zipfile.ZipFile(vba, "w") as made:  # bytes that no program may change
        made.writestr("x", bytes(range(256)))
    def build(book, sheet):
        book.add_vba_project(vba)
        sheet.insert_button("I2", {"macro": "go"})
    xw(path, build)


def op(path, build):
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Model"
    for at, company in enumerate(IDS):
        sheet.cell(2 + at, 1, company)
        sheet.cell(2 + at, 2, "=" + FIN % company).number_format = "0.00"
    sheet["B5"] = "=SUM(B2:B4)"
    sheet["D2"] = "東京 & <others>"
    build(book, sheet)
    book.save(path)


def op_charts(book, sheet):
    for kind in (BarChart, LineChart):
        chart = kind()
        chart.add_data(Reference(sheet, min_col=2, min_row=1, max_row=4))
        sheet.add_chart(chart, "I2")
    book.create_chartsheet("Chart").add_chart(BarChart())


def op_rules(book, sheet):
    sheet.conditional_formatting.add("B2:B9", ColorScaleRule(start_type="min", start_color="FF0000", end_type="max", end_color="00FF00"))
    sheet.conditional_formatting.add("B2:B9", CellIsRule(operator="greaterThan", formula=["3"], fill=PatternFill(bgColor="FF0000")))
    sheet.conditional_formatting.add("B2:B9", DataBarRule(start_type="min", end_type="max", color="0000FF"))
    rule = DataValidation(type="list", formula1='"a,b"')
    sheet.add_data_validation(rule)
    rule.add("I1")


def op_table(book, sheet):
    for at, row in enumerate([("one", "two"), (1, 2), (3, 4)]):
        for column, value in enumerate(row):
            sheet.cell(1 + at, 9 + column, value)
    made = Table(displayName="Made", ref="I1:J3")
    made.tableStyleInfo = TableStyleInfo(name="TableStyleMedium9")
    sheet.add_table(made)
    sheet["B2"].comment = Comment("hello", "me")
    book.defined_names.append(DefinedName("Rate", attr_text="2"))


def op_arrays(book, sheet):
    sheet["I1"] = "=A2:A4&1"
    sheet.formula_attributes["I1"] = {"t": "array", "ref": "I1:I3"}
    sheet["J1"] = datetime.date(2024, 1, 31)
    sheet["J2"] = True
    sheet["J3"] = "  spaces \n"
    sheet["J4"] = "#N/A"
    sheet["J5"].font = Font(bold=True)
    sheet.merge_cells("K1:L2")
    sheet.sheet_view.showGridLines = False
    sheet.freeze_panes = "B2"


def op_1904(book, sheet):
    from openpyxl.utils.datetime import CALENDAR_MAC_1904
    book.epoch = CALENDAR_MAC_1904
    sheet["I1"] = datetime.datetime(2024, 1, 31, 6)


def op_sheets(book, sheet):
    for name in ("二枚目", "R&D", "it's"):
        made = book.create_sheet(name)
        made["A1"] = "=Model!B5"
        made.sheet_state = "hidden" if name == "R&D" else "visible"


def op_write_only(path):
    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet("Model")
    sheet.append([])
    for company in IDS:
        sheet.append([company, "=" + FIN % company, None, "東京"])
    sheet.append([None, "=SUM(B2:B4)"])
    book.save(path)


def edit(source, path, changes, store=zipfile.ZIP_DEFLATED):
    """A copy of a file with the texts of some parts, and their paths, changed: what no library here writes."""
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(path, "w", store) as new:
        for item in old.infolist():
            text = old.read(item)
            name = item.filename
            for part, change in changes.items():
                if part in name or part == "*":
                    changed = change(name, text.decode("utf-8")) if name.endswith((".xml", ".rels")) else (name, text)
                    name, text = changed
            new.writestr(name, text)


def prefixed(name, text):
    import re
    if "spreadsheetml/2006/main" not in text or "worksheet" not in name and "workbook.xml" not in name: return name, text
    if name.endswith(".rels"): return name, text
    text = re.sub(r"<(/?)([A-Za-z]+)(?=[\s/>])", r"<\1x:\2", text).replace("<?x:xml", "<?xml")
    return name, text.replace('xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"', 'xmlns:x="http://schemas.openxmlformats.org/spreadsheetml/2006/main"')


def utf16(name, text):
    if "worksheets/sheet" not in name or name.endswith(".rels"): return name, text
    return name, text.replace('encoding="UTF-8"', 'encoding="UTF-16"').encode("utf-16")


def renamed(name, text):
    if not isinstance(text, str): return name, text
    return name.replace("worksheets/sheet1", "cells/first-sheet"), text.replace("worksheets/sheet1", "cells/first-sheet")


def make(folder):
    os.makedirs(folder, exist_ok=True)
    at = lambda name: os.path.join(folder, name)
    builders = {"table": table, "charts": charts, "conditional": conditional, "validation": validation, "comments": comments, "rich": rich, "layout": layout, "names": names, "image": image, "many": many, "plain": lambda book, sheet: None}
    for name, build in builders.items():
        xw(at(f"xlsxwriter-{name}.xlsx"), build)
    xw(at("xlsxwriter-inline.xlsx"), rich, constant_memory=False, in_memory=True)
    xw(at("xlsxwriter-1904.xlsx"), rich, date_1904=True)
    def constant(book, sheet):
        for row, company in enumerate(IDS):
            sheet.write_string(1 + row, 0, company)
            sheet.write_formula(1 + row, 1, "=" + FIN % company, None, 1.5)
            sheet.write_string(1 + row, 3, " inline & ")
        sheet.write_formula("B5", "=SUM(B2:B4)", None, 4.5)
    xw(at("xlsxwriter-constant-memory.xlsx"), constant, feed=False, constant_memory=True)
    macros(folder, at("xlsxwriter-macros.xlsm"))
    os.remove(at("vbaProject.bin"))
    for name, build in {"charts": op_charts, "rules": op_rules, "table": op_table, "arrays": op_arrays, "1904": op_1904, "sheets": op_sheets, "plain": lambda book, sheet: None}.items():
        op(at(f"openpyxl-{name}.xlsx"), build)
    op_write_only(at("openpyxl-write-only.xlsx"))
    plain = at("xlsxwriter-names.xlsx")
    edit(plain, at("edited-prefixes.xlsx"), {"*": prefixed})
    edit(plain, at("edited-utf16.xlsx"), {"*": utf16})
    edit(plain, at("edited-stored.xlsx"), {}, zipfile.ZIP_STORED)
    edit(plain, at("edited-part-names.xlsx"), {"*": renamed})
    before = [name for name in sorted(os.listdir(folder)) if name.endswith((".xlsx", ".xlsm")) and name.startswith(("xlsxwriter-table", "xlsxwriter-charts", "xlsxwriter-conditional", "xlsxwriter-rich", "xlsxwriter-layout", "openpyxl-sheets", "xlsxwriter-comments"))]
    office = at("office")
    subprocess.run(["soffice", "--headless", f"-env:UserInstallation=file://{os.path.abspath(at('profile'))}", "--convert-to", "xlsx:Calc MS Excel 2007 XML", "--outdir", office, *map(at, before)], check=True, stdout=subprocess.DEVNULL)
    for name in os.listdir(office):
        os.rename(os.path.join(office, name), at("libreoffice-" + name.split("-", 1)[1]))
    subprocess.run(["rm", "-rf", office, at("profile")], check=True)
    print(len(os.listdir(folder)), "files in", folder)


def try_to_read(path):
    try:
        return read(path)
    except Exception as error:
        return {"error": repr(error)[:200]}


def read(path):
    """Values and formulas by sheet and address."""
    found = {}
    for data_only in (True, False):
        book = openpyxl.load_workbook(path, data_only=data_only, keep_vba=True)
        for sheet in book.worksheets:
            for cell in sheet._cells.values():  # those that are there: a sheet may end in its last corner
                value = cell.value
                if value is None or type(cell).__name__ == "MergedCell": continue
                if hasattr(value, "text"): value = "=" + value.text.lstrip("=")
                if isinstance(value, (datetime.datetime, datetime.date, datetime.time, datetime.timedelta)):
                    value = openpyxl.utils.datetime.to_excel(value, book.epoch)
                found.setdefault(sheet.title, {}).setdefault(cell.coordinate, [None, None])[0 if data_only else 1] = value
    return found


if __name__ == "__main__":
    if sys.argv[1] == "--read":
        print(json.dumps({path: try_to_read(path) for path in sys.argv[2:]}, default=str).replace("NaN", "null").replace("Infinity", "null"))
    else:
        make(sys.argv[1])
