import Foundation
@preconcurrency import Security
import Testing

/// Code that keeps its keychain in an actor.
private actor Cabinet {
    private var query: [String: Any] = [kSecClass as String: kSecClassGenericPassword]
    private var controls: [SecAccessControl] = []

    func account(_ account: String) -> [String] {
        query[kSecAttrAccount as String] = account
        return (query as CFDictionary as? [String: Any] ?? [:]).values.compactMap { $0 as? String }.sorted()
    }

    func keep(_ control: SecAccessControl) -> Int {
        controls.append(control)
        return controls.count
    }
}

/// Code in views.
@MainActor private final class Model {
    var control = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, [], nil)

    func name() -> String { kSecClass as String }
}

private struct Certificates: Sendable {
    let all: [SecCertificate]
    let algorithm: SecKeyAlgorithm
    let flags: SecAccessControlCreateFlags
}

@Suite("Sharing between tasks and actors") struct IsolationIdiomTests {
    @Test func `constants can be read from every isolation`() async {
        #expect(await Cabinet().account("kim") == ["genp", "kim"])
        #expect(await Model().name() == "class")
        #expect(await Task.detached { kSecClass as String }.value == "class")
        #expect(await Task.detached { kCFBooleanTrue as? Bool }.value == true)
    }

    @Test func `objects can be sent between isolations`() async throws {
        let control = try #require(SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, [], nil))
        #expect(await Cabinet().keep(control) == 1)
        #expect(await Task.detached { control }.value === control)
        #expect(await Model().control == control)
        let certificate = try #require(SecCertificateCreateWithData(nil, Data(smallCertificate) as CFData))
        let kept = Certificates(all: [certificate], algorithm: .rsaEncryptionRaw, flags: .userPresence)
        let data = await Task.detached { kept.all.map { SecCertificateCopyData($0) as Data } }.value
        #expect(data == [Data(smallCertificate)])
    }
}
