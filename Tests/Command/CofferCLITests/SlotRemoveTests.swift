import Foundation
import TestSupport
import Testing
import VaultFiles

/// Tests of `slot remove` that transcripts cannot contain, since ids are random.
@Suite("Removing slots", .temporaryDirectory) struct SlotRemoveTests {
    private let sample: CommandSample

    init() throws {
        sample = try CommandSample()
        #expect(sample.run("init", "--quiet", "--no-prompt").status == 0)
    }

    /// Returns the ids of all slots and machines.
    private func ids() -> [String] {
        sample.run("slot", "list", "--json").text.matches(of: /"id": "([0-9a-f]+)"/).map { String($0.1) }
    }

    @Test func `an abbreviated id that matches two slots is ambiguous`() throws {
        // Of seventeen ids, at least two have the same first digit.
        for _ in 0..<17 { #expect(sample.run("slot", "add", "recovery-code", "--quiet").status == 0) }
        let all = ids()
        let first = try #require(Dictionary(grouping: all) { $0.prefix(1) }.first { $0.value.count > 1 })
        let result = sample.run("slot", "remove", String(first.key), "--force")
        #expect(result.status == 70)
        for id in first.value { #expect(result.errors.contains("coffer: hint: \(id)")) }
        #expect(ids() == all)
    }

    // The result is printed after the slot is removed, so a failure to print it changes nothing.
    @Test func `the slot is removed even if the result cannot be printed`() throws {
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
