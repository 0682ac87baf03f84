import Coffer
import Foundation
import LocalAuthentication
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
        case "sign": sign(word)
        case "library": withoutLibrary()
        case "guard": guardItem(word)
        case "ask": ask(word)
        case "entitlement": entitlement(word)
        default: "no such command"
        }
    }

    private static func add(_ account: String) -> OSStatus {
        let item: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecAttrAccount: account, kSecValueData: Data(account.utf8),
        ]
        return SecItemAdd(item as CFDictionary, nil)
    }

    private static func entitlement(_ key: String) -> String {
        let value = SecTaskCreateFromSelf(nil).flatMap { SecTaskCopyValueForEntitlement($0, key as CFString, nil) }
        return value.map { "\($0)" } ?? "nil"
    }

    /// Adds an item that demands the user, or an application password.
    private static func guardItem(_ account: String) -> String {
        LAHost.install(.terminal)
        let flags: SecAccessControlCreateFlags = account == "password" ? .applicationPassword : .userPresence
        guard let control = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleAlways, flags, nil) else {
            return "nil"
        }
        let item: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecAttrAccount: account, kSecValueData: Data(account.utf8),
            kSecAttrAccessControl: control,
        ]
        return "\(SecItemAdd(item as CFDictionary, nil))"
    }

    /// Returns what it finds for an account, and asks at the terminal if necessary.
    private static func ask(_ account: String) -> String {
        LAHost.install(.terminal)
        return find(account)
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

    /// Makes a key of the file, uses it and stores it; the file is read into memory that is wiped.
    private static func sign(_ word: String) -> String {
        let parts = word.split(separator: ":").map(String.init)
        let file = open(parts[0], O_RDONLY)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 8192, alignment: 16)
        defer { buffer.deallocate() }
        let byteCount = read(file, buffer.baseAddress, buffer.count)
        close(file)
        guard byteCount > 0, let start = buffer.baseAddress else { return "no file" }
        let data = NSData(bytesNoCopy: start, length: byteCount, freeWhenDone: false)
        let attributes = [kSecAttrKeyType: parts[1] as CFString, kSecAttrKeyClass: kSecAttrKeyClassPrivate]
        guard let key = SecKeyCreateWithData(data, attributes as CFDictionary, nil) else { return "no key" }
        explicit_bzero(start, buffer.count)
        let algorithm: SecKeyAlgorithm =
            parts[1] == "42" ? .rsaSignatureMessagePSSSHA256 : .ecdsaSignatureMessageX962SHA256
        let message = Data("message".utf8) as CFData
        for _ in 0..<3 {
            guard SecKeyCreateSignature(key, algorithm, message, nil) != nil else { return "no signature" }
        }
        guard parts.count == 2 || exchange(key) else { return "not exchanged" }
        guard parts.count == 2 else { return "signed" }
        let item: [CFString: Any] = [kSecValueRef: key, kSecAttrLabel: "signing"]
        guard SecItemAdd(item as CFDictionary, nil) == errSecSuccess else { return "not stored" }
        var found: CFTypeRef?
        let query: [CFString: Any] = [kSecClass: kSecClassKey, kSecReturnRef: true]
        guard SecItemCopyMatching(query as CFDictionary, &found) == errSecSuccess, let found = found as? SecKey,
            SecKeyCreateSignature(found, algorithm, message, nil) != nil
        else { return "not found" }
        return "signed"
    }

    /// Writes a key in several formats and reads it again; data that is not encrypted is wiped here.
    private static func exchange(_ key: SecKey) -> Bool {
        var parameters = SecItemImportExportKeyParameters()
        for (format, isEncrypted) in [
            (SecExternalFormat.formatOpenSSL, false), (.formatPEMSequence, false), (.formatPKCS12, true),
            (.formatPEMSequence, true), (.formatWrappedPKCS8, true),
        ] {
            if isEncrypted { parameters.passphrase = Unmanaged.passRetained("passphrase" as CFString) }
            var data: CFData?
            var items: CFArray?
            guard SecItemExport(key, format, [], &parameters, &data) == errSecSuccess, let data,
                SecItemImport(data, nil, nil, nil, [], &parameters, nil, &items) == errSecSuccess,
                items?.firstObject as? SecKey == key
            else { return false }
            if !isEncrypted { explicit_bzero(UnsafeMutableRawPointer(mutating: data.bytes), data.length) }
        }
        var data: CFData?
        return SecItemExport(key, .formatWrappedPKCS8, [], &parameters, &data) == errSecSuccess
    }

    /// What is done by a program that cannot load OpenSSL's library.
    private static func withoutLibrary() -> String {
        func code(_ call: (UnsafeMutablePointer<Unmanaged<CFError>?>) -> Bool) -> String {
            var error: Unmanaged<CFError>?
            guard !call(&error) else { return "0" }
            guard let error = error?.takeRetainedValue() else { return "no error" }
            return "\(error.code)\(error.localizedDescription.contains("libcrypto.so.3") ? "!" : "")"
        }
        let curve: [CFString: Any] = [kSecAttrKeyType: kSecAttrKeyTypeEC, kSecAttrKeySizeInBits: 256]
        var answers = [code { SecKeyCreateRandomKey(curve as CFDictionary, $0) != nil }]
        let edwards = SecKeyCreateRandomKey([kSecAttrKeyType: "105"] as CFDictionary, nil)
        let algorithm = SecKeyAlgorithm(rawValue: "algid:sign:EdDSA:message-Curve25519:SHA512" as CFString)
        let message = Data("message".utf8) as CFData
        answers.append(
            code { error in edwards.map { SecKeyCreateSignature($0, algorithm, message, error) != nil } ?? false }
        )
        answers.append("\(SecItemAdd([kSecValueRef: edwards as Any] as CFDictionary, nil))")
        // A key that is stored as data is read, but cannot be used.
        let data = Data([4]) + Data(repeating: 1, count: 96)
        let item: [CFString: Any] = [
            kSecClass: kSecClassKey, kSecAttrKeyType: kSecAttrKeyTypeEC, kSecAttrKeyClass: kSecAttrKeyClassPrivate,
            kSecValueData: data, kSecReturnRef: true,
        ]
        var stored: CFTypeRef?
        answers.append("\(SecItemAdd(item as CFDictionary, &stored))")
        let key = stored as? SecKey
        answers.append("\(key.flatMap { SecKeyCopyExternalRepresentation($0, nil) as Data? } == data)")
        answers.append(
            code { error in
                key.map { SecKeyCreateSignature($0, .ecdsaSignatureMessageX962SHA256, message, error) != nil } ?? true
            }
        )
        var items: CFArray?
        answers.append("\(SecPKCS12Import(Data([0x30, 0]) as CFData, [:] as CFDictionary, &items))")
        return answers.joined(separator: " ")
    }

    /// Uses the vault at `path` from now on, which is created with the first item.
    private static func use(_ path: String) -> String {
        let locations = VaultLocations(vault: path, deviceKey: path + ".key", anchors: nil)
        let groups = AccessGroups(application: "com.example.mail")
        Keychain.default = Keychain(
            options: VaultOptions(locations: locations),
            groups: groups,
            notices: { notice in print("heard: \(notice.kind)") }
        )
        return "used"
    }
}
