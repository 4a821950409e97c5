"""Documents and folders go into another folder by the same dialog."""

from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.house import House


def _move(page: Page, what: str, *, into: str) -> None:
    page.get_by_role("button", name=f"Actions for {what}").click()
    page.get_by_role("menuitem", name="Move").click()
    dialog = page.get_by_role("dialog", name=f"Move {what}")
    dialog.get_by_label("Into").select_option(label=into)
    dialog.get_by_role("button", name="Move").click()
    expect(dialog).to_have_count(0)


def test_a_document_and_a_folder_move_into_another(visit: Visit, house: House, tmp_path: Path) -> None:  # E14
    file = tmp_path / "zzyzx-mover.md"
    file.write_text("The zzyzx mover weighs 12 kg.")
    house.hold([file])
    outer, inner = (
        house.call("POST", "/api/folders", json={"name": name})["id"]
        for name in ("zzyzx outer", "zzyzx inner")
    )
    page = visit("/documents")
    _move(page, file.name, into="zzyzx inner")
    _move(page, "zzyzx inner", into="zzyzx outer")
    folders = {folder["id"]: folder for folder in house.call("GET", "/api/folders")["items"]}
    assert folders[inner]["parent_id"] == outer
    assert house.documents()[file.name]["folder_id"] == inner
