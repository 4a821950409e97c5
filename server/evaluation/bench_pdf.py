"""A PDF of plain prose for the ingest benchmark, written by hand so that measuring needs no library."""

import textwrap

LINE_CHARACTERS = 88
PAGE_LINES = 48
LEADING = 14


def pdf(text: str) -> bytes:
    """Pages of 48 lines in Helvetica; a paragraph ends with a blank line. `text` is ASCII."""
    lines = [
        line for paragraph in text.split("\n\n") for line in [*textwrap.wrap(paragraph, LINE_CHARACTERS), ""]
    ]
    pages = [lines[start : start + PAGE_LINES] for start in range(0, len(lines), PAGE_LINES)]
    kids = " ".join(f"{4 + 2 * number} 0 R" for number in range(len(pages)))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for number, page in enumerate(pages):
        shown = "\n".join(f"({_escaped(line)}) Tj T*" for line in page)
        content = f"BT /F1 10 Tf {LEADING} TL 60 780 Td\n{shown}\nET"
        objects += [
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> "
            f"/Contents {5 + 2 * number} 0 R >>",
            f"<< /Length {len(content)} >>\nstream\n{content}\nendstream",
        ]
    return _written(objects)


def _escaped(line: str) -> str:
    return line.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")


def _written(objects: list[str]) -> bytes:
    """The objects, where each begins, and where that list is."""
    made, starts = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        starts.append(len(made))
        made += f"{number} 0 obj\n{body}\nendobj\n".encode("ascii")
    table = "".join(f"{start:010} 00000 n \n" for start in starts)
    size = len(objects) + 1
    end = f"trailer\n<< /Size {size} /Root 1 0 R >>\nstartxref\n{len(made)}\n%%EOF\n"
    return made + f"xref\n0 {size}\n0000000000 65535 f \n{table}{end}".encode("ascii")
