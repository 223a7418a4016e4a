"""Reads an archive as another program would: with the modules of Python, and the CSV files with the headers that
Mastodon documents for its imports. Prints one JSON document. Fails if the archive has another form."""

import csv
import html.parser
import io
import json
import sys
import zipfile

# The columns of Mastodon's imports. Files without a header have these columns too.
COLUMNS = {
    "following_accounts.csv": ["Account address", "Show boosts", "Notify on new posts", "Languages"],
    "muted_accounts.csv": ["Account address", "Hide notifications"],
    "blocked_accounts.csv": ["Account address"],
    "lists.csv": ["List name", "Account address"],
    "bookmarks.csv": ["#uri"],
}
HAVE_HEADER = ["following_accounts.csv", "muted_accounts.csv"]
SWITCHES = ["Show boosts", "Notify on new posts", "Hide notifications"]
EMPTY_TAGS = ["br", "meta", "hr", "link", "img", "input"]


class Reader(html.parser.HTMLParser):
    """Collects the text of markup whose tags are balanced."""

    def __init__(self):
        super().__init__()
        self.text, self.open, self.articles, self.addresses = "", [], 0, []

    def handle_starttag(self, tag, attributes):
        if tag == "p" and self.text:
            self.text += "\n\n"
        if tag == "br":
            self.text += "\n"
        self.articles += tag == "article"
        self.addresses += [value for name, value in attributes if name == "src"]
        if tag not in EMPTY_TAGS:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open and self.open.pop() == tag, f"</{tag}> closes nothing"

    def handle_data(self, text):
        self.text += text


def read_markup(markup):
    reader = Reader()
    reader.feed(markup)
    reader.close()
    assert not reader.open, reader.open
    return reader


def read_rows(archive, name):
    text = archive.read(name).decode("utf-8")
    rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    columns = COLUMNS[name]
    if name in HAVE_HEADER:
        assert rows.pop(0) == columns, (name, text)
    rows = [dict(zip(columns, row, strict=True)) for row in rows]
    for row in rows:
        assert all(row[name] in ("true", "false") for name in SWITCHES if name in row), row
    return rows


def read_collection(archive, name):
    collection = json.loads(archive.read(name))
    assert collection["type"] == "OrderedCollection", name
    assert collection["totalItems"] == len(collection["orderedItems"]), name
    return collection["orderedItems"]


archive = zipfile.ZipFile(sys.argv[1])
assert archive.testzip() is None
actor = json.loads(archive.read("actor.json"))
assert actor["type"] == "Person"
notes = []
for activity in read_collection(archive, "outbox.json"):
    assert activity["actor"] == actor["id"], activity
    assert activity["type"] in ("Create", "Announce"), activity
    if activity["type"] == "Create":
        note = activity["object"]
        assert note["attributedTo"] == actor["id"], note
        notes.append(note)
index = read_markup(archive.read("index.html").decode("utf-8"))
assert index.articles == len(read_collection(archive, "outbox.json")), "each post is on the page"
assert not index.addresses, "the page loads nothing"
print(
    json.dumps(
        {
            "login": actor["preferredUsername"],
            "texts": [read_markup(note["content"]).text for note in notes],
            "warnings": [note.get("summary") for note in notes],
            "likes": read_collection(archive, "likes.json"),
            "bookmarks": read_collection(archive, "bookmarks.json"),
            "tables": {name: read_rows(archive, name) for name in COLUMNS},
            "groups": list(csv.reader(io.StringIO(archive.read("groups.csv").decode("utf-8"), newline=""), strict=True)),
        }
    )
)
