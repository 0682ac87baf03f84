import Clock
import CoreTypes
import Credentials
import Foundation
import InstanceKeychain
import JWTKit
import Pinning
import Requests
import Security
import SharedKeychain
import MissingNames
import Stamp
import StaticKeychain
import StoredSecret
import TwoFiles
import Tutorials

/// Uses each package and prints what happens.
@main enum Diary {
    static func main() throws {
        print("== an instance for a service")
        let keychain = Keychain(service: "com.example.diary")
        keychain["kim"] = "hunter2"
        keychain["kim"] = "swordfish"
        keychain["ada"] = "battery"
        print("read: \(keychain["kim"] ?? "nothing")")
        print("all: \(try keychain.all().mapValues { String(decoding: $0, as: UTF8.self) }.sorted { $0.key < $1.key })")
        try keychain.removeAll()
        print("left: \(try keychain.all().count)")
        do {
            try Keychain(service: "x", accessibility: "soon" as CFString).set(Data("x".utf8), for: "y")
        } catch {
            print("refused: \(error)")
        }

        print("== static functions")
        print("saved: \(StaticKeychain.save(true, for: "seen")), \(StaticKeychain.save(3, for: "count"))")
        print("loaded: \(StaticKeychain.load(Bool.self, for: "seen") ?? false)")
        print("loaded: \(StaticKeychain.load(Int.self, for: "count") ?? 0)")
        print("cleared: \(StaticKeychain.clear()), \(StaticKeychain.clear())")

        print("== a property")
        @StoredSecret("token") var token
        token = "first"
        token = "second"
        print("token: \(token ?? "nothing"), \($token == nil ? "never changed" : "changed")")
        token = nil
        print("token: \(token ?? "nothing")")

        print("== what only Apple's systems bring along")
        let query = tokenQuery(for: "kim" as CFString)
        print("query: \(size(of: query)), \((query as? [AnyHashable: Any])?[kSecAttrAccount] as? String ?? "nothing")")
        print("run loop: \(runLoopMode ?? "not running")")
        print("two files: \(statusOfQuery()), \(hasBundle)")
        print("key of a dynamic library: \((sharedKey() as? SecKey).map { SecKeyGetBlockSize($0) } ?? 0)")
        print("request: \(request(to: URL(filePath: "/"), account: "kim").allHTTPHeaderFields ?? [:])")

        print("== names beside the keychain")
        print("device: \(Device.identifier() == Device.identifier()), \(Device.version), \(Device.hex(Data([1, 171])))")
        print("canceled: \((Device.canceled() as NSError).code), \(Device.canceled().localizedDescription)")
        print("sandbox: \(Signature.isSandboxed), \(Signature.meaning(of: -9843)), \(Signature.meaning(of: 0))")
        print("certificate: \(Signature.keyType(ofCertificate: Data()) ?? "malformed")")
        let codes = [-2, -7, -1].map { NSError(domain: "com.apple.LocalAuthentication", code: $0) }
        print("unlock: \((codes + [NSError(domain: "other", code: -2)]).map { explanation(of: $0) })")

        print("== packages that ask whether there is a module")
        print("X509: \(certificateVariant), Crypto: \(RandomBytes.variant), Credentials: \(CredentialStore.variant)")
        print("Pinning: \(isPinning ? "Security" : "portable")")
        print("random: \(try RandomBytes.array(count: 32).count) bytes")
        let signature = try? SigningKey(bytes: Data([1, 2, 3])).checkedSignature(for: Data())
        print("no key: \(signature == nil ? "refused" : "accepted")")

        print("== files from tutorials")
        for answer in try tutorialAnswers() { print(answer) }

        print("== what ran while it was built")
        print(tool)
        print(#stamp)
    }
}
