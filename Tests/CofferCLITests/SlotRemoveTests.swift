import Foundation
import TestSupport
import Testing
import VaultFiles

/// What transcripts cannot show of `slot remove`, since ids come by chance.
@Suite("Slots that are taken away", .temporaryDirectory) struct SlotRemoveTests {
    private let sample: CommandSample

    init() throws {
        sample = try CommandSample()
        #expect(sample.run("init", "--quiet", "--no-prompt").status == 0)
    }

    /// The ids of all slots and machines.
    private func ids() -> [String] {
        sample.run("slot", "list", "--json").text.matches(of: /"id": "([0-9a-f]+)"/).map { String($0.1) }
    }

    @Test func `an id that is not whole means nothing if it fits two`() throws {
        // Of seventeen two have the same first digit.
        for _ in 0..<17 { #expect(sample.run("slot", "add", "recovery-code", "--quiet").status == 0) }
        let all = ids()
        let first = try #require(Dictionary(grouping: all) { $0.prefix(1) }.first { $0.value.count > 1 })
        let result = sample.run("slot", "remove", String(first.key), "--force")
        #expect(result.status == 70)
        for id in first.value { #expect(result.errors.contains("coffer: hint: \(id)")) }
        #expect(ids() == all)
    }

    // It is told when it is done: what cannot be told is done all the same.
    @Test func `an output that takes nothing does not keep the slot`() throws {
        #expect(sample.run("slot", "add", "recovery-code", "--quiet").status == 0)
        let list = sample.run("slot", "list", "--json").text
        let id = try #require(list.firstMatch(of: /"id": "([0-9a-f]+)", "kind": "recoveryCode"/)?.1)
        let call = CommandSample.Call(
            words: ["slot", "remove", String(id), "--force", "--json"],
            outputFailure: .diskFull
        )
        #expect(sample.run(call).status == 68)
        #expect(!ids().contains(String(id)))
    }
}
