"""What is refused comes again in its form, as it was sent, in the words of the form."""

import re
from html import unescape

import pytest

from ops.web.pages.refilled import Sent, filled_in, form_in
from tests.worlds.gaming_table import DAY, GamingTable, disputed, evening, mouth_on, trouble
from tests.worlds.pages_here import every_page, pages_of, ran, words_of

COUP = f"B01/{DAY}/1/1"
PAGE = """<!doctype html><body class="page"><main id="content"><h1>A &amp; B</h1>
<details><summary>x</summary><form method="post" action="/a">
<input type="hidden" name="id" value="1">
<input type="hidden" name="table" value="B01">
<label>Reason <textarea name="reason" required>old</textarea></label>
<label>Who <select name="who"><option value=""></option><option selected>P-1</option>
<option>P-2</option></select></label>
<label>How <select name="how"><option value="a" selected>A</option>
<option value="b">B</option></select></label>
<label class="check"><input type="checkbox" name="hold" value="1">
<span>Hold it</span></label>
<fieldset><legend>Chips</legend>
<label>5 <input name="chips-500"></label></fieldset>
<label>Amount <input name="amount" value="1"></label>
<label>PIN <input type="password" name="pin"></label>
</form></details>
<form method="post" action="/a">
<input type="hidden" name="table" value="B02"></form></main></body>"""
TYPED = {
    "id": "2", "table": "B01", "reason": "a <b>\nline", "who": "P-2", "how": "b", "hold": "1",
    "chips-500": "x", "amount": "a lot", "pin": "1234",
}  # fmt: skip


def test_the_form_that_was_sent_is_found_by_what_it_has_by_itself():
    assert form_in(PAGE, Sent("post", "/a", {"table": "B02"})).n == 1
    assert form_in(PAGE, Sent("post", "/a", {"table": "B03"})) is None
    assert form_in(PAGE, Sent("post", "/b", {"table": "B02"})) is None


def test_a_form_names_its_fields_as_its_labels_do():
    form = form_in(PAGE, Sent("post", "/a", TYPED))

    assert form.labels == {
        "reason": "Reason", "who": "Who", "how": "How", "hold": "Hold it", "chips-500": "Chips",
        "amount": "Amount", "pin": "PIN",
    }  # fmt: skip
    assert [form.named(each) for each in ("chips", "--amount", "luck")] == [
        *("chips-500", "amount", "")
    ]


def test_a_form_is_written_again_with_what_was_typed_but_no_pin_and_no_old_id():
    form = form_in(PAGE, Sent("post", "/a", TYPED))
    text = filled_in(PAGE, form, TYPED, "amount", "<p id=refused>no</p>", "/t")

    assert '<body class="page" data-address="/t">' in text
    assert '<main id="content"><p id=refused>no</p><h1>A &amp; B</h1>' in text
    assert "<details open><summary>" in text
    assert '<input type="hidden" name="id" value="1">' in text
    assert ">a &lt;b&gt;\nline</textarea>" in text
    assert "<option selected>P-2</option>" in text
    assert "<option>P-1</option>" in text
    assert '<option value="b" selected>B</option>' in text
    assert '<option value="a">A</option>' in text
    assert '<input type="checkbox" name="hold" value="1" checked>' in text
    assert '<input name="chips-500" value="x">' in text
    assert 'name="amount" value="a lot" aria-invalid="true" aria-describedby="refused">' in text
    assert "1234" not in text


@pytest.fixture(scope="module")
def played(server):
    """An evening with a case, a slip under way, an inquiry and an incident."""
    with server.database() as database:
        with mouth_on(database) as dispatcher:
            evening(dispatcher)
            disputed(trouble(GamingTable(dispatcher, "B04").open().prepare()))
            b07 = GamingTable(dispatcher, "B07").open()
            b07.say("slip.request", kind="fill", chips={"10000": 5}, by="S-11")
            for line in (
                {"command": "inquiry.open", "about": "coup", "subject": COUP, "text": "who?"},
                {"command": "incident.open", "kind": "conduct", "text": "shouted", "table": "B01"},
                {"command": "aml.open", "patron": "P-10417", "text": "no play"},
                {"command": "coupon.issue", "coupon": "MP-1", "kind": "match-play", "worth": 2500},
            ):
                answer = dispatcher.dispatch({**line, "by": "V-1", "at": b07.moment.isoformat()})
                assert answer.ok, answer.reason
        yield database


def sent(database, address, form, at, language="en"):
    """Status and text after a form was sent from a page."""

    async def scene():
        async with pages_of(database, language=language) as ask:
            return await ask(address, form=form, at=at)

    return ran(scene())


def said(text):
    """Why something was refused, as it is read."""
    (found,) = re.findall(r'<p class="reply refused"[^>]*>(.*?)</p>', text, re.S)
    return unescape(re.sub("<.*?>", "", found))


@pytest.mark.parametrize("language", ["en", "pt", "zh-Hant"])
def test_a_refusal_names_the_field_by_its_label_in_the_page_s_language(played, language):
    form = {"coup": COUP, "patron": "P-10417", "complaint": "too little", "amount": "a lot"}
    status, text = sent(played, "/cases", form, f"/coups/{COUP}", language)

    assert status == 422
    label = re.search(r"<label>([^<]*?) <input name=\"amount\"", text)[1]
    assert label in said(text)
    assert "amount cannot" not in said(text)
    assert re.search(r'name="amount"[^>]* aria-invalid="true" aria-describedby="refused"', text)
    assert ">too little</textarea>" in text


def test_what_is_missing_is_asked_for_by_its_label(played):
    form = {"coup": COUP, "patron": "P-10417", "complaint": "", "amount": "5"}
    status, text = sent(played, "/cases", form, f"/coups/{COUP}")

    assert (status, said(text)) == (422, "Fill in Complaint.")
    assert 'name="amount" inputmode="decimal" size="12" value="5">' in text


@pytest.mark.parametrize(
    ("asked", "label"),
    [
        ("wagers?day=tomorrow", "gaming day"),
        ("wagers?from=2026-11-22&to=2026-11-21", "from"),
        ("wagers?seat=three&sort=stake", "seat"),
        ("wagers?since=never", "since"),
    ],
)
def test_a_report_that_cannot_be_narrowed_so_has_its_form_as_it_was(played, asked, label):
    async def scene():
        async with pages_of(played, language="en") as ask:
            return await ask(f"/reports/{asked}")

    status, text = ran(scene())
    name, _, value = asked.partition("?")[2].partition("&")[0].partition("=")

    assert status == 422
    assert label in said(text)
    assert "--" not in said(text)
    assert re.search(f'<input name="{name}" [^>]*value="{value}"', text)
    assert re.search(f'<input name="{name}" [^>]*aria-invalid', text)


FORM = re.compile(r'<form [^>]*method="post" action="([^"]*)".*?</form>', re.S)
FIELD = re.compile(r"<(?:input|textarea|select)[^>]*>")
JUNK = "zz  zz"
ELSEWHERE = re.compile(r"^/(sign-o|language)|/export$|^/play/|/files/")  # no command, or a file


def attributes(tag):
    """The attributes of a tag."""
    return {name: unescape(value) for name, value in re.findall(r'([\w-]+)="([^"]*)"', tag)}


def junk_in(form):
    """What the form sends if somebody types nonsense, and the fields that they typed into."""
    typed, mine = {}, set()
    for tag in FIELD.findall(form):
        has = attributes(tag)
        name = has.get("name")
        if not name:
            continue
        if has.get("type") == "hidden":
            typed[name] = has.get("value", "")
        elif has.get("type") not in ("checkbox", "password") and not tag.startswith("<select"):
            typed[name] = JUNK
            mine.add(name)
    return typed, mine


def test_every_form_of_every_page_comes_again_as_it_was_sent_when_it_is_refused(played):
    async def scene():
        async with pages_of(played, language="en") as ask:
            pages = await every_page(ask, "/", "/coups/" + COUP, of_a_kind=1)
            seen = {}
            for page, text in pages.items():
                for form in FORM.finditer(text):
                    action = unescape(form[1])
                    typed, mine = junk_in(form[0])
                    if mine and not ELSEWHERE.search(action):
                        seen[re.sub(r"\d+", "0", action)] = (
                            *(page, action, typed, mine, await ask(action, form=typed, at=page)),
                        )
            return seen

    seen = ran(scene())
    refused = {kind: each for kind, each in seen.items() if each[4][0] not in (200, 303)}

    assert len(refused) > 8, seen.keys()
    for page, action, typed, mine, (status, text) in refused.values():
        assert status in (403, 422), (page, action, text[:3000])
        assert f'action="{action}"' in text, (page, action, said(text))
        again = next(each[0] for each in FORM.finditer(text) if unescape(each[1]) == action)
        for name in mine:
            tag = next(tag for tag in FIELD.findall(again) if attributes(tag).get("name") == name)
            there = attributes(tag).get("value") or again.partition(tag)[2].partition("<")[0]
            assert there == JUNK, (action, name)
        for name in typed:
            assert not re.search(rf"(?:`|--|^){name}\b", said(text)), (action, said(text))
        assert words_of(text)
