import Foundation
import TestSupport
import Testing

@Suite("Log length", .temporaryDirectory) struct LogLengthTests {
    /// Each call reads the whole log, so the command lets it grow less than other programs do.
    @Test func `many changes leave a short log`() throws {
        let sample = try CommandSample()
        var lines = ""
        for number in 0..<500 { lines += "add-generic-password -s service\(number) -a kim -X 6869\n" }
        #expect(sample.run("-i", "--quiet", input: lines).status == 0)
        let stats = sample.run("stats", "--json").output
        let object = try #require(try JSONSerialization.jsonObject(with: Data(stats)) as? [String: Any])
        let logByteCount = try #require(object["logBytes"] as? Int)
        let snapshotByteCount = try #require(object["snapshotBytes"] as? Int)
        #expect(logByteCount <= 192 << 10)
        #expect(snapshotByteCount > 10_000)
        #expect(sample.run("list").text.split(separator: "\n").count == 500)
    }
}
