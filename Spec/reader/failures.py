"""The only error that this reader raises about its input."""


class Failure(Exception):
    """Input that the reader rejects.

    `kind` is a term of the specification: `malformed` or `limit exceeded` for a property list or
    archive, a failure of vault-format.md section 15, or `damaged` for a document. `where` names the
    part and the rule; it never contains a secret, a key or an attribute [VF-87].
    """

    def __init__(self, kind: str, where: str):
        super().__init__(f"{kind}: {where}")
        self.kind = kind
        self.where = where


MALFORMED = "malformed"
LIMIT = "limit exceeded"
NO_MATCH = "no match"


def malformed(where: str) -> Failure:
    return Failure(MALFORMED, where)


def limit(where: str) -> Failure:
    return Failure(LIMIT, where)
