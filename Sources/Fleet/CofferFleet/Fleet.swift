public import Coffer
internal import CofferBasics
internal import VaultFiles
internal import VaultFormat
internal import VaultStore

/// A cluster of etcd through which machines share vaults.
///
/// Each machine has the whole vault as a file, and reads it without the network. A change succeeds once a majority of the
/// cluster has stored it. The cluster stores sealed bytes only.
///
/// ```swift
/// var fleet = try Fleet("https://etcd1.example:2379,https://etcd2.example:2379/coffer")
/// fleet.authorities = "/etc/coffer/ca.pem"
/// var options = VaultOptions()
/// try options.share(through: fleet)
/// ```
public struct Fleet: Sendable {
    /// The addresses of members, such as `https://10.0.0.1:2379`.
    public let endpoints: [String]
    /// The prefix of all keys of the fleet.
    public let prefix: String
    /// The file in PEM of the authorities that are trusted instead of those of the system.
    public var authorities: String?
    /// The file in PEM with the certificate of this machine.
    public var certificate: String?
    /// The file in PEM with the key of that certificate.
    public var key: String?
    /// The name of this machine, under which the others see it; that of the host unless it is set.
    public var machine = HostName.current
    /// The user of etcd; nil if etcd has no users.
    public var user: String?
    /// The file with the password of the user.
    public var passwordFile: String?
    /// The file with a token of etcd, used instead of a user; it is read again when etcd rejects the token.
    public var tokenFile: String?
    /// How long a request may take, over all members.
    public var timeout = Duration.seconds(10)

    /// Creates a fleet from the addresses of members, separated by commas, with the prefix behind the last one.
    ///
    /// - Parameter text: The addresses, such as `https://host1:2379,https://host2:2379/prefix`. Without a prefix, it is
    ///   `coffer`.
    /// - Throws: ``VaultError`` if an address is not one.
    public init(_ text: String) throws(VaultError) {
        var addresses: [String] = []
        var prefix = "coffer"
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let scheme = ["https://", "http://"].first { part.hasPrefix($0) }
            let rest = part.dropFirst(scheme?.count ?? 0)
            let host = rest.prefix { $0 != "/" }
            let path = rest.dropFirst(host.count).split(separator: "/").joined(separator: "/")
            let isLast = part.endIndex == text.endIndex
            guard let scheme, !host.isEmpty, !host.contains("@"), isLast || path.isEmpty,
                part.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
            else {
                throw VaultError(
                    kind: .unavailable,
                    description: """
                        \(part.contains("@") ? "a text with @" : String(part).printable) is not the address of a member of \
                        etcd; use https://HOST:2379, several separated by commas, and /PREFIX behind the last one
                        """
                )
            }
            addresses.append(scheme + host)
            if !path.isEmpty { prefix = path }
        }
        (endpoints, self.prefix) = (addresses, prefix)
    }

    /// Returns the fleet that the environment names; nil if it names none.
    ///
    /// - Returns: The fleet in `COFFER_FLEET`.
    /// - Throws: ``VaultError`` if an address is not one.
    public static func ofEnvironment() throws(VaultError) -> Fleet? { try Fleet(ProgramEnvironment()) }

    /// Creates the fleet that `COFFER_FLEET` names; nil if it is not set.
    ///
    /// `COFFER_FLEET_MACHINE`, `COFFER_FLEET_CA`, `COFFER_FLEET_CERTIFICATE`, `COFFER_FLEET_KEY`, `COFFER_FLEET_USER`,
    /// `COFFER_FLEET_PASSWORD_FILE` and `COFFER_FLEET_TOKEN_FILE` set the other properties.
    package init?(_ environment: ProgramEnvironment) throws(VaultError) {
        guard let text = environment["COFFER_FLEET"], !text.isEmpty else { return nil }
        try self.init(text)
        if let name = environment["COFFER_FLEET_MACHINE"], !name.isEmpty { machine = name }
        authorities = environment["COFFER_FLEET_CA"]
        certificate = environment["COFFER_FLEET_CERTIFICATE"]
        key = environment["COFFER_FLEET_KEY"]
        user = environment["COFFER_FLEET_USER"]
        passwordFile = environment["COFFER_FLEET_PASSWORD_FILE"]
        tokenFile = environment["COFFER_FLEET_TOKEN_FILE"]
    }

    /// Requests to the cluster.
    func client(_ environment: StoreEnvironment) throws(VaultError) -> EtcdClient {
        guard (1...200).contains(machine.utf8.count), machine.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F && $0 != 0x2F })
        else {
            throw VaultError(kind: .unavailable, description: "\(machine.printable) cannot be the name of a machine")
        }
        var settings = EtcdSettings(endpoints: endpoints)
        settings.files.authorities = authorities
        settings.files.certificate = certificate
        settings.files.key = key
        settings.bound = timeout
        if let tokenFile {
            settings.credential = .token { () throws(EtcdError) in try Self.secret(in: tokenFile) }
        } else if let user {
            settings.credential = .password(user: user) { [passwordFile] () throws(EtcdError) in
                guard let passwordFile else { throw .noCredential("COFFER_FLEET_PASSWORD_FILE is not set") }
                return try Self.secret(in: passwordFile)
            }
        }
        // Anyone on the way could read it.
        let isOpen = endpoints.contains { $0.hasPrefix("http://") && !$0.hasPrefix("http://127.0.0.1:") }
        guard settings.credential == nil || !isOpen else {
            throw VaultError(kind: .unavailable, description: "passwords and tokens are sent to https addresses only")
        }
        do throws(EtcdError) {
            return try EtcdClient(settings, time: environment.time)
        } catch {
            throw VaultError(kind: .unavailable, description: error.description)
        }
    }

    private static func secret(in file: String) throws(EtcdError) -> HeldSecret {
        do throws(VaultError) {
            return try Passphrase.inFile(file, of: .passphraseFile(path: file)).secret
        } catch {
            throw .noCredential(error.description)
        }
    }

    /// The log of the vault with an id in hexadecimal digits.
    func log(of vault: String, _ client: EtcdClient, _ environment: StoreEnvironment) -> FleetLog {
        FleetLog(client, prefix: prefix, vault: vault, machine: machine, environment)
    }
}

extension VaultOptions {
    /// Makes the vault one that machines share through a fleet.
    ///
    /// Opening and reading it needs no network; a change does.
    ///
    /// - Parameter fleet: The fleet.
    /// - Throws: ``VaultError`` if a password would be sent without protection, or the machine has no usable name.
    public mutating func share(through fleet: Fleet) throws(VaultError) {
        let environment = try storeEnvironment()
        let client = try fleet.client(environment)
        sharedLog = { fleet.log(of: "\($0)", client, environment) }
        // Another program may be waiting for the cluster.
        lockTimeout = max(lockTimeout, fleet.timeout + .seconds(2))
    }
}

extension Fleet {
    /// Keeps a vault up to date on a thread of its own, until the result is stopped or released.
    ///
    /// ```swift
    /// let follower = try fleet.follow(vault)
    /// defer { follower.stop() }
    /// ```
    ///
    /// - Parameters:
    ///   - vault: A vault with the fleet in its options.
    ///   - ladder: The secrets that open the vault if its keys are changed on another machine.
    /// - Returns: What follows, on a thread of its own.
    /// - Throws: ``VaultError`` if the system provides no thread.
    public func follow(
        _ vault: Vault,
        with ladder: UnlockLadder = UnlockLadder()
    ) throws(VaultError) -> FleetFollower {
        try FleetFollower(vault, ladder, client(vault.options.storeEnvironment()), prefix: prefix)
    }
}

extension Vault {
    /// Shares this vault through the fleet of its options, which must not have it yet.
    public func beginSharing() throws(VaultError) {
        try VaultError.converting { try store.share() }
    }

    /// Makes this vault one of this machine alone; the other machines keep sharing it.
    ///
    /// To get later changes of the others, merge a copy of theirs with ``merge(_:)``.
    public func endSharing() throws(VaultError) {
        try VaultError.converting { try store.leave() }
    }

    /// Whether machines share this vault.
    public var isShared: Bool { store.isShared }

    /// Catches up with the other machines of the fleet, and returns whether there was anything new.
    ///
    /// - Parameters:
    ///   - isStrict: Whether every change that was acknowledged on any machine must be there afterwards. This writes to the
    ///     cluster, which also reports the position of this machine.
    ///   - ladder: The secrets that open the vault if its keys were changed on another machine.
    /// - Returns: Whether there was anything new.
    /// - Throws: ``VaultError`` if the fleet is unreachable, or the ladder does not open the vault with its new keys.
    @discardableResult
    public func follow(
        isStrict: Bool = false,
        with ladder: UnlockLadder = UnlockLadder()
    ) throws(VaultError) -> Bool {
        do {
            let isNew = try store.follow(isStrict: isStrict)
            if store.isShared { try store.writeHistorySettings() }
            return isNew
        } catch StoreError.keysChanged {
        } catch {
            throw VaultError(error)
        }
        do {
            return try unlocking(with: ladder) { roots in
                var isFileOfFleet = false
                do {
                    return try store.follow { prelude in
                        isFileOfFleet = true
                        return try roots(prelude)
                    }
                } catch StoreError.keysChanged where !isFileOfFleet {
                    // Another program on this machine has taken the new file already.
                    try store.unlock(roots: roots)
                    return try store.follow(newRoots: roots)
                }
            }
        } catch {
            throw VaultError(
                kind: error.kind,
                description: "the vault in the cluster has other keys: \(error.description)"
            )
        }
    }
}
