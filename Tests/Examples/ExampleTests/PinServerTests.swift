import Foundation
import TestSupport
import Testing

@Suite("Pinned servers", .temporaryDirectory) struct PinServerTests {
    /// A new certificate of openssl for a server, which is valid for two days.
    private func certificate(_ host: String) throws -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
            "-subj", "/CN=\(host)", "-addext", "subjectAltName=DNS:\(host)", "-addext", "extendedKeyUsage=serverAuth",
            "-keyout", "/dev/null",
        ]
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        return String(decoding: text, as: UTF8.self)
    }

    @Test func `only the certificate that was pinned is trusted`() throws {
        let program = try ExampleProgram.built("PinServer")
        let (own, other) = (try certificate("example.com"), try certificate("example.com"))
        #expect(try program.lines("check", "example.com", input: own, status: 1).count == 1)
        #expect(try program.lines("pin", "example.com", input: own) == ["pinned example.com"])
        let answer = ["example.com has the pinned certificate"]
        #expect(try program.lines("check", "example.com", input: own) == answer)
        // Further certificates make no difference, and neither does text around them.
        #expect(try program.lines("check", "example.com", input: "CONNECTED\n\(own)---\n\(other)") == answer)
        #expect(try program.lines("check", "example.com", input: other, status: 1).count == 1)
        #expect(try program.lines("check", "example.com", input: "no certificate", status: 1).count == 1)
        #expect(try program.lines("pin", "example.com", input: other) == ["pinned example.com"])
        #expect(try program.lines("check", "example.com", input: own, status: 1).count == 1)
        // The name counts, too.
        let third = try certificate("example.com")
        #expect(try program.lines("pin", "example.net", input: third) == ["pinned example.net"])
        #expect(try program.lines("check", "example.net", input: third, status: 1).count == 1)
    }
}
