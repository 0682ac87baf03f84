"""Tests of the backend for keyring, with keyring's own tests for backends; run with pytest."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import keyring
import keyring.backend
import keyring.errors
import pytest
from keyring.testing.backend import BackendBasicTests

import coffer
from coffer.keyring import CofferKeyring


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home directory, and nothing else in the environment."""
    for name in list(os.environ):
        if name.startswith(("COFFER_", "XDG_", "PYTHON_KEYRING", "DBUS_", "DISPLAY", "CREDENTIALS_DIRECTORY")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


class TestBackend(BackendBasicTests):  # type: ignore[misc]
    """What keyring expects of every backend."""

    def init_keyring(self) -> CofferKeyring:
        return CofferKeyring()


def files(directory: Path) -> list[Path]:
    return [path for path in directory.rglob("*") if path.is_file()]


def test_asking_for_the_priority_and_for_absent_passwords_makes_no_vault(home: Path) -> None:
    assert 0.5 < CofferKeyring.priority < 4.8  # files without encryption, and libsecret
    assert CofferKeyring.viable
    backend = CofferKeyring()
    assert backend.get_password("service", "kim") is None
    assert backend.get_credential("service", None) is None
    with pytest.raises(keyring.errors.PasswordDeleteError):
        backend.delete_password("service", "kim")
    assert files(home) == []


def test_passwords_are_items_of_the_users_vault() -> None:
    CofferKeyring().set_password("https://example.com/simple", "kim", "hünter2")
    item = coffer.Keychain.open().get(coffer.GenericPassword, service="https://example.com/simple")
    assert item is not None and (item.account, item.group) == ("kim", "coffer")
    assert coffer.Keychain.open().secret(item) == "hünter2".encode()


def test_a_locked_vault_is_not_an_empty_one(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = home / "vault.coffer"
    options = coffer.Options(passphrase="correct horse", passphrase_memory=64, passphrase_passes=2)
    coffer.Vault.create(path, options).keychain().save(
        coffer.GenericPassword(service="mail", account="kim"), "secret"
    )
    monkeypatch.setenv("COFFER_VAULT", str(path))
    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(keyring.errors.KeyringLocked):
        CofferKeyring().get_password("mail", "kim")
    with pytest.raises(keyring.errors.KeyringLocked):
        CofferKeyring().set_password("mail", "lee", "x")
    (home / "passphrase").write_text("correct horse\n")
    monkeypatch.setenv("COFFER_PASSPHRASE_FILE", str(home / "passphrase"))
    assert CofferKeyring().get_password("mail", "kim") == "secret"


def test_a_damaged_vault_is_an_error_and_not_an_empty_one(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / "vault.coffer").write_bytes(b"not a vault" * 1000)
    monkeypatch.setenv("COFFER_VAULT", str(home / "vault.coffer"))
    with pytest.raises(keyring.errors.KeyringError):
        CofferKeyring().get_password("mail", "kim")
    with pytest.raises(keyring.errors.PasswordSetError):
        CofferKeyring().set_password("mail", "kim", "x")


def test_a_forked_process_uses_the_vault_too() -> None:
    backend = CofferKeyring()
    backend.set_password("mail", "kim", "one")
    child = os.fork()
    if child == 0:
        os._exit(0 if backend.get_password("mail", "kim") == "one" else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_the_command_of_keyring_finds_the_backend(home: Path) -> None:
    environment = {"HOME": str(home), "PATH": os.environ["PATH"]}

    def run(*words: str, text: str | None = None) -> "subprocess.CompletedProcess[str]":
        command = [sys.executable, "-m", "keyring", *words]
        return subprocess.run(command, env=environment, input=text, capture_output=True, text=True, timeout=60)

    assert "coffer.keyring.CofferKeyring (priority: 4.5)" in run("--list-backends").stdout
    assert run("set", "mail", "kim", text="hunter2\n").returncode == 0
    assert run("get", "mail", "kim").stdout == "hunter2\n"
    assert run("del", "mail", "kim").returncode == 0
    assert run("get", "mail", "kim").returncode == 1


def test_pip_gets_the_password_of_an_index(home: Path) -> None:
    with socket.socket() as free:
        free.bind(("localhost", 0))
        port = str(free.getsockname()[1])
    CofferKeyring().set_password(f"localhost:{port}", "kim", "hunter2")  # the host, as pip documents it
    pip = [sys.executable, "-m", "pip", "install", "--disable-pip-version-check", "--target", str(home / "packages")]
    index = ["--index-url", f"http://kim@localhost:{port}/simple", "--keyring-provider", "import", "sample"]
    server = [sys.executable, str(Path(__file__).parent / "index.py"), port, "kim", "hunter2"]
    environment = {"HOME": str(home), "PATH": os.environ["PATH"]}
    run = subprocess.run([*server, *pip, *index], env=environment, capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stdout + run.stderr
    assert (home / "packages" / "sample.py").exists()
