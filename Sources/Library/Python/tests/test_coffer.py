"""Tests of the package. Expected values are those of its documentation, coffer.h and Apple's keychain."""

import asyncio
import dataclasses
import gc
import os
import select
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from datetime import datetime, timedelta, timezone
from pathlib import Path

import coffer
from coffer import GenericPassword, InternetPassword, Keychain, Options, Secret, Vault, aio

ROOT = Path(__file__).resolve().parents[4]


class Case(unittest.TestCase):
    """A test with an empty directory, and a vault that this machine opens."""

    def setUp(self) -> None:
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.directory = Path(directory.name)
        self.vault = Vault.create(self.directory / "vault.coffer", self.options())
        self.keychain = self.vault.keychain()

    def options(self, **values: object) -> Options:
        places = {"device_key_file": self.directory / "device.key", "memory_directory": self.directory / "memory"}
        cost = {"passphrase_memory": 64, "passphrase_passes": 2}
        return Options(**{**places, **cost, "kernel_keyring": False, **values})  # type: ignore[arg-type]

    def protected(self) -> Vault:
        return Vault.create(self.directory / "protected.coffer", self.options(passphrase=b"correct horse"))

    def login(self, secret: "coffer.SecretBytes" = b"hunter2", **values: object) -> GenericPassword:
        return self.keychain.add(GenericPassword(service="mail", account="kim", **values), secret)  # type: ignore[arg-type]


class Items(Case):
    def test_an_item_comes_back_with_its_attributes_and_secret(self) -> None:
        item = GenericPassword(
            service="mail",
            account="kim",
            label="Mäil",
            generic=b"a\0\xff",
            accessible=coffer.Accessible.AFTER_FIRST_UNLOCK,
            attributes={"type": 1234, "invi": True},
        )
        stored = self.keychain.add(item, b"s3\0ret")
        found = self.keychain.get(GenericPassword, service="mail")
        assert found is not None and found.stored is not None
        self.assertEqual(found, stored)
        self.assertEqual(found.label, "Mäil")
        self.assertEqual(found.generic, b"a\0\xff")
        self.assertIs(found.accessible, coffer.Accessible.AFTER_FIRST_UNLOCK)
        self.assertEqual(found.attributes, {"type": 1234, "invi": 1})
        self.assertEqual(found.group, "coffer")
        self.assertEqual(len(found.stored.reference), 20)
        self.assertLess(abs(found.stored.created - datetime.now(timezone.utc)), timedelta(minutes=1))
        self.assertTrue(found.stored.has_secret and found.stored.is_current)
        secret = self.keychain.secret(found)
        assert secret is not None
        self.assertEqual(bytes(secret), b"s3\0ret")
        self.assertEqual(self.keychain.item(found.stored.reference), found)
        self.assertEqual(self.keychain.count(GenericPassword), 1)
        self.assertEqual(self.keychain.find(InternetPassword), [])

    def test_an_item_without_a_secret_differs_from_one_with_an_empty_secret(self) -> None:
        none = self.keychain.add(GenericPassword(service="none"))
        empty = self.keychain.add(GenericPassword(service="empty"), b"")
        self.assertIsNone(self.keychain.secret(none))
        self.assertEqual(self.keychain.secret(empty), b"")
        self.assertIsNone(self.keychain.secret(self.keychain.remove_secret(empty)))

    def test_a_password_is_text_by_service_and_account(self) -> None:
        service, account = "m\u00e4il", "kim"
        self.assertIsNone(self.keychain.password(service, account))
        self.keychain.set_password(service, account, "hunter2")
        self.keychain.set_password(service, account, "p\u00e4ss")
        self.assertEqual(self.keychain.password(service, account), "p\u00e4ss")
        item = self.keychain.get(GenericPassword, service=service, account=account)
        assert item is not None
        self.assertEqual((item.service, item.account, self.keychain.count(GenericPassword)), (service, account, 1))
        with self.keychain.transaction() as transaction:
            transaction.set_password(service, account, "in a transaction")
            self.assertEqual(transaction.password(service, account), "in a transaction")
        self.assertEqual(asyncio.run(aio.run(self.keychain.password, service, account)), "in a transaction")
        # C would end the text there.
        for words in (("a\0", "b", "c"), ("a", "b\0", "c"), ("a", "b", "c\0")):
            with self.assertRaises(coffer.InvalidError):
                self.keychain.set_password(*words)
        self.keychain.save(item, b"\xff")
        with self.assertRaises(UnicodeDecodeError):
            self.keychain.password(service, account)

    def test_a_locked_password_is_an_error_and_not_none(self) -> None:
        vault = self.protected()
        keychain = vault.keychain()
        keychain.set_password("mail", "kim", "hunter2")
        vault.lock()
        with self.assertRaises(coffer.LockedError):
            keychain.password("mail", "kim")
        with self.assertRaises(coffer.LockedError):
            keychain.set_password("mail", "kim", "other")

    def test_text_is_str_even_if_it_is_not_utf8(self) -> None:
        # As `os.fsdecode` does it: PEP 383.
        item = self.keychain.add(GenericPassword(service="mail", account="k\udcff", label="L"), "x")
        self.assertEqual((item.account, item.label), ("k\udcff", "L"))
        again = self.keychain.get(GenericPassword, acct=b"k\xff")
        assert again is not None
        self.assertEqual(again.account, "k\udcff")
        self.assertEqual(self.keychain.count(GenericPassword, account="k\udcff"), 1)
        renamed = self.keychain.update(dataclasses.replace(again, label="M"))
        self.assertEqual((renamed.account, renamed.label), ("k\udcff", "M"))

    def test_a_site_is_found_by_its_host(self) -> None:
        site = InternetPassword(server="www.example.com", account="kim", port=8443, protocol="htps", path="/in")
        self.keychain.save(site, "secret")
        found = self.keychain.get(InternetPassword, host_or_subdomain="example.com")
        assert found is not None
        self.assertEqual((found.port, found.protocol, found.path), (8443, "htps", "/in"))
        self.assertIsNone(self.keychain.get(InternetPassword, host_or_subdomain="other.com"))

    def test_an_update_changes_what_differs_and_nothing_else(self) -> None:
        first = self.login()
        second = self.keychain.get(GenericPassword, service="mail")
        assert second is not None
        self.keychain.update(dataclasses.replace(first, comment="from the first"), b"two")
        changed = dataclasses.replace(second, label="from the second")
        with self.assertRaises(coffer.ChangedError):
            self.keychain.update(changed)
        now = self.keychain.update(changed, if_unchanged=False)
        self.assertEqual((now.comment, now.label), ("from the first", "from the second"))
        self.assertEqual(self.keychain.secret(now), b"two")
        self.assertIsNone(self.keychain.update(dataclasses.replace(now, comment=None)).comment)

    def test_synchronizable_items_are_found_only_when_asked_for(self) -> None:
        self.login(synchronizable=True)
        self.assertEqual(self.keychain.count(GenericPassword), 0)
        self.assertEqual(self.keychain.count(GenericPassword, synchronizable=True), 1)
        self.assertEqual(self.keychain.delete_all(GenericPassword, synchronizable="any"), 1)

    def test_errors_have_kinds_and_the_numbers_of_apple(self) -> None:
        item = self.login()
        with self.assertRaises(coffer.DuplicateError) as caught:
            self.login()
        self.assertEqual(caught.exception.apple_status, -25299)
        self.keychain.delete(item)
        with self.assertRaises(LookupError) as missing:
            self.keychain.delete(item)
        self.assertEqual(missing.exception.apple_status, -25300)  # type: ignore[attr-defined]
        self.assertIsNone(self.keychain.find_secret(GenericPassword, service="mail"))
        for wrong in ({"nonsense": "x"}, {"service": None}, {"service": object()}, {"port": 2**70}):
            with self.assertRaises(coffer.InvalidError):
                self.keychain.find(GenericPassword, **wrong)
        with self.assertRaises(FileNotFoundError):
            Vault.open("/nonexistent/vault")
        with self.assertRaises(FileExistsError):
            Vault.create(self.directory / "vault.coffer", self.options())
        with self.assertRaises(coffer.InvalidError):
            self.keychain.update(GenericPassword(service="new"))

    def test_an_access_control_keeps_its_conditions(self) -> None:
        control = coffer.AccessControl(coffer.Accessible.WHEN_UNLOCKED, 1)
        stored = self.login(access_control=control)
        self.assertEqual(stored.access_control, control)
        with self.assertRaises(coffer.AuthenticationRequiredError):
            self.keychain.secret(stored)

    def test_the_user_is_asked_for_what_an_item_demands(self) -> None:
        # 1 << 31 is the application password of Apple's flags.
        control = coffer.AccessControl(coffer.Accessible.WHEN_UNLOCKED, 1 << 31)
        asked: list[tuple[coffer.Demand, int]] = []

        def ask(demand: coffer.Demand, reason: str, wrong_answers: int) -> str | None:
            asked.append((demand, wrong_answers))
            if demand == coffer.Demand.PASSWORD and wrong_answers == 0:
                return "close"
            return answer

        self.addCleanup(coffer.set_host, None)
        coffer.set_host(ask)
        answer: str | None = "open"
        stored = self.login(access_control=control)
        self.assertEqual(self.keychain.secret(stored), b"hunter2")
        answer = None
        with self.assertRaises(coffer.CancelledError):
            self.keychain.secret(stored)
        password, new = coffer.Demand.PASSWORD, coffer.Demand.NEW_PASSWORD
        self.assertEqual(asked, [(new, 0), (password, 0), (password, 1), (password, 0), (password, 1)])
        coffer.set_host(None)
        with self.assertRaises(coffer.AuthenticationRequiredError):
            self.keychain.secret(stored)

    def test_each_kind_of_error_has_a_class_of_its_own(self) -> None:
        header = (ROOT / "Sources/Library/CCoffer/coffer.h").read_text()
        body = header[header.index("typedef enum coffer_status") : header.index("} coffer_status;")]
        numbers = {int(line.split("=")[1].split(",")[0]) for line in body.splitlines() if " = " in line}
        self.assertEqual(numbers - {0}, {kind.status for kind in coffer.Error.__subclasses__()})


class Secrets(Case):
    def test_a_secret_is_not_shown_and_is_wiped(self) -> None:
        secret = Secret(bytearray(b"hunter2"))
        view = secret.view()
        self.assertEqual(bytes(view), b"hunter2")
        self.assertEqual((len(secret), secret.text(), repr(secret)), (7, "hunter2", "<Secret>"))
        self.assertTrue(secret == b"hunter2" and secret != Secret("other"))
        with secret:
            pass
        with self.assertRaises(ValueError):
            bytes(secret)
        secret.wipe()
        self.assertEqual(bytes(Secret(b"").view()), b"")
        self.assertEqual(bytes(Secret(memoryview(b"abc"))), b"abc")

    def test_options_do_not_show_their_secrets(self) -> None:
        self.assertEqual(repr(Options(passphrase="hunter2", read_only=True)), "<Options: passphrase, read_only>")


class Transactions(Case):
    def test_changes_are_made_together(self) -> None:
        with self.keychain.transaction() as transaction:
            added = transaction.add(GenericPassword(service="one"), b"1")
            self.assertEqual(transaction.count(GenericPassword), 1)
            self.assertEqual(transaction.secret(added), b"1")
            transaction.add(GenericPassword(service="two"), b"2")
            for use in (self.keychain.lock, self.vault.lock, self.keychain.transaction().__enter__):
                with self.assertRaises(coffer.InvalidError):
                    use()
        self.assertEqual(self.keychain.count(GenericPassword), 2)
        with self.assertRaises(coffer.InvalidError):
            transaction.count(GenericPassword)

    def test_an_exception_abandons_them(self) -> None:
        with self.assertRaises(ZeroDivisionError):
            with self.keychain.transaction() as transaction:
                transaction.add(GenericPassword(service="one"), b"1")
                1 / 0
        self.assertEqual(self.keychain.count(GenericPassword), 0)

    def test_a_transaction_that_cannot_begin_raises(self) -> None:
        vault = Vault.open(self.directory / "vault.coffer", self.options(read_only=True))
        with self.assertRaises(coffer.ReadOnlyError):
            with vault.keychain().transaction() as transaction:
                transaction.add(GenericPassword(service="one"), b"1")
        self.assertEqual(self.keychain.count(GenericPassword), 0)


class History(Case):
    def test_history_shows_restores_and_undoes(self) -> None:
        first = self.login(b"one")
        second = self.keychain.update(first, b"two")
        history = self.keychain.history(second)
        self.assertTrue(history.is_complete)
        past = history.items[1]
        assert past.stored is not None and first.stored is not None
        self.assertFalse(past.stored.is_current)
        self.assertEqual(self.keychain.secret(past), b"one")
        now = self.keychain.restore(past)
        self.assertEqual(self.keychain.secret(now), b"one")
        self.assertEqual(self.keychain.secret(self.keychain.undo(now)), b"two")
        with self.assertRaises(coffer.ChangedError):
            self.keychain.undo(now)
        self.keychain.delete(now, if_unchanged=False)
        deleted = self.keychain.find_deleted(GenericPassword, service="mail")
        self.assertEqual(len(deleted), 1)
        then = self.keychain.find_at(GenericPassword, datetime.now(timezone.utc), service="mail")
        self.assertEqual(then.items, [])
        self.keychain.restore(deleted[0])
        self.vault.compact()
        self.assertIsNone(self.keychain.history_start)
        self.vault.set_history()
        self.vault.compact()
        self.assertIsNotNone(self.keychain.history_start)

    def test_an_erased_item_cannot_be_restored(self) -> None:
        self.keychain.erase(self.login())
        self.keychain.delete(self.keychain.add(GenericPassword(service="web"), b"x"))
        self.assertEqual(self.keychain.find_deleted(GenericPassword, service="mail"), [])
        self.assertEqual(len(self.keychain.find_deleted(GenericPassword, service="web")), 1)


class Vaults(Case):
    def test_a_locked_vault_says_so(self) -> None:
        with self.protected() as vault, vault.keychain() as keychain:
            item = keychain.add(GenericPassword(service="mail"), b"x")
            vault.lock()
            self.assertFalse(vault.is_unlocked or keychain.is_unlocked)
            with self.assertRaises(coffer.LockedError):
                keychain.secret(item)
            with self.assertRaises(coffer.WrongSecretError):
                vault.unlock(self.options(passphrase="wrong"))
            vault.unlock(self.options(passphrase="correct horse"))
            self.assertEqual(keychain.secret(item), b"x")
            keychain.lock()
            self.assertFalse(vault.is_unlocked)
        with self.assertRaises(coffer.InvalidError):
            vault.lock()

    def test_the_user_is_asked(self) -> None:
        self.protected()
        answers = [b"wrong", Secret(b"correct horse")]
        asked: list[tuple[str, int]] = []

        def ask(path: str, attempt: int) -> "coffer.SecretBytes | None":
            asked.append((os.path.basename(path), attempt))
            return answers[attempt - 1]

        vault = Vault.open(self.directory / "protected.coffer", self.options(prompt=ask))
        self.assertTrue(vault.is_unlocked)
        self.assertEqual(asked, [("protected.coffer", 1), ("protected.coffer", 2)])

        def fail(path: str, attempt: int) -> None:
            raise ZeroDivisionError

        with self.assertRaises(ZeroDivisionError):
            Vault.open(self.directory / "protected.coffer", self.options(prompt=fail))

    def test_each_rung_opens_a_vault(self) -> None:
        self.protected()
        path = self.directory / "protected.coffer"
        (self.directory / "passphrase").write_bytes(b"correct horse\n")
        with Vault.open(path, self.options(passphrase_file=self.directory / "passphrase")) as vault:
            code = coffer.recovery_code()
            vault.add_secrets(self.options(recovery_code=code))
            self.assertEqual([slot.kind for slot in vault.slots], ["passphrase", "recovery_code"])
            self.assertTrue(vault.devices[0].is_this_machine)
            self.assertTrue(any("opened" in outcome for _, outcome in vault.opening))
        self.assertTrue(Vault.open(path, self.options(recovery_code=code.text().lower())).is_unlocked)
        reading, writing = os.pipe()
        os.write(writing, b"correct horse\n")
        os.close(writing)
        self.assertTrue(Vault.open(path, self.options(passphrase_descriptor=reading)).is_unlocked)
        os.close(reading)

    def test_work_reports_progress_and_is_cancelled(self) -> None:
        self.login()
        seen: list[int] = []
        self.assertEqual(self.vault.verify(lambda done, total: seen.append(done)), [])
        self.assertTrue(seen)
        self.assertEqual(self.vault.history_settings, (10, 90))
        with self.assertRaises(coffer.CancelledError):
            self.vault.compact(lambda done, total: False)
        with self.assertRaises(ZeroDivisionError):
            self.vault.compact(lambda done, total: bool(1 // 0))
        self.assertGreater(self.vault.compact().bytes_after, 0)
        self.vault.set_history(revisions=7)
        self.assertEqual(self.vault.history_settings, (7, None))
        self.vault.set_history()
        self.assertEqual(self.vault.history_settings, (0, 0))

    def test_keys_are_changed(self) -> None:
        with self.protected() as vault:
            vault.keychain().add(GenericPassword(service="mail"), b"x")
            change = vault.change_keys(self.options(passphrase="another phrase"))
            self.assertEqual(change.resealed, 1)
        with self.assertRaises(coffer.WrongSecretError):
            Vault.open(self.directory / "protected.coffer", self.options(passphrase="correct horse"))

    def test_copies_are_merged(self) -> None:
        item = self.login(b"one")
        copy = self.directory / "copy.coffer"
        copy.write_bytes((self.directory / "vault.coffer").read_bytes())
        elsewhere = self.options(memory_directory="")
        other = Vault.open(copy, elsewhere).keychain()
        self.keychain.update(item, b"here")
        other.update(item, b"there")
        other.add(GenericPassword(service="new"), b"x")
        with Vault.open_copy(copy, elsewhere) as opened:
            self.assertEqual(self.vault.merge_preview(opened).added, 1)
            merge = self.vault.merge(opened)
        self.assertEqual((merge.added, merge.conflicts), (1, 1))
        conflict = self.keychain.conflicts(GenericPassword)[0]
        revisions = self.keychain.history(conflict).items
        loser = next(each for each in revisions if each.stored and each.stored.is_conflict)
        self.keychain.resolve(loser)
        self.assertEqual(self.keychain.conflicts(GenericPassword), [])
        assert merge.change is not None
        self.assertGreaterEqual(self.vault.undo(merge.change)[0], 1)
        self.assertEqual(self.keychain.count(GenericPassword, service="new"), 0)

    def test_an_item_that_two_copies_added_has_a_conflict(self) -> None:
        copy = self.directory / "copy.coffer"
        copy.write_bytes((self.directory / "vault.coffer").read_bytes())
        elsewhere = self.options(memory_directory="")
        self.keychain.add(GenericPassword(service="mail"), b"here")
        Vault.open(copy, elsewhere).keychain().add(GenericPassword(service="mail"), b"there")
        with Vault.open_copy(copy, elsewhere) as opened:
            self.vault.merge(opened)
        self.assertEqual(self.keychain.count(GenericPassword), 1)
        (winner,) = self.keychain.conflicts(GenericPassword)
        revisions = self.keychain.history(winner).items
        self.assertEqual([self.keychain.secret(each) for each in revisions], [b"there", b"here"])
        self.keychain.resolve(revisions[1])
        self.assertEqual([self.keychain.secret(each) for each in self.keychain.find(GenericPassword)], [b"here"])
        self.assertEqual(self.keychain.conflicts(GenericPassword), [])

    def test_a_grant_opens_its_groups_until_it_is_revoked(self) -> None:
        vault = self.protected()
        credential = self.directory / "credential"
        expiry = datetime.now(timezone.utc) + timedelta(days=1)
        vault.issue_grant("web", ["web", "mail"], credential, expiry=expiry)
        opened = Vault.open(vault.path, self.options(credential_file=credential))
        self.assertEqual(opened.granted_groups, ("web", "mail"))
        with self.assertRaises(coffer.NotEntitledError):
            opened.keychain().add(GenericPassword(service="x", group="private"))
        opened.keychain().add(GenericPassword(service="x", account="kim"), b"planted")
        owned = vault.keychain(groups=["home", "*"])
        self.assertEqual(owned.find(GenericPassword, service="x"), [])
        self.assertEqual(len(owned.find(GenericPassword, service="x", group="web")), 1)
        grant = vault.grants[0]
        self.assertEqual((grant.name, grant.groups, grant.has_expired), ("web", ("web", "mail"), False))
        vault.revoke_grants([grant])
        self.assertEqual(vault.grants, [])
        request = coffer.request_grant(vault.path, self.directory / "mine", self.options())
        vault.issue_requested_grant("mine", ["web"], request)
        request = coffer.request_grant(vault.path, self.directory / "all", self.options())
        vault.add_recipient(request)
        self.assertTrue(Vault.open(vault.path, self.options(credential_file=self.directory / "all")).is_unlocked)

    def test_declared_groups_limit_a_keychain(self) -> None:
        keychain = self.vault.keychain(groups=["TEAM.web"])
        self.assertEqual(keychain.add(GenericPassword(service="x")).group, "TEAM.web")
        with self.assertRaises(coffer.NotEntitledError):
            keychain.find(GenericPassword, group="other")
        named = self.vault.keychain(application="com.example.mail")
        self.assertEqual(named.add(GenericPassword(service="x")).group, "com.example.mail")
        with self.assertRaises(coffer.InvalidError):
            self.vault.keychain(groups="TEAM.web")

    def test_the_default_keychain_makes_its_vault_when_something_is_stored(self) -> None:
        path = self.directory / "default.coffer"
        keychain = Keychain.open(self.options(vault=path))
        self.assertIsNone(keychain.find_secret(GenericPassword, service="mail"))
        self.assertFalse(path.exists())
        keychain.save(GenericPassword(service="mail"), "x")
        self.assertTrue(path.exists())
        self.assertEqual(keychain.find_secret(GenericPassword, service="mail"), b"x")

    def test_a_watch_notices_changes(self) -> None:
        other = Vault.open(self.directory / "vault.coffer", self.options()).keychain()
        with self.vault.watch() as watch:
            self.assertFalse(watch.next(0))
            other.add(GenericPassword(service="mail"))
            self.assertTrue(select.select([watch], [], [], 10)[0])
            self.assertTrue(watch.next())
            self.assertFalse(watch.next(0))

    def test_of_many_threads_one_refreshes_a_secret(self) -> None:
        item = self.login(b"old")
        calls: list[bytes] = []

        def renew(old: Secret) -> bytes:
            calls.append(bytes(old))
            return b"new"

        self.assertEqual(self.keychain.refresh(item, renew, older_than=3600), b"old")
        with self.assertRaises(ZeroDivisionError):
            self.keychain.refresh(item, lambda old: bytes(1 // 0), older_than=0)
        time.sleep(0.4)
        threads = [
            threading.Thread(target=self.keychain.refresh, args=(item, renew), kwargs={"older_than": 0.3})
            for _ in range(8)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(calls, [b"old"])
        self.assertEqual(self.keychain.secret(item), b"new")


class Host(Case):
    def test_a_forked_child_opens_the_vault_again(self) -> None:
        self.login(b"one")
        child = os.fork()
        if child == 0:
            try:
                try:
                    self.keychain.find(GenericPassword)
                    os._exit(1)
                except coffer.MustBeReopenedError:
                    pass
                again = Vault.open(self.directory / "vault.coffer", self.options()).keychain()
                os._exit(0 if again.find_secret(GenericPassword, service="mail") == b"one" else 2)
            finally:
                os._exit(3)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 0)

    def test_the_interpreter_is_not_the_application(self) -> None:
        program = "import coffer; print(coffer.Keychain.open().save(coffer.GenericPassword(service='x'), 'y').group)"
        environment = {"HOME": str(self.directory), "PATH": os.environ["PATH"], "PYTHONPATH": os.pathsep.join(sys.path)}
        run = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True)
        self.assertEqual((run.stdout, run.stderr), ("coffer\n", ""))

    def test_objects_are_freed(self) -> None:
        item = self.login()

        def resident() -> int:
            return int(Path("/proc/self/statm").read_text().split()[1])

        def work(rounds: int) -> None:
            for _ in range(rounds):
                found = self.keychain.find(GenericPassword, service="mail")
                assert self.keychain.secret(found[0]) == b"hunter2"
                self.keychain.count(GenericPassword)
                self.vault.slots

        work(500)
        gc.collect()
        before = resident()
        work(3000)
        gc.collect()
        self.assertLess(resident() - before, 200)  # pages; each round lent some thousand bytes
        self.assertTrue(item.stored)

    def test_each_function_of_the_header_is_declared(self) -> None:
        import re

        from coffer import _library

        header = re.sub(r"/\*.*?\*/", "", (ROOT / "Sources/Library/CCoffer/coffer.h").read_text(), flags=re.S)
        functions = re.findall(r"^[a-z_0-9 ]+[ *]coffer_(\w+)\(([^;{]*)\);", header, flags=re.M)
        declared = {
            name: 0 if arguments == "void" else arguments.count(",") + 1 for name, arguments in functions
        }
        self.assertGreater(len(declared), 80)
        self.assertEqual(declared, {name: len(types) for name, (_, types) in _library.SIGNATURES.items()})


class Asyncio(Case, unittest.IsolatedAsyncioTestCase):
    async def test_calls_run_in_threads_and_changes_arrive(self) -> None:
        item = await aio.run(self.keychain.add, GenericPassword(service="mail"), b"x")
        self.assertEqual(await aio.run(self.keychain.secret, item), b"x")
        other = Vault.open(self.directory / "vault.coffer", self.options()).keychain()
        changes = aio.changes(self.vault)
        waiting = asyncio.ensure_future(changes.__anext__())
        number = 0
        while not waiting.done():  # the watch may not have begun yet
            other.save(GenericPassword(service="mail"), f"x{(number := number + 1)}")
            await asyncio.wait([waiting], timeout=0.05)
        self.assertIsNone(await waiting)
        await changes.aclose()


if __name__ == "__main__":
    unittest.main()
