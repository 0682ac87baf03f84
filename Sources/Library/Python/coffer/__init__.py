"""Keychains in encrypted vault files.

>>> import coffer
>>> keychain = coffer.Keychain.open(application="com.example.mail")
>>> keychain.set_password("mail", "kim", "hunter2")
>>> keychain.password("mail", "kim")
'hunter2'
"""

from . import _library
from ._errors import (
    AuthenticationFailedError,
    AuthenticationRequiredError,
    BusyError,
    CancelledError,
    ChangedError,
    DamagedError,
    DamagedItemError,
    DeviceKeyNeededError,
    DiskFullError,
    DuplicateError,
    Error,
    FileReplacedError,
    GrantExpiredError,
    InputOutputError,
    InvalidError,
    LockedError,
    MustBeReopenedError,
    NewerVersionError,
    NoPassphraseError,
    NotARecoveryCodeError,
    NotAVaultError,
    NotEntitledError,
    NotFoundError,
    NoVaultError,
    OutOfMemoryError,
    ReadOnlyError,
    RolledBackError,
    SecretNeededError,
    SecretUnavailableError,
    TooLargeError,
    UnavailableError,
    VaultExistsError,
    WeakSecretError,
    WrongSecretError,
)
from ._host import Demand, set_host
from ._items import (
    AccessControl,
    Accessible,
    AttributeValue,
    Certificate,
    GenericPassword,
    InternetPassword,
    Item,
    Key,
    Stored,
)
from ._keychain import History, Keychain
from ._options import Options
from ._secrets import Secret, SecretBytes
from ._vault import (
    Compaction,
    Device,
    Finding,
    Grant,
    KeyChange,
    Merge,
    Slot,
    Vault,
    Watch,
    recovery_code,
    request_grant,
)

#: The version of the library.
__version__: str = _library.call("version").decode()

__all__ = [name for name in dir() if not name.startswith("_")]

# What users see, in messages too, is the package.
for _name in __all__:
    if isinstance(globals()[_name], type):
        globals()[_name].__module__ = __name__
