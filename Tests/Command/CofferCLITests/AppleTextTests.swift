import Coffer
import CofferSecurity
import Foundation
import TestSupport
import Testing

/// Checks how the macOS verbs print bytes, against rules written independently here.
@Suite("Bytes as macOS prints them", .temporaryDirectory) struct AppleTextTests {
    @Test(arguments: UInt64(0)..<12)
    func `a password of any bytes is printed as macOS does`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let sample = try CommandSample()
        // Every third seed draws only printable bytes.
        let letters: [UInt8] = (0..<Int.random(in: 1...40, using: &random)).map { _ in
            seed % 3 == 0 ? UInt8.random(in: 0x20...0x7E, using: &random) : UInt8.random(in: 0...255, using: &random)
        }
        let digits = letters.map { String(format: "%02x", $0) }.joined()
        #expect(sample.run("add-generic-password", "-q", "-s", "bytes", "-X", digits).status == 0)

        let isPrintable = letters.allSatisfy { (32...126).contains($0) }
        let bare = isPrintable ? String(decoding: letters, as: UTF8.self) : digits
        #expect(sample.run("find-generic-password", "-s", "bytes", "-w").text == bare + "\n")

        let shown = sample.run("find-generic-password", "-s", "bytes", "-g")
        #expect(shown.errors == "password: \(Self.quoted(letters))\n")
    }

    @Test func `each single byte is printed as macOS does`() throws {
        let sample = try CommandSample()
        #expect(sample.run("init", "-q").status == 0)
        let keychain = try sample.vault().keychain(for: AccessGroups(application: "coffer"))
        try keychain.transaction { transaction throws(KeychainError) in
            for byte in UInt8.min...UInt8.max {
                try transaction.add(["class": "genp", "svce": .string("byte \(byte)"), "v_Data": .data([byte])])
            }
        }
        let dump = sample.run("dump-keychain", "-d").text
        let secrets = dump.split(separator: "data:\n").dropFirst().compactMap { $0.split(separator: "\n").first }
        #expect(secrets.map(String.init) == (UInt8.min...UInt8.max).map { Self.quoted([$0]) })
    }

    /// Bytes from space to tilde are printed as they are, except the backslash, which is escaped like all others.
    private static func quoted(_ bytes: [UInt8]) -> String {
        let isPlain = { (byte: UInt8) in byte >= 32 && byte <= 126 && byte != 92 }
        let text = bytes.map { isPlain($0) ? String(UnicodeScalar($0)) : String(format: "\\%03o", $0) }.joined()
        if bytes.allSatisfy(isPlain) { return "\"\(text)\"" }
        let hexadecimal = "0x" + bytes.map { String(format: "%02X", $0) }.joined()
        return bytes.contains(where: isPlain) ? "\(hexadecimal)  \"\(text)\"" : hexadecimal + " "
    }
}
