import Foundation
import TestSupport
import Testing
import VaultCrypto
import VaultFormat

@Suite("A vault that is gone", .temporaryDirectory) struct LostVaultTests {
    /// The time is not protected: whoever can write to the directory can choose it.
    ///
    /// The difference between it and now used to trap.
    @Test(arguments: [Int64.min, .max]) func `any time at which it was last seen is shown`(time: Int64) throws {
        let sample = try CommandSample()
        let passphrase = sample.home.appending(path: "one")
        try Data("correct horse battery".utf8).write(to: passphrase)
        #expect(sample.run(.init(words: ["init", "--passphrase-file", passphrase.path, "-q"])).status == 0)
        let files = try #require(FileManager.default.enumerator(at: sample.home, includingPropertiesForKeys: nil))
        let all = files.compactMap { $0 as? URL }
        let place = try #require(all.first { $0.lastPathComponent.hasPrefix("place-") })
        let vault = try #require(all.first { $0.lastPathComponent == "login.coffer" })

        let bytes = [UInt8](try Data(contentsOf: place))
        let old = try RememberedVaultFile(parsing: bytes.span)
        let new = RememberedVaultFile(vault: old.vault, opener: old.opener, seen: Time(microseconds: time))
        try Data(new.text()).write(to: place)
        try FileManager.default.removeItem(at: vault)
        let result = sample.run(.init(words: ["list"]))
        #expect(result.status == 65 && result.errors.contains("where one with a passphrase was last seen"))
    }
}
