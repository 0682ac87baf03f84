public import Coffer
internal import CofferBasics
internal import VaultFiles
internal import VaultFormat
internal import VaultStore

/// The position of a fleet in one vault, and that of each machine.
///
/// ```swift
/// let status = try fleet.status(ofVaultAt: path)
/// print(status.change, status.machines.map(\.name))
/// ```
public struct FleetStatus: Sendable {
    /// A machine, as of its last report.
    public struct Machine: Sendable {
        /// The name that it joined with.
        public let name: String
        /// The number of the last change that it had.
        public let change: UInt64
        /// When it reported: with each change that it makes, and every few minutes while it follows.
        public let reported: KeychainDate
    }

    /// The id of the vault, in hexadecimal digits.
    public let vault: String
    /// The number of the last change.
    public let change: UInt64
    /// The number of the last change that the file of this machine has.
    public let ownChange: UInt64
    /// How often the file was replaced.
    public let generation: UInt64
    /// All machines, in the order of their names.
    public let machines: [Machine]
}

extension Fleet {
    /// Returns the position of the fleet and of each machine.
    ///
    /// - Parameters:
    ///   - path: The path of a vault that this machine shares.
    ///   - options: Options for using the vault.
    /// - Returns: The status.
    /// - Throws: ``VaultError`` if the vault cannot be read, or the fleet is unreachable.
    public func status(
        ofVaultAt path: String,
        options: VaultOptions = VaultOptions()
    ) throws(VaultError) -> FleetStatus {
        let (own, log) = try replica(at: path, options)
        let (head, machines) = try translating(error(at: path), log.status())
        return FleetStatus(
            vault: "\(own.vault)",
            change: head.place.sequence,
            ownChange: own.place.sequence,
            generation: head.place.generation,
            machines: machines.map { name, report in
                FleetStatus.Machine(
                    name: name,
                    change: report.sequence,
                    reported: KeychainDate(secondsSince1970: Double(report.time.microseconds) / 1e6)
                )
            }
        )
    }

    /// Adds this machine to a fleet, and downloads a vault.
    ///
    /// A machine that already has the file joins again.
    ///
    /// ```swift
    /// try fleet.join(at: "/var/lib/mail/secrets.coffer")
    /// ```
    ///
    /// - Parameters:
    ///   - vault: The id of the vault, in hexadecimal digits; nil for the only one that the fleet has.
    ///   - path: The path for the file.
    ///   - options: Options for using the vault.
    /// - Throws: ``VaultError`` if the fleet is unreachable or does not have the vault, or another file is at `path`.
    public func join(
        _ vault: String? = nil,
        at path: String,
        options: VaultOptions = VaultOptions()
    ) throws(VaultError) {
        let environment = try options.storeEnvironment()
        if try Self.isFree(path, environment) {
            let client = try client(environment)
            let vault = if let vault { vault } else { try onlyVault(client, path) }
            let log = log(of: vault, client, environment)
            try VaultError.converting { try VaultStore.makeReplica(of: log, at: path, environment) }
        }
        let (own, log) = try replica(at: path, options)
        guard own.features.isShared, vault ?? "\(own.vault)" == "\(own.vault)" else {
            throw .ofStore(.file(FileError(.create, path, reason: .alreadyExists)))
        }
        try translating(error(at: path), log.join(at: own.place))
    }

    /// Removes a machine from a fleet, so that it can no longer write.
    ///
    /// It can still read its file and the cluster. If it must not, revoke its etcd user, and change the keys of the vault.
    ///
    /// - Parameters:
    ///   - machine: The name of the machine.
    ///   - path: The path of the vault on this machine.
    ///   - options: Options for using the vault.
    /// - Returns: Whether it was one of the fleet.
    /// - Throws: ``VaultError`` if the vault cannot be read, or the fleet is unreachable.
    public func remove(
        _ machine: String,
        fromVaultAt path: String,
        options: VaultOptions = VaultOptions()
    ) throws(VaultError) -> Bool {
        let (_, log) = try replica(at: path, options)
        return try translating(error(at: path), log.remove(machine))
    }

    /// Returns the status of each member of the cluster, or why it did not answer.
    package func members(
        _ options: VaultOptions
    ) throws(VaultError) -> [(endpoint: String, answer: Result<EtcdMember, VaultError>)] {
        var impatient = self
        impatient.timeout = min(timeout, .seconds(2))
        let client = try impatient.client(options.storeEnvironment())
        return endpoints.map { endpoint in
            let answer = Result { () throws(EtcdError) in try client.member(at: endpoint) }
            let named = answer.mapError { error in
                let text =
                    if case .unavailable(let failures, _) = error {
                        failures.map(\.text).joined(separator: "; ")
                    } else {
                        error.description
                    }
                return VaultError(kind: .unavailable, description: text)
            }
            return (endpoint, named)
        }
    }

    /// Throws if the vault at `path` has more than a quarter of the room of a member: etcd keeps two files of it, and more
    /// until it drops its history.
    package func checkRoom(forVaultAt path: String, _ options: VaultOptions) throws(VaultError) {
        let environment = try options.storeEnvironment()
        let vault = try VaultError.converting { try VaultStore.inspect(at: path, environment: environment) }
        let limits = try members(options).compactMap { try? $0.answer.get().byteCountLimit }
        guard let limit = limits.min(), vault.fileByteCount > limit / 4 else { return }
        throw VaultError(
            kind: .tooLarge,
            description: """
                \(path.printable) has \(vault.fileByteCount.grouped) bytes, more than a quarter of the \(limit.grouped) that \
                etcd may store; compact it, or raise --quota-backend-bytes
                """
        )
    }

    /// Whether nothing is at `path`, whose directory is made.
    private static func isFree(_ path: String, _ environment: StoreEnvironment) throws(VaultError) -> Bool {
        try VaultError.converting {
            let place = try environment.files.locateForCreating(path, makesDirectories: true)
            return try ifPresent { try place.directory.status(of: place.name) } == nil
        }
    }

    /// The replica of this machine, as read without a key, and its log.
    func replica(
        at path: String,
        _ options: VaultOptions
    ) throws(VaultError) -> (VaultInspection, FleetLog) {
        let environment = try options.storeEnvironment()
        let own = try VaultError.converting { try VaultStore.inspect(at: path, environment: environment) }
        return (own, log(of: "\(own.vault)", try client(environment), environment))
    }

    /// The id of the only vault of the fleet.
    private func onlyVault(_ client: EtcdClient, _ path: String) throws(VaultError) -> String {
        let vaults = try translating(error(at: path), FleetKeys.vaults(under: prefix, client))
        guard vaults.count <= 1 else {
            throw VaultError(
                kind: .unavailable,
                description: "the fleet has several vaults; choose one by its id: \(vaults.joined(separator: ", "))"
            )
        }
        guard let vault = vaults.first else {
            throw VaultError(kind: .unavailable, description: "the fleet has no vault yet; share one first")
        }
        return vault
    }

    private func error(at path: String) -> (SharedLogError) -> VaultError {
        { VaultError.ofStore(.shared($0, path: path)) }
    }
}

extension VaultInspection {
    /// How far the file goes; the chain is not known without a key.
    var place: LogPlace {
        LogPlace(generation: generation, sequence: log.lastSequence ?? baseSequence, chain: LogPlace.start.chain)
    }
}
