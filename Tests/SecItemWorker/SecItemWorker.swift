import Coffer
import Foundation
import Security

/// A program that calls `SecItem` for tests: it reads one command per line and answers with one line.
@main enum SecItemWorker {
    static func main() {
        while let line = readLine() {
            let words = line.split(separator: " ").map(String.init)
            print(answer(words[0], words.count > 1 ? words[1] : ""))
            // All streams, because `stdout` is a C variable that Swift 6 does not let this code use.
            fflush(nil)
        }
    }

    private static func answer(_ command: String, _ word: String) -> String {
        switch command {
        case "add": "\(add(word))"
        case "find": find(word)
        case "count": count()
        case "delete": "\(SecItemDelete([kSecClass: kSecClassGenericPassword] as [CFString: Any] as CFDictionary))"
        case "fork": fork(word)
        case "threads": threads(word)
        case "use": use(word)
        default: "no such command"
        }
    }

    private static func add(_ account: String) -> OSStatus {
        let item: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecAttrAccount: account, kSecValueData: Data(account.utf8),
        ]
        return SecItemAdd(item as CFDictionary, nil)
    }

    private static func find(_ account: String) -> String {
        let query: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecAttrAccount: account, kSecReturnData: true,
        ]
        var result: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        guard status == errSecSuccess, let data = result as? Data else { return "\(status)" }
        return String(decoding: data, as: UTF8.self)
    }

    private static func count() -> String {
        let query: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecMatchLimit: kSecMatchLimitAll, kSecReturnAttributes: true,
        ]
        var result: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        guard status == errSecSuccess, let items = result as? [[String: Any]] else { return "\(status)" }
        return "\(items.count)"
    }

    /// Forks a process that adds an item of its own, and returns what it finds for an account.
    private static func fork(_ account: String) -> String {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { return "no pipe" }
        let child = Glibc.fork()
        guard child != 0 else {
            let answer = Array("\(add("child")) \(find(account))".utf8)
            _ = write(ends[1], answer, answer.count)
            _exit(0)
        }
        close(ends[1])
        var bytes = [UInt8](repeating: 0, count: 1000)
        let count = read(ends[0], &bytes, bytes.count)
        close(ends[0])
        waitpid(child, nil, 0)
        return String(decoding: bytes[..<max(count, 0)], as: UTF8.self)
    }

    /// Runs `count` threads, and returns how many of them add an item and find it.
    private static func threads(_ count: String) -> String {
        let count = Int(count) ?? 0
        let successes = NSLock()
        nonisolated(unsafe) var number = 0
        DispatchQueue.concurrentPerform(iterations: count) { index in
            let account = "thread\(index)"
            guard add(account) == errSecSuccess, find(account) == account else { return }
            successes.withLock { number += 1 }
        }
        return "\(number)"
    }

    /// Uses the vault at `path` from now on, which is created with the first item.
    private static func use(_ path: String) -> String {
        let places = VaultPlaces(vault: path, deviceKey: path + ".key", anchors: nil)
        let groups = AccessGroups(application: "com.example.mail")
        Keychain.default = Keychain(
            options: VaultOptions(places: places),
            groups: groups,
            notices: { notice in print("heard: \(notice.kind)") }
        )
        return "used"
    }
}
