#!/usr/bin/env python3
"""Draws the pictures of the vault format: python3 make.py [DIRECTORY]"""

import sys
from html import escape
from pathlib import Path

KEY, ROOT, PART, SEALED, ZERO, WHITE = "#d9e8fb", "#fde9c3", "#e4f3df", "#f9dcd8", "#f2f2f2", "#ffffff"
INK, FAINT = "#1c1c1c", "#8a8a8a"
LINE = 15


class Picture:
    """An SVG picture with a white background, for light and dark pages."""

    def __init__(self, name: str, title: str, width: int, height: int):
        self.name = name
        self.parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
            f'height="{height}" font-family="Helvetica, Arial, sans-serif" font-size="12" fill="{INK}">',
            f"<title>{escape(title)}</title>",
            f'<rect width="{width}" height="{height}" fill="{WHITE}"/>',
        ]

    def text(self, x: float, y: float, text: str, anchor: str = "start", size: int = 12, bold: bool = False) -> None:
        if not text:
            return
        weight = ' font-weight="bold"' if bold else ""
        self.parts.append(f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" font-size="{size}"{weight}>'
                          f"{escape(text)}</text>")

    def rect(self, x: float, y: float, width: float, height: float, fill: str = WHITE, stroke: str = INK) -> None:
        self.parts.append(f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" fill="{fill}" '
                          f'stroke="{stroke}"/>')

    def box(self, x: float, y: float, width: float, height: float, text: str, fill: str) -> None:
        """Draws a box with lines of text in its middle, the first of them bold."""
        self.rect(x, y, width, height, fill)
        lines = text.split("\n")
        top = y + height / 2 - LINE * len(lines) / 2 + 11
        for number, line in enumerate(lines):
            self.text(x + width / 2, top + LINE * number, line, "middle", bold=number == 0)

    def notes(self, x: float, y: float, text: str) -> None:
        """Writes lines of text, the first of them bold."""
        for number, line in enumerate(text.split("\n")):
            self.text(x, y + LINE * number, line, bold=number == 0)

    def line(self, points: list[tuple[float, float]], dashed: bool = False, stroke: str = INK) -> None:
        dashes = ' stroke-dasharray="5 3"' if dashed else ""
        path = " ".join(f"{x:g},{y:g}" for x, y in points)
        self.parts.append(f'<polyline points="{path}" fill="none" stroke="{stroke}"{dashes}/>')

    def arrow(self, points: list[tuple[float, float]], dashed: bool = False) -> None:
        """Draws a line of horizontal and vertical pieces with a head at its end."""
        (fromx, fromy), (x, y) = points[-2:]
        dx, dy = (x > fromx) - (x < fromx), (y > fromy) - (y < fromy)
        self.line(points[:-1] + [(x - 4 * dx, y - 4 * dy)], dashed)
        left, right = (x - 8 * dx + 4 * dy, y - 8 * dy + 4 * dx), (x - 8 * dx - 4 * dy, y - 8 * dy - 4 * dx)
        head = " ".join(f"{a:g},{b:g}" for a, b in ((x, y), left, right))
        self.parts.append(f'<polygon points="{head}" fill="{INK}"/>')

    def dot(self, x: float, y: float) -> None:
        self.parts.append(f'<circle cx="{x:g}" cy="{y:g}" r="3.5" fill="{INK}"/>')

    def table(self, x: float, y: float, width: float, title: str, rows: list[str], fill: str) -> list[float]:
        """Draws a title with rows below it, and returns the middle of each row."""
        self.box(x, y, width, 26, title, fill)
        middles = []
        for number, row in enumerate(rows):
            top = y + 26 + 22 * number
            self.rect(x, top, width, 22)
            self.text(x + 8, top + 15, row)
            middles.append(top + 11)
        return middles

    def write(self, directory: Path) -> None:
        (directory / f"{self.name}.svg").write_text("\n".join(self.parts + ["</svg>", ""]), "utf-8")


def keys() -> Picture:
    picture = Picture("keys", "The keys of a vault", 1130, 810)
    picture.arrow([(20, 28), (70, 28)])
    picture.text(78, 32, "derived: nothing is stored")
    picture.arrow([(270, 28), (320, 28)], dashed=True)
    picture.text(328, 32, "opened: sealed in the keybag, in an entry of the type at the arrow")
    picture.text(780, 32, "White boxes are not keys of the vault.")
    user, device, grant, target, last = 105, 275, 435, 650, 890
    sources = [(user, 170, "secret of a slot\npassphrase, key file, both,\nrecovery code, recipient,\ndevice unlock",
                "UR\nuser root", "types 1 to 6"),
               (device, 130, "device key\nof this machine,\nin a file of its own", "DR\ndevice root", ""),
               (grant, 150, "key of a holder\nwith a credential", "payload\nof a grant", "type 32")]
    for x, width, source, root, label in sources:
        picture.box(x - width / 2, 60, width, 76, source, WHITE)
        picture.arrow([(x, 136), (x, 178)], dashed=bool(label))
        picture.text(x + 8, 160, label)
        picture.box(x - 60, 178, 120, 42, root, ROOT)
    for x, bottom in (user, 770), (device, 586), (grant, 606):
        picture.line([(x, 220), (x, bottom)])

    def feed(y: float, rail: float, label: str = "", dashed: bool = False, end: float = target) -> None:
        picture.dot(rail, y)
        picture.arrow([(rail, y), (end, y)], dashed)
        picture.text(target - 12, y - 4, label, "end")

    def derive(y: float, text: str, height: float, fill: str = KEY) -> None:
        picture.arrow([(target + 180, y), (last, y)])
        picture.box(last, y - height / 2, 220, height, text, fill)

    feed(262, user, "type 16, root 1", True)
    feed(282, device, "type 16, root 2", True)
    feed(302, grant, "in the payload", True)
    picture.box(target, 246, 180, 72, "Ks\nstructure key", KEY)
    derive(282, "keys of the generation\nK_head, K_frame, K_chain,\nK_snapshot", 72)

    feed(352, user)
    feed(372, device, "type 17, DK only", True)
    picture.box(target, 338, 180, 48, "class keys\nAK, CK, DK", KEY)
    derive(352, "K_owner\nfrom DK: the header MAC", 42)
    feed(412, user, "from both together")
    feed(428, device)
    picture.box(target, 398, 180, 44, "class keys\nAKU, CKU, AKPU", KEY)
    feed(474, device)
    picture.box(target, 454, 180, 40, "class key\nDKU", KEY)
    picture.box(last, 388, 220, 136, "data keys Kd\nfor each group, epoch,\nclass and owner:\nK_meta, K_secret", KEY)
    picture.line([(target + 180, 376), (target + 196, 376), (target + 196, 474)], True)
    picture.line([(target + 180, 420), (target + 196, 420)], True)
    picture.line([(target + 180, 474), (target + 196, 474)], True)
    picture.arrow([(target + 196, 446), (last, 446)], True)
    picture.text(target + 202, 462, "type")
    picture.text(target + 202, 476, "20")
    feed(510, grant, "in the payload", True, last)

    feed(566, user)
    feed(586, device, "type 18", True)
    feed(606, grant, "in the payload", True)
    picture.box(target, 550, 180, 72, "match keys\nfor each group and epoch", KEY)
    derive(586, "keys of a group\nK_match, K_digest, K_page,\nK_delete, key of its name", 72)

    feed(660, user, "type 21", True)
    picture.box(target, 640, 180, 40, "team secret", KEY)
    derive(660, "signatures\nheader, recipient slots,\ngrants, settings", 60, WHITE)
    feed(715, user, "type 22", True)
    picture.box(target, 695, 180, 40, "earlier UR", KEY)
    derive(715, "class keys\nof earlier epochs", 40)
    feed(770, user)
    picture.box(target, 750, 180, 40, "key of the name tags,\nids of groups", KEY)
    return picture


def file() -> Picture:
    picture = Picture("file", "A vault file and its checks", 1100, 750)
    left, width, notes = 250, 240, 530
    parts = [
        ("header, 320 bytes", ["fields, 192", "hash, 32", "MAC, 32", "signature, 64"], PART,
         "hash of the fields, without a key: tells damage\n"
         "MAC of all before it, with K_owner: the owner made this file\n"
         "signature of all before it, with the team secret, if there is a grant:\n"
         "tells holders of grants that the owner made this file"),
        ("keybag", ["slots, devices", "wrapped keys, names, grants"], PART,
         "keybag hash in the header\neach wrapped key: an AEAD and a commitment\n"
         "grants and recipient slots: a signature too\nnames of groups: a box and a tag"),
        ("directory", ["an entry for each section"], SEALED, "directory hash in the header\nsealed with K_snapshot"),
        ("group section", ["dictionaries", "live leaves, past leaves, id pages", "fence"], SEALED,
         "check in the directory, for verifications and copies\n"
         "pages of leaves, id pages and fence sealed with K_page,\n"
         "metadata and dictionaries with K_meta, secrets with K_secret;\n"
         "the fence tells which pages there are, a page which boxes follow it"),
        ("run", ["records"], SEALED, "check in the directory\nsealed with K_snapshot"),
        ("frame", ["head, 96", "body"], SEALED,
         "chain value in the head, with K_chain: of the header and all frames before\n"
         "head MAC, with K_head: the head is genuine\nbody sealed with K_frame, bound to the head"),
        ("frame", ["head, 96", "body"], SEALED,
         "the same; the synced number in the head tells which frames before it\n"
         "were durable: if one of them is gone, that is no torn append"),
        ("reserve", ["zeros"], ZERO, "nothing: only zeros are clean"),
    ]
    picture.text(left + width / 2, 26, "the file", "middle", bold=True)
    picture.text(notes, 26, "what protects it", bold=True)
    y, titles, rows = 40.0, [], []
    for title, names, fill, note in parts:
        titles.append(y + 13)
        rows.append(picture.table(left, y, width, title, names, fill))
        end = y + 26 + 22 * len(names)
        side = left + width
        picture.line([(side + 6, y + 3), (side + 14, y + 3), (side + 14, end - 3), (side + 6, end - 3)], stroke=FAINT)
        lines = note.split("\n")
        for number, line in enumerate(lines):
            picture.text(notes, (y + end) / 2 - LINE * len(lines) / 2 + 11 + LINE * number, line)
        y = end + 14

    def covers(start: float, end: float, lane: float, label: str = "", at: float = 0) -> None:
        picture.arrow([(left, start), (lane, start), (lane, end), (left, end)])
        picture.text(lane + 8, at - 5, label)

    fields = rows[0][0]
    covers(fields + 5, titles[1], 140, "keybag hash", titles[1])
    covers(fields - 3, titles[2], 110, "directory hash", titles[2])
    covers(rows[2][0] - 3, titles[3], 160, "check", titles[3])
    covers(rows[2][0] + 5, titles[4], 140, "check", titles[4])
    covers(rows[5][0], titles[0], 60, "chain(base)", rows[5][0])
    covers(rows[6][0], titles[5], 190)
    picture.text(182, rows[6][0] - 5, "chain value", "end")
    picture.line([(20, y + 4), (1080, y + 4)], stroke=FAINT)
    picture.text(20, y + 26, "An arrow leads from a part that holds a hash, check or chain value to the part that this "
                 "covers. Red parts are sealed, except for the heads of frames.")
    return picture


def section() -> Picture:
    picture = Picture("group-section", "A group section", 1100, 720)

    def strip(x: float, y: float, parts: list[tuple[str, float, str]]) -> list[float]:
        """Draws parts side by side, and returns where each begins."""
        starts = []
        for name, width, fill in parts:
            picture.rect(x, y, width, 40, fill)
            picture.text(x + width / 2, y + 24, name, "middle", bold=True)
            starts.append(x)
            x += width
        return starts

    picture.text(50, 30, "A group section", bold=True)
    leaf = strip(50, 44, [
        ("dictionary", 90, WHITE), ("dictionary", 90, WHITE), ("live leaf", 130, KEY), ("live leaf", 130, KEY),
        ("live leaf", 130, KEY), ("past leaf", 130, PART), ("id page", 80, PART), ("id page", 80, PART),
        ("filler", 44, ZERO), ("fence", 96, ROOT)])[3]
    strip(50, 122, [("page", 240, KEY), ("metadata", 130, SEALED), ("secret", 90, ZERO), ("metadata", 130, SEALED),
                    ("metadata", 130, SEALED), ("secret", 90, ZERO)])
    picture.line([(leaf, 84), (50, 122)], True, FAINT)
    picture.line([(leaf + 130, 84), (860, 122)], True, FAINT)
    picture.text(876, 138, "A leaf: a page of at most 64")
    picture.text(876, 153, "entries, then their boxes.")
    picture.text(50, 188, "The directory has the length of the section, the length of the fence, the number of live "
                 "entries, and a check of all bytes. The fence has the end of each part before it;")
    picture.text(50, 204, "the filler, random bytes, makes it begin at a multiple of 64. Live leaves are sorted by the digest of the "
                 "primary key, past leaves and id pages by the item id.")

    fence = picture.table(50, 240, 290, "fence", [
        "numbers and flags, 28", "key handles, 8 each", "dictionaries: id 8, end 4, key 2, zero 2",
        "writers: id 8, place 8", "live leaves: digest 16, end 4, page 2, zero 2",
        "past leaves: item id 16, end 4, page 2, zero 2", "id pages: start of an item id 4, end 4"], ROOT)
    dictionary = picture.table(50, 472, 290, "dictionary", ["what the metadata of a data key share"], WHITE)
    entry = picture.table(440, 240, 270, "entry of a leaf, 90 + 8 n and more", [
        "digest of the primary key, 16", "item id, 16", "revision 8, revision salt 8", "writer id 8, place 8",
        "sequence number 8, time 8", "size of the metadata box, 2", "size of the secret box, 2",
        "data key: number in the fence, 2", "dictionary: number in the fence, 2", "item class 1, flags 1",
        "n attribute digests, 8 each", "if it is not the place: creation order, 8",
        "in past leaves: when it ended, 8 and 8"], KEY)
    ids = picture.table(820, 240, 230, "entry of an id page, 8", ["start of the item id, 4", "leaf × 64 + entry, 4"],
                        PART)
    metadata = picture.table(820, 350, 230, "metadata box", ["start of the nonce, 8", "archive, may be deflated", "byte 80, zeros, tag 16"],
                             SEALED)
    secret = picture.table(820, 480, 230, "secret box", ["start of the nonce, 8", "form, then the data", "byte 80, zeros, tag 16"], ZERO)
    for row, target, lane in (3, fence[3], 380), (7, fence[1], 400), (8, fence[2], 420):
        picture.arrow([(440, entry[row]), (lane, entry[row]), (lane, target), (340, target)])
    picture.arrow([(50, fence[2]), (26, fence[2]), (26, 485), (50, 485)])
    picture.arrow([(820, ids[1]), (760, ids[1]), (760, 253), (710, 253)])
    picture.text(754, 248, "entry", "end")
    for row, y, lane in (5, 363, 750), (6, 493, 770):
        picture.arrow([(710, entry[row]), (lane, entry[row]), (lane, y), (820, y)])
    picture.notes(50, 605, "To find an item by its digest:\n"
                  "1. the fence gives the leaf: the last one whose digest is at most that of the item;\n"
                  "if it is equal, entries with the digest may begin in the leaf before it;\n"
                  "2. the entry in its page gives the boxes: the sizes of those before them add up.")
    picture.notes(560, 605, "To find an item by its id:\n"
                  "1. the fence gives the id page, in the same way;\n"
                  "2. its entry gives the number of a live leaf and of the entry in it.")
    picture.text(50, 690, "Sizes are in bytes. Boxes of leaves are those of a put, with the same associated data; only "
                 "deflated metadata have another part, and the id of the dictionary.")
    picture.text(50, 706, "Dictionaries, pages and the fence are boxes too, of 64 bytes or a multiple.")
    return picture


def tail() -> Picture:
    unit, left, p = 88, 250, 1.375
    cases: list[tuple[str, str, float, list[tuple[float, float, str]], str]] = [
        ("clean", "", 7, [(p, 7, ZERO)], "Only zeros behind p, or nothing."),
        ("torn", "a part was not written", 7, [(p, 2, SEALED), (2, 3, ZERO), (3, 3.375, SEALED), (3.375, 7, ZERO)],
         "The head at p is genuine and gives E. A whole unit before E is zero."),
        ("torn", "the first part was not written", 7, [(p, 2, ZERO), (2, 3.375, SEALED), (3.375, 7, ZERO)],
         "No genuine head: E is behind the last byte that is not zero, and at least p + 1024."),
        ("torn", "the file is too short", 2.625, [(p, 2.625, SEALED)],
         "The head at p is genuine and gives E, which lies behind the end of the file."),
        ("damaged", "", 7, [(p, 3.375, SEALED), (3.375, 7, ZERO)],
         "The frame does not verify, but no unit of it is all zero: it may have been acknowledged."),
        ("inconsistent", "a frame was changed", 7, [(p, 3.375, SEALED), (3.375, 5.375, SEALED), (5.375, 7, ZERO)],
         "Behind p lies a genuine head with s > e and y ≥ e: it was written after the frame at p was synced."),
        ("inconsistent", "a frame was repeated", 7, [(p, 3.375, SEALED), (3.375, 7, ZERO)],
         "A genuine head at p with s < e was moved here; so was one behind p with s < e or s = e."),
        ("torn", "the end of a bulk load", 7, [(p, 2, SEALED), (2, 3, ZERO), (3, 3.375, SEALED), (3.375, 5.375, SEALED),
                                               (5.375, 7, ZERO)],
         "Behind p lies a genuine head with s > e, but y < e: its writer had not synced the frame at p."),
    ]
    heads = {1: [(p, "s = e")], 3: [(p, "s = e")], 5: [(3.375, "s > e")], 6: [(p, "s < e")],
             7: [(p, "s = e"), (3.375, "s > e")]}
    ends = {1: 3.375, 2: 3.375, 3: 3.375, 4: 3.375, 7: 3.375}
    picture = Picture("tail", "The verdicts on the tail of a file", 900, 60 + 92 * len(cases) + 70)
    picture.text(20, 30, "Where the log ends: p is the end of the last frame that verifies, e the sequence number that "
                 "is expected there.", bold=True)
    for number, (verdict, what, end, spans, note) in enumerate(cases):
        y = 66 + 92 * number
        picture.text(20, y + 14, verdict, bold=True, size=14)
        picture.text(20, y + 32, what)
        picture.rect(left, y, unit * p, 28, KEY)
        for start, stop, fill in spans:
            picture.rect(left + unit * start, y, unit * (stop - start), 28, fill)
        for place in range(0, 8):
            picture.line([(left + unit * place, y - 6), (left + unit * place, y + 34)], True, FAINT)
        picture.text(left + unit * p / 2 - 8, y + 19, "verified", "middle")
        for place, label in heads.get(number, []):
            picture.rect(left + unit * place, y, 12, 28, INK)
            picture.text(left + unit * place + 18, y + 19, label)
        picture.line([(left + unit * p, y - 4), (left + unit * p, y + 32)])
        picture.text(left + unit * p, y + 45, "p", "middle")
        if number in ends:
            place = left + unit * ends[number]
            picture.line([(place, y - 4), (place, y + 32)])
            picture.text(place, y + 45, "E", "middle")
        if end < 7:
            picture.text(left + unit * end, y + 45, "end", "middle")
        picture.text(left, y + 62, note)
    y = 66 + 92 * len(cases) + 6
    for x, fill, text in ((20, KEY, "frames that verify"), (190, SEALED, "bytes that are not zero"),
                          (390, ZERO, "zeros"), (480, INK, "a genuine head")):
        picture.rect(x, y, 16, 16, fill)
        picture.text(x + 24, y + 13, text)
    picture.line([(620, y - 2), (620, y + 18)], True, FAINT)
    picture.text(630, y + 13, "units of the medium, 512 bytes each")
    picture.text(20, y + 40, "The verdicts are tried in the order clean, inconsistent, torn, damaged. s is the "
                 "sequence number in a head, y its synced number.")
    return picture


def main() -> None:
    directory = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent
    directory.mkdir(exist_ok=True)
    for make in keys, file, section, tail:
        make().write(directory)


if __name__ == "__main__":
    main()
