"""The one error that this reader raises for what it reads."""


class Failure(Exception):
    """What a reader refuses.

    `kind` is a name of the specification: `malformed` or `limit exceeded` of a property list or
    archive, a failure of vault-format.md section 15, or `damaged` of a document. `where` says which
    part and which rule; it never holds a secret, a key or an attribute [VF-87].
    """

    def __init__(self, kind: str, where: str):
        super().__init__(f"{kind}: {where}")
        self.kind = kind
        self.where = where


MALFORMED = "malformed"
LIMIT = "limit exceeded"


def malformed(where: str) -> Failure:
    return Failure(MALFORMED, where)


def limit(where: str) -> Failure:
    return Failure(LIMIT, where)
