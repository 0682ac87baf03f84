import Foundation
import Testing

/// Another program that uses a vault.
final class KeychainProcess {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var unread = Data()

    init(variables: [String: String] = [:]) throws {
        process.environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
        // The program lies beside the one that runs the tests.
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        process.executableURL = URL(filePath: own).deletingLastPathComponent().appending(path: "KeychainWorker")
        process.standardInput = input
        process.standardOutput = output
        try process.run()
    }

    deinit {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// The number of the process.
    var number: Int32 { process.processIdentifier }

    /// What the program answers to a command.
    func answer(to words: String...) throws -> String {
        try input.fileHandleForWriting.write(contentsOf: Data((words.joined(separator: " ") + "\n").utf8))
        while true {
            if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: unread[..<end], as: UTF8.self)
                unread = Data(unread[(end + 1)...])
                return line
            }
            let bytes = output.fileHandleForReading.availableData
            try #require(!bytes.isEmpty, "the program has ended")
            unread += bytes
        }
    }
}
