/// The expected content of a vault: the passwords, oldest first, and its grants.
struct VaultModel: Hashable, Sendable {
    struct Login: Hashable, Sendable {
        var account: String
        var secret: String
    }

    var logins: [Login] = []
    /// Whether the holder has a grant.
    var isGranted = false

    /// Whether a change can be made: an added item must be missing; an updated or deleted one must exist.
    func allows(_ change: Change) -> Bool {
        switch change {
        case .add(let account, _): index(of: account) == nil
        case .update(let account, _), .delete(let account): index(of: account) != nil
        case .issueGrant: !isGranted
        case .revokeGrant: isGranted
        case .keepHistory: true
        }
    }

    mutating func make(_ change: Change) {
        switch change {
        case .add(let account, let secret): logins.append(Login(account: account, secret: secret))
        case .update(let account, let secret): if let index = index(of: account) { logins[index].secret = secret }
        case .delete(let account): logins.removeAll { $0.account == account }
        case .issueGrant: isGranted = true
        case .revokeGrant: isGranted = false
        case .keepHistory: break
        }
    }

    /// The vault after `changes`; nil if one of them cannot be made.
    func after(_ changes: [Change]) -> VaultModel? {
        var model = self
        for change in changes {
            guard model.allows(change) else { return nil }
            model.make(change)
        }
        return model
    }

    private func index(of account: String) -> Int? { logins.firstIndex { $0.account == account } }
}

extension VaultModel: CustomStringConvertible {
    var description: String {
        logins.map { "\($0.account)=\($0.secret.prefix(8))" }.joined(separator: " ") + (isGranted ? " granted" : "")
    }
}

/// One change to a vault.
enum Change: Hashable, Sendable {
    case add(String, String)
    case update(String, String)
    case delete(String)
    /// Compactions keep this many past revisions from now on.
    case keepHistory(Int)
    /// The holder gets a grant of the group of the items; not made in a transaction, as its revocation.
    case issueGrant
    case revokeGrant
}
