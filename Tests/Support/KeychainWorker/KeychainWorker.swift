import Coffer
import CofferSecurity
import Foundation

/// A program that uses a vault for tests: it reads one command per line and answers with one line.
@main struct KeychainWorker {
    private var vault: Vault?
    private var application = ""
    /// Groups that may write the vault too.
    private var writers: Set<UInt32> = []
    /// A copy of a secret that is never wiped.
    private var held: [UInt8]?
    private var heldText: String?

    static func main() async {
        var worker = KeychainWorker()
        while let line = readLine() {
            let words = line.split(separator: " ").map(String.init)
            do {
                let answer = words.first == "refresh" ? try await worker.refresh(words) : try worker.answer(to: words)
                print(answer)
            } catch KeychainError.itemNotFound {
                print("not found")
            } catch KeychainError.duplicateItem {
                print("duplicate")
            } catch {
                print("error: \(error)")
            }
            // All streams, because `stdout` is a C variable that Swift 6 does not let this code use.
            fflush(nil)
        }
    }

    /// Refreshes the token OLD, for which a server gives NEW after some milliseconds; the server writes a log.
    private func refresh(_ words: [String]) async throws -> String {
        let (log, delay, old, new) = (words[1], Int(words[2]) ?? 0, words[3], words[4])
        guard let item = try keychain.item(GenericPassword.self, where: .service("token")) else { return "not found" }
        return try await keychain.refresh(item.reference, when: { $0 == old }) { (token: String) in
            try Self.append("request \(getpid()) \(token)", to: log)
            try await Task.sleep(for: .milliseconds(delay))
            try Self.append("answer \(getpid()) \(token)", to: log)
            return new
        }
    }

    private static func append(_ line: String, to path: String) throws {
        let file = open(path, O_WRONLY | O_APPEND)
        defer { close(file) }
        let bytes = Array((line + "\n").utf8)
        guard write(file, bytes, bytes.count) == bytes.count else { throw CocoaError(.fileWriteUnknown) }
    }

    private mutating func answer(to words: [String]) throws -> String {
        switch words.first {
        case "open":
            application = words[3]
            vault = try Self.opened(
                at: words[1],
                state: words[2],
                passphraseFile: words.count > 4 ? words[4] : nil,
                writers: writers
            )
            return vault?.isUnlocked == true ? "unlocked" : "locked"
        case "become":
            // From now on a user without privileges, who may write what the group may write.
            guard let user = uid_t(words[1]), let group = gid_t(words[2]), setgroups(0, nil) == 0,
                setgid(group) == 0, setuid(user) == 0
            else { throw CocoaError(.featureUnsupported) }
            writers = [group]
            return "user \(geteuid())"
        case "groups":
            let groups = try AccessGroups.ofThisProgram()
            return "\(groups.level) \(groups.names.joined(separator: " "))"
        case "add":
            try keychain.add(["class": "genp", "acct": .string(words[1]), "v_Data": .data(Array(words[1].utf8))])
            return "added"
        case "count":
            let request: ItemRequest = ["class": "genp", "m_Limit": "m_LimitAll", "r_PersistentRef": true]
            guard case .list(let items) = try keychain.find(request) else { return "error: no list" }
            return String(items.count)
        case "delete":
            try keychain.delete(["class": "genp"])
            return "deleted"
        case "read":
            guard let item = try keychain.item(GenericPassword.self, where: .account(words[1])) else {
                return "not found"
            }
            return try keychain.withSecret(of: item.reference) { String($0.count) } ?? "none"
        case "hold":
            guard let item = try keychain.item(GenericPassword.self, where: .account(words[1])) else {
                return "not found"
            }
            held = try keychain.secret(of: item.reference)
            return String(held?.count ?? 0)
        case "text":
            heldText = try keychain.passwords(service: "text")[words[1]]
            return String(heldText?.utf8.count ?? 0)
        case "SecItem":
            Keychain.default = try keychain
            return try String(callSecItem(words[1], secretFile: words[2]))
        case "use":
            try use(words[1])
            return "used"
        case "lock":
            vault?.lock()
            return "locked"
        case "close":
            vault = nil
            return "closed"
        default:
            return "error: no such command"
        }
    }

    /// Calls `SecItem` with the secret in a file, wipes the caller's copies of it, and returns the status.
    private func callSecItem(_ call: String, secretFile: String) throws -> OSStatus {
        let secret = try Self.bytes(of: secretFile)
        defer { Self.wipe(secret) }
        let item: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecAttrAccount: "kim"]
        switch call {
        case "add", "addReturning":
            var result: CFTypeRef?
            let values: [CFString: Any] = [kSecValueData: secret, kSecReturnData: call == "addReturning"]
            let status = SecItemAdd(item.merging(values) { $1 } as CFDictionary, &result)
            (result as? NSData).map(Self.wipe)
            return status
        case "update": return SecItemUpdate(item as CFDictionary, [kSecValueData: secret] as CFDictionary)
        case "readNothing":
            return SecItemCopyMatching(item.merging([kSecReturnData: true]) { $1 } as CFDictionary, nil)
        case "read", "readAll":
            var returned: [CFString: Any] = [kSecReturnData: true]
            if call == "readAll" { returned[kSecReturnAttributes] = true }
            func isSecret(_ data: NSData) -> Bool {
                data.length == secret.length && memcmp(data.bytes, secret.bytes, data.length) == 0
            }
            var result: CFTypeRef?
            let status = SecItemCopyMatching(item.merging(returned) { $1 } as CFDictionary, &result)
            // Looking it up by its key would create a copy.
            let objects = (result as? NSDictionary)?.allValues ?? []
            guard let data = result as? NSData ?? objects.lazy.compactMap({ $0 as? NSData }).first(where: isSecret),
                isSecret(data)
            else {
                return errSecItemNotFound
            }
            Self.wipe(data)
            return status
        default: throw CocoaError(.featureUnsupported)
        }
    }

    private static func bytes(of path: String) throws -> NSMutableData {
        let bytes = NSMutableData(length: 4_000)
        let file = open(path, O_RDONLY)
        defer { close(file) }
        guard let bytes, read(file, bytes.mutableBytes, bytes.length) == bytes.length else {
            throw CocoaError(.fileReadUnknown)
        }
        return bytes
    }

    private static func wipe(_ data: NSData) {
        memset(UnsafeMutableRawPointer(mutating: data.bytes), 0, data.length)
    }

    /// Performs an operation that reads attributes, and keeps nothing of the result.
    private func use(_ what: String) throws {
        guard let vault else { throw CocoaError(.fileNoSuchFile) }
        switch what {
        case "find":
            _ = try keychain.find(
                ["class": "genp", "desc": "of an item", "m_Limit": "m_LimitAll", "r_PersistentRef": true]
            )
        case "attributes": _ = try keychain.find(["class": "genp", "m_Limit": "m_LimitAll", "r_Attributes": true])
        case "items": _ = try keychain.items(GenericPassword.self)
        case "update": try keychain.update(["class": "genp"], with: ["desc": "of another item"])
        case "compaction": _ = try vault.compaction().perform()
        case "verification": _ = try vault.verification().perform()
        case "changes": _ = try vault.changes()
        default: throw CocoaError(.featureUnsupported)
        }
    }

    private var keychain: Keychain {
        get throws {
            guard let vault else { throw CocoaError(.fileNoSuchFile) }
            return vault.keychain(for: AccessGroups(application: application))
        }
    }

    private static func opened(
        at path: String,
        state: String,
        passphraseFile: String?,
        writers: Set<UInt32>
    ) throws -> Vault {
        let locations = VaultLocations(vault: nil, deviceKey: state + "/device.key", anchors: state + "/anchors")
        var ladder = UnlockLadder()
        ladder.secret = passphraseFile.map { .passphraseFile($0) }
        var options = VaultOptions(locations: locations)
        options.writerGroupIDs = writers
        return try Vault.open(at: path, with: ladder, options: options)
    }
}
