"""Reads a workbook (.xlsx) by Python's own zipfile and ElementTree, which share no code with what wrote it.

Prints JSON: the names of the zip's members, and of each sheet its name and its rows, each a list of [reference, type, value, style].
"""

import json
import re
import sys
import zipfile
from xml.etree import ElementTree

MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
PACKAGE = "{http://schemas.openxmlformats.org/package/2006/relationships}"


def plain(text):
    """ST_Xstring: _xHHHH_ is a UTF-16 code unit."""
    return re.sub("_x([0-9A-Fa-f]{4})_", lambda found: chr(int(found.group(1), 16)), text)


def cell(element):
    kind = element.get("t", "n")
    if kind == "inlineStr":
        value = plain("".join(part.text or "" for part in element.iter(MAIN + "t")))
    else:
        value = element.findtext(MAIN + "v")
    if element.find(MAIN + "f") is not None:
        kind = "formula"
    return [element.get("r"), kind, value, int(element.get("s", "0"))]


def sheet(archive, path):
    rows = []
    with archive.open(path) as file:
        for _, element in ElementTree.iterparse(file):
            if element.tag == MAIN + "row":
                rows.append([cell(each) for each in element.findall(MAIN + "c")])
                element.clear()
    return rows


with zipfile.ZipFile(sys.argv[1]) as archive:
    broken = archive.testzip()
    if broken is not None:
        raise SystemExit(f"{broken} is damaged")
    relations = {
        each.get("Id"): each.get("Target")
        for each in ElementTree.fromstring(archive.read("xl/_rels/workbook.xml.rels")).findall(PACKAGE + "Relationship")
    }
    types = ElementTree.fromstring(archive.read("[Content_Types].xml"))
    styles = ElementTree.fromstring(archive.read("xl/styles.xml"))
    workbook = ElementTree.fromstring(archive.read("xl/workbook.xml"))
    sheets = [
        {"name": each.get("name"), "rows": sheet(archive, "xl/" + relations[each.get(RELATION)])}
        for each in workbook.iter(MAIN + "sheet")
    ]
    json.dump({"members": archive.namelist(), "sheets": sheets}, sys.stdout)
