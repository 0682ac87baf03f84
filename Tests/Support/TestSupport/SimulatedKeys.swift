internal import CofferBasics
internal import Glibc
import VaultCrypto
package import VaultFiles

/// A simulated kernel key service that records its calls and uses a time set by tests.
package final class SimulatedKeys: KeyCalls {
    /// A call; the order of calls shows what others could have seen.
    package enum Call: Equatable, Sendable {
        case add(KeyringName)
        case setTimeout(seconds: UInt32)
        case setPermissions(KeyPermissions)
        case link(KeyringName)
        case unlink(KeyringName)
        case search
        case read
        case invalidate
    }

    private struct Key {
        let description: String
        let payload: [UInt8]
        var end: UInt64?
    }

    private struct State {
        var keys: [KeySerial: Key] = [:]
        var links: [KeyringName: [String: KeySerial]] = [:]
        var calls: [Call] = []
        var failures: [(call: Call, number: Int32, remaining: Int)] = []
        var lastNumber: Int32 = 0
        var hasExposedUnexpiringKey = false
    }

    private let state = Guarded(State())
    private let time: any TimeSource

    /// Makes a kernel without keys.
    package init(time: any TimeSource = ManualTime()) {
        self.time = time
    }

    /// The calls so far, in order.
    package var calls: [Call] { state.withLock { $0.calls } }

    /// Whether the user's keyring ever held a key without an end.
    package var hasExposedUnexpiringKey: Bool { state.withLock { $0.hasExposedUnexpiringKey } }

    /// Returns the descriptions of the keys in a keyring, including expired ones.
    package func descriptions(in keyring: KeyringName) -> Set<String> {
        state.withLock { Set($0.links[keyring, default: [:]].keys) }
    }

    /// The number of keys that are linked to a keyring.
    package var keyCount: Int {
        state.withLock { state in Set(state.links.values.flatMap(\.values)).count }
    }

    /// Makes the next `count` calls like `call` fail with an error number.
    package func fail(_ call: Call, with number: Int32, count: Int = 1) {
        state.withLock { $0.failures.append((call, number, count)) }
    }

    // MARK: - Calls

    package func add(
        _ description: String,
        payload: Span<UInt8>,
        to keyring: KeyringName
    ) throws(KeyCallError) -> KeySerial {
        let bytes = [UInt8](copying: payload)
        return try perform(.add(keyring)) { (state) throws(KeyCallError) in
            state.lastNumber += 1
            let serial = KeySerial(number: state.lastNumber)
            state.keys[serial] = Key(description: description, payload: bytes)
            state.links[keyring, default: [:]][description] = serial
            return serial
        }
    }

    package func setTimeout(of key: KeySerial, seconds: UInt32) throws(KeyCallError) {
        let end = time.monotonicNanoseconds() + UInt64(seconds) * 1_000_000_000
        try perform(.setTimeout(seconds: seconds)) { (state) throws(KeyCallError) in
            state.keys[key]?.end = seconds == 0 ? nil : end
        }
    }

    package func setPermissions(of key: KeySerial, to permissions: KeyPermissions) throws(KeyCallError) {
        try perform(.setPermissions(permissions)) { (_) throws(KeyCallError) in }
    }

    package func link(_ key: KeySerial, to keyring: KeyringName) throws(KeyCallError) {
        try perform(.link(keyring)) { (state) throws(KeyCallError) in
            guard let description = state.keys[key]?.description else { throw KeyCallError(number: ENOKEY) }
            state.links[keyring, default: [:]][description] = key
        }
    }

    package func unlink(_ key: KeySerial, from keyring: KeyringName) throws(KeyCallError) {
        try perform(.unlink(keyring)) { (state) throws(KeyCallError) in
            guard let found = state.links[keyring]?.first(where: { $0.value == key }) else {
                throw KeyCallError(number: ENOENT)
            }
            state.links[keyring]?[found.key] = nil
        }
    }

    package func search(_ keyring: KeyringName, for description: String) throws(KeyCallError) -> KeySerial {
        let now = time.monotonicNanoseconds()
        return try perform(.search) { (state) throws(KeyCallError) in
            guard let serial = state.links[keyring]?[description], let key = state.keys[serial] else {
                throw KeyCallError(number: ENOKEY)
            }
            guard key.end.map({ now < $0 }) ?? true else { throw KeyCallError(number: EKEYEXPIRED) }
            return serial
        }
    }

    package func read(_ key: KeySerial, into buffer: inout MutableSpan<UInt8>) throws(KeyCallError) -> Int {
        let payload = try perform(.read) { (state) throws(KeyCallError) in
            guard let key = state.keys[key] else { throw KeyCallError(number: ENOKEY) }
            return key.payload
        }
        for (index, byte) in payload.enumerated() where index < buffer.count { buffer[index] = byte }
        return payload.count
    }

    package func invalidate(_ key: KeySerial) throws(KeyCallError) {
        try perform(.invalidate) { (state) throws(KeyCallError) in
            state.keys[key] = nil
            for keyring in Array(state.links.keys) {
                state.links[keyring] = state.links[keyring]?.filter { $0.value != key }
            }
        }
    }

    private func perform<Result>(
        _ call: Call,
        _ body: (inout State) throws(KeyCallError) -> Result
    ) throws(KeyCallError) -> Result {
        try state.withLock { state throws(KeyCallError) in
            state.calls.append(call)
            if let index = state.failures.firstIndex(where: { $0.call == call && $0.remaining > 0 }) {
                state.failures[index].remaining -= 1
                throw KeyCallError(number: state.failures[index].number)
            }
            let result = try body(&state)
            let shown = state.links[.user, default: [:]].values
            if shown.contains(where: { state.keys[$0]?.end == nil }) { state.hasExposedUnexpiringKey = true }
            return result
        }
    }
}
