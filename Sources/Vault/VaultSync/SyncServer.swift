internal import CofferBasics
internal import VaultFiles
internal import VaultFormat

/// Serves a vault to another machine over a stream: `Spec/sync.md`.
package struct SyncServer {
    /// How often a vault is looked at while the other side waits for a change.
    private static let lookInterval = Duration.seconds(1)

    private let connection: SyncConnection
    /// Finds the vault with the path that the other side names; an empty path names the vault of this user.
    private let locate: (String) throws -> ServedVault
    /// The files as they were when their state was sent.
    private var marks: [SyncedFile: FileMark] = [:]

    package init(_ transport: any SyncTransport, locate: @escaping (String) throws -> ServedVault) {
        connection = SyncConnection(transport)
        self.locate = locate
    }

    /// Serves until the other side ends the connection.
    ///
    /// - Throws: `SyncFailure` if it broke off or broke the protocol; the other side knows already.
    package mutating func serve() throws {
        try connection.send(SyncConnection.greeting)
        do {
            guard let first = try nextRequest() else { return }
            guard case .open(let path) = first else { throw SyncFailure.invalid("a path was expected") }
            let vault = try locate(path)
            try sendState(of: vault)
            while let request = try nextRequest() {
                // What has changed meanwhile leaves the connection usable: the other side fetches again.
                do {
                    try answer(request, vault)
                } catch {
                    let (refusal, text) = error.refusal
                    guard refusal == .changed else { throw error }
                    try connection.send(.failed(refusal, text))
                }
            }
        } catch {
            let (refusal, text) = error.refusal
            if error as? SyncFailure != .disconnected { try? connection.send(.failed(refusal, text)) }
            throw error
        }
    }

    /// The next request; nil at the end of the connection.
    private func nextRequest() throws -> SyncMessage? {
        do {
            while try !connection.hasArrived(timeout: .seconds(3600)) {}
        } catch {
            guard error as? SyncFailure == .disconnected else { throw error }
            return nil
        }
        return try connection.next()
    }

    private mutating func sendState(of vault: ServedVault) throws {
        // First, so that no change is missed that comes after the answer.
        marks = try vault.marks()
        let contents = try vault.contents()
        try connection.send(.state(vault: contents.first?.vault, files: contents.map(\.file)))
    }

    private mutating func answer(_ request: SyncMessage, _ vault: ServedVault) throws {
        switch request {
        case .look: try sendState(of: vault)
        case .fetch(let file):
            guard let content = try vault.contents().first(where: { $0.file == file })?.content else {
                // The other side says what it knows without waiting for this.
                _ = try connection.next()
                throw SyncFailure.refused(.changed, "the file is gone")
            }
            try connection.send(content) { _ in }
        case .push(let seen):
            let contents = try vault.contents()
            let received = try connection.receive(
                knowing: contents.map(\.content),
                at: vault.placeOfPart,
                atMost: vault.byteCountLimit(beside: contents)
            ) { _ in }
            try connection.send(.done(vault.take(received, seen: seen)))
        case .wait: try wait(for: vault)
        // It crossed the news of a change.
        case .stop: break
        default: throw SyncFailure.invalid("a request was expected")
        }
    }

    /// Sends a message when the vault has changed since its state was sent, or when the other side no longer waits.
    private func wait(for vault: ServedVault) throws {
        while try vault.marks() == marks {
            if try connection.hasArrived(timeout: Self.lookInterval) { break }
        }
        try connection.send(.changed)
    }
}
