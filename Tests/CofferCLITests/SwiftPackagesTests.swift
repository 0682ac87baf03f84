import Foundation
import TestSupport
import Testing

/// Runs the script behind `coffer swift` with a toolchain that only pretends to build.
@Suite("coffer swift", .temporaryDirectory) struct SwiftPackagesTests {
    private let place: URL
    private let toolchain: URL
    private let script: URL

    init() throws {
        place = try TemporaryDirectory.current.appending(path: "Kim's home $(id)")
        toolchain = place.appending(path: "toolchain")
        let installed = place.appending(path: "installed")
        script = installed.appending(path: "coffer-swift")
        let files = FileManager.default
        for directory in ["toolchain/bin", "toolchain/lib", "package"] {
            try files.createDirectory(at: place.appending(path: directory), withIntermediateDirectories: true)
        }
        try files.copyItem(at: Repository.root.appending(path: "Sources/SwiftPackages"), to: installed)
        try Data("1".utf8).write(to: installed.appending(path: "digest"))
        try write(
            "swiftc",
            #"""
            echo "\"runtimeResourcePath\": \"$(dirname "$(dirname "$0")")/lib/swift\""
            """#
        )
        // Makes a module with an object, or prints the compiler that it is to run.
        try write(
            "swift",
            #"""
            if [ -n "${SWIFT_EXEC:-}" ]; then printf '%s\n' "$SWIFT_EXEC"; exit; fi
            while [ "$1" != --scratch-path ]; do shift; done
            mkdir -p "$2/release/Modules" "$2/release/A.build"
            touch "$2/release/Modules/A.swiftmodule" "$2/release/A.build/a.swift.o"
            """#
        )
        try write("swift-autolink-extract", #"[ "$1" = -o ] && [ -f "$3" ] && echo -lc >"$2""#)
    }

    private func write(_ name: String, _ text: String) throws {
        try ShellScript.write(text, to: toolchain.appending(path: "bin/\(name)"))
    }

    /// Runs a line of the shell in the package, and returns what it prints.
    private func shell(_ line: String, cache: String, _ variables: [String: String] = [:]) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", line]
        process.currentDirectoryURL = place.appending(path: "package")
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        process.environment = [
            "PATH": "\(toolchain.appending(path: "bin").path):\(path)", "HOME": place.path, "XDG_CACHE_HOME": cache,
            "SCRIPT": script.path,
        ].merging(variables) { $1 }
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return text.trimmingCharacters(in: .newlines)
    }

    @Test func `the modules are built in a directory with any name`() throws {
        let cache = place.appending(path: "cache").path
        let flags = try shell(#"exec "$SCRIPT" flags link"#, cache: cache)
        let archive = try #require(flags.split(separator: "\n").first.map(String.init))
        #expect(archive.hasPrefix("\(cache)/coffer/swift/") && FileManager.default.fileExists(atPath: archive))
    }

    /// A package could bring modules of its own with it: the script trusts what it finds in the cache.
    @Test func `a relative path of the cache leads nowhere`() throws {
        let compiler = try shell(#"exec "$SCRIPT" build"#, cache: "cache")
        #expect(compiler.hasPrefix("\(place.path)/.cache/coffer/swift/"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.appending(path: "package").path).isEmpty)
    }

    /// The directory of a call used to be named after its process.
    ///
    /// In a container each call can have the same number, and what a killed one had left made the next one put links into
    /// the toolchain.
    @Test func `what a killed call has left is not used`() throws {
        let cache = place.appending(path: "cache").path
        let compiler = try shell(#"exec "$SCRIPT" build"#, cache: cache)
        let directory = try #require(compiler.hasSuffix("/bin/swiftc") ? compiler.dropLast(11) : nil)
        try #require(directory.hasPrefix("\(cache)/coffer/swift/"))
        try FileManager.default.removeItem(atPath: String(directory))
        let line = #"""
            LEFT="$LEFT$$"
            mkdir "$LEFT" && ln -s "$TOOLCHAIN/lib" "$LEFT/lib" && exec "$SCRIPT" build
            """#
        let variables = ["LEFT": "\(directory).", "TOOLCHAIN": toolchain.path]
        #expect(try shell(line, cache: cache, variables) == compiler)
        #expect(try FileManager.default.contentsOfDirectory(atPath: toolchain.appending(path: "lib").path).isEmpty)
    }
}
