import Foundation
import TestSupport
import Testing

/// An example program, with its own home directory.
struct ExampleProgram {
    let file: URL
    var variables: [String: String] = [:]

    /// The program of this name.
    static func built(_ name: String) throws -> ExampleProgram {
        // The program is next to the one that runs the tests.
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return ExampleProgram(file: URL(filePath: own).deletingLastPathComponent().appending(path: name))
    }

    /// The entitlements file next to a program's source.
    static func entitlements(of name: String) -> URL {
        Repository.root.appending(path: "Sources/Examples/\(name)/\(name).entitlements")
    }

    /// The lines that the program prints, when it reads `input` and ends with `status`.
    func lines(_ arguments: String..., input: String = "", status: Int32 = 0) throws -> [String] {
        let home = try TemporaryDirectory.current
        let process = Process()
        process.executableURL = file
        process.arguments = arguments
        // No other variables of this process, which might name another vault.
        process.environment = variables.merging([
            "HOME": home.path,
            "XDG_DATA_HOME": home.appending(path: "data").path,
            "XDG_STATE_HOME": home.appending(path: "state").path,
            "XDG_CONFIG_HOME": home.appending(path: "config").path,
            "COFFER_QUIET": "1",
        ]) { $1 }
        // The sanitizer options of these tests apply to the program too.
        for name in ["PATH", "LD_LIBRARY_PATH", "ASAN_OPTIONS", "TSAN_OPTIONS"] {
            process.environment?[name] = ProcessInfo.processInfo.environment[name]
        }
        let (pipe, output) = (Pipe(), Pipe())
        process.standardInput = pipe
        process.standardOutput = output
        try process.run()
        try pipe.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try pipe.fileHandleForWriting.close()
        let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(process.terminationStatus == status)
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
