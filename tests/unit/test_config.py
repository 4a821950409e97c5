"""What the environment says, and the addresses that follow from it."""

from pathlib import Path

import pytest

from server.bootstrap import urls
from server.config import BadConfig, load

OWNER = "postgresql://own%40er:own-pw@pool.example:6432/ibid?sslmode=require"


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("127.0.0.1", "http://127.0.0.1:8123"),
        ("0.0.0.0", "http://127.0.0.1:8123"),  # noqa: S104
        ("::", "http://[::1]:8123"),
        ("fd00::7", "http://[fd00::7]:8123"),
        ("ibid.example", "http://ibid.example:8123"),
    ],
)
def test_links_begin_with_the_address_or_with_what_is_configured(host: str, address: str) -> None:
    given = {"HOST": host, "PORT": "8123", "IBID_HOME": "/zzyzx"}
    assert load(given).base_url == load(given).address == address
    public = load(given | {"IBID_PUBLIC_URL": "https://ibid.example/"})
    assert (public.base_url, public.address) == ("https://ibid.example", address)


def test_an_address_that_is_none_is_refused() -> None:
    with pytest.raises(BadConfig, match="IBID_PUBLIC_URL"):
        load({"IBID_PUBLIC_URL": "ibid.example"})


def test_the_direct_address_takes_the_logins_of_the_others(tmp_path: Path) -> None:
    direct = "postgresql://whoever:any@db.example:5432/ibid?sslmode=require"
    app = "postgresql://web:p%40ss@pool.example:6432/ibid"
    given = {"IBID_HOME": str(tmp_path), "DATABASE_APP_URL": app, "DATABASE_DIRECT_URL": direct}
    found = urls(load(given), OWNER)
    assert found.direct == "postgresql://web:p%40ss@db.example:5432/ibid?sslmode=require"
    assert found.owner == "postgresql://own%40er:own-pw@db.example:5432/ibid?sslmode=require"
    assert found.app == app


def test_without_a_direct_address_there_is_one_server(tmp_path: Path) -> None:
    found = urls(load({"IBID_HOME": str(tmp_path)}), OWNER)
    assert found.owner == OWNER
    assert found.direct == found.app
    assert found.app.startswith("postgresql://ibid_app:")
    assert found.app.endswith("@pool.example:6432/ibid?sslmode=require")


def test_the_direct_address_takes_the_login_of_this_home(tmp_path: Path) -> None:
    given = {"IBID_HOME": str(tmp_path), "DATABASE_DIRECT_URL": "postgresql://db.example/ibid"}
    found = urls(load(given), OWNER)
    login = found.app.partition("@")[0]
    assert found.direct == f"{login}@db.example/ibid"
