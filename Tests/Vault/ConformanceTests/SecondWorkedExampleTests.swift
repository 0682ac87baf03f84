import CofferBasics
import Testing
import StoreTestSupport
import TestSupport
import VaultCrypto
import VaultFormat

/// Reads the second worked example, which shows a snapshot and a merge: the document agrees with our code.
@Suite("Second worked example") struct SecondWorkedExampleTests {
    private let example: WorkedExample

    init() throws {
        example = try WorkedExample("vault-example-2")
    }

    @Test func `our reader gives the printed result for both copies and for the merged file`() throws {
        let passphrase = try example.value("passphrase", in: "1.1")
        #expect(example.readings.map(\.file.count) == [3712, 5376, 5504])
        #expect(example.readings.last?.file == example.file)
        for (file, dump) in example.readings {
            let contents = try VaultSubject(file).contents { prelude throws(VaultFormatError) in
                try prelude.roots(passphrase: passphrase.span, limits: .weak, availableByteCount: nil)
            }
            #expect(contents.outcome == "success", "\(contents.report)")
            #expect(try VaultDump(contents).text() == dump)
        }
    }

    @Test(arguments: ["4", "5.1", "5.2", "5.3", "5.4", "5.5", "6"])
    func `every box of the snapshot follows from the printed values`(section: String) throws {
        let text = try example.plaintext(in: section)
        let key = try Key(example.value("key of the box", in: section))
        let associatedData = try example.value("associated data", in: section)
        let random = ScriptedRandom([try example.value("R", in: section)])
        let made = key.nonce(for: text.span, associatedData: associatedData.span, random: random)
        var nonce = [UInt8](copying: made.span)
        let isItemBox = ["5.2", "5.3"].contains(section)
        if isItemBox { nonce = WorkedExample.nonceOfItemBox(nonce, associatedData) }
        var sealed = text + [UInt8](repeating: 0, count: 16)
        var span = sealed.mutableSpan
        key.seal(&span, nonce: nonce.span, associatedData: associatedData.span)
        #expect(example.file.firstRange(of: nonce.prefix(isItemBox ? 8 : 24) + sealed) != nil)
    }
}
