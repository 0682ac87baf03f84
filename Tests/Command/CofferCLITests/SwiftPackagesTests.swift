import Foundation
import TestSupport
import Testing

/// Runs the script behind `coffer swift` with a toolchain that only pretends to build.
@Suite("coffer swift", .temporaryDirectory) struct SwiftPackagesTests {
    private let place: URL
    private let toolchain: URL
    private let package: URL

    init() throws {
        place = try TemporaryDirectory.current.appending(path: "Kim's home $(id)")
        toolchain = place.appending(path: "toolchain")
        package = place.appending(path: "package")
        let installed = place.appending(path: "installed")
        let files = FileManager.default
        let core = "installed/package/Sources/Apple/CofferSecurity"
        for directory in ["toolchain/bin", "toolchain/lib", "package/Sources", "package/Tests"] {
            try files.createDirectory(at: place.appending(path: directory), withIntermediateDirectories: true)
        }
        try files.copyItem(at: Repository.root.appending(path: "Sources/Apple/SwiftPackages"), to: installed)
        try Data("1".utf8).write(to: installed.appending(path: "digest"))
        try files.createDirectory(at: place.appending(path: core), withIntermediateDirectories: true)
        try Data("public typealias CFString = NSString".utf8).write(to: place.appending(path: core + "/Types.swift"))
        // Tells where it is, makes a module, or prints its arguments.
        try write(
            "swiftc",
            #"""
            case " $* " in
            *' -print-target-info '*) echo "\"runtimeResourcePath\": \"$(dirname "$(dirname "$0")")/lib/swift\"" ;;
            *' CoreFoundation '*) while [ "$1" != -o ]; do shift; done && touch "$2" ;;
            *' -package-name '*) printf '%s\n' "$@"; exit ${STATUS:-0} ;;
            *) printf '%s\n' "$@" ;;
            esac
            """#
        )
        // Knows one package, makes a module with an object, or prints what it is given.
        try write(
            "swift",
            #"""
            if [ -n "${SWIFT_EXEC:-}" ]; then
                printf '%s\n' "$SWIFT_EXEC" "$*" "${COFFER_VAULT:-} ${COFFER_PASSPHRASE_FILE:-}"
                [ -z "${RUN:-}" ] || eval "$RUN"
                exit
            fi
            if [ "$1" = package ]; then
                printf '  "identity": "%s",\n  "path": "%s",\n' "${IDENTITY:-swift-diary}" "$PWD"
                exit
            fi
            [ -z "${GATE:-}" ] || read -r line <"$GATE"
            echo >>"$HOME/builds"
            while [ "$1" != --scratch-path ]; do shift; done
            mkdir -p "$2/release/Modules" "$2/release/A.build"
            touch "$2/release/Modules/A.swiftmodule" "$2/release/Modules/A.swiftdoc" "$2/release/A.build/a.swift.o"
            """#
        )
        try write("swift-autolink-extract", #"[ "$1" = -o ] && [ -f "$3" ] && echo -lc >"$2""#)
        // Links nothing, and leaves what it is to assemble as it is.
        try write("clang", #"while [ "$1" != -o ]; do shift; done; [ "${3:-}" = - ] && cat >"$2" || touch "$2""#)
        try #"let package = Package(name: "Diary")"#.write(
            to: package.appending(path: "Package.swift"),
            atomically: false,
            encoding: .utf8
        )
    }

    private func write(_ name: String, _ text: String) throws {
        try ShellScript.write(text, to: toolchain.appending(path: "bin/\(name)"))
    }

    private func write(source text: String, to path: String = "Sources/Diary.swift") throws {
        try text.write(to: package.appending(path: path), atomically: false, encoding: .utf8)
    }

    /// A line of the shell that runs in the package.
    private struct Call {
        let process = Process()
        let output = Pipe()
        let errors = Pipe()

        /// Waits for the first words on standard error.
        func beginsErrors(with text: String) throws -> Bool {
            let bytes = try errors.fileHandleForReading.read(upToCount: text.utf8.count) ?? Data()
            return bytes == Data(text.utf8)
        }

        /// Waits for the end, and returns the lines of both streams and the exit status.
        func result() -> (output: [String], errors: [String], status: Int32) {
            let texts = [output, errors].map {
                String(decoding: $0.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
                    .split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
            }
            process.waitUntilExit()
            return (texts[0], texts[1], process.terminationStatus)
        }
    }

    private func start(_ line: String, cache: String, _ variables: [String: String] = [:]) throws -> Call {
        let call = Call()
        call.process.executableURL = URL(filePath: "/bin/sh")
        call.process.arguments = ["-c", line]
        call.process.currentDirectoryURL = package
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        call.process.environment = [
            "PATH": "\(toolchain.appending(path: "bin").path):\(path)", "HOME": place.path, "XDG_CACHE_HOME": cache,
            "SCRIPT": place.appending(path: "installed/coffer-swift").path, "TMPDIR": place.path,
        ].merging(variables) { $1 }
        call.process.standardOutput = call.output
        call.process.standardError = call.errors
        try call.process.run()
        return call
    }

    private func run(
        _ line: String,
        cache: String? = nil,
        _ variables: [String: String] = [:]
    ) throws -> (output: [String], errors: [String], status: Int32) {
        try start(line, cache: cache ?? place.appending(path: "cache").path, variables).result()
    }

    @Test func `the modules are built in a directory with any name`() throws {
        let cache = place.appending(path: "cache").path
        let archive = try #require(try run(#"exec "$SCRIPT" flags link"#).output.first)
        #expect(archive.hasPrefix("\(cache)/coffer/swift/") && FileManager.default.fileExists(atPath: archive))
        let ready = URL(filePath: archive).deletingLastPathComponent()
        let names = try FileManager.default.contentsOfDirectory(atPath: ready.appending(path: "modules").path)
        #expect(names.sorted() == ["A.swiftdoc", "A.swiftmodule"])
    }

    /// A package could bring modules of its own with it: the script trusts what it finds in the cache.
    @Test func `a relative path of the cache leads nowhere`() throws {
        let compiler = try #require(try run(#"exec "$SCRIPT" build"#, cache: "cache").output.first)
        #expect(compiler.hasPrefix("\(place.path)/.cache/coffer/swift/"))
        #expect(!FileManager.default.fileExists(atPath: package.appending(path: "cache").path))
    }

    /// The directory of a call used to be named after its process.
    ///
    /// In a container each call can have the same number, and what a killed one had left made the next one put links into
    /// the toolchain.
    @Test func `what a killed call has left is not used`() throws {
        let compiler = try #require(try run(#"exec "$SCRIPT" build"#).output.first)
        let directory = try #require(compiler.hasSuffix("/bin/swiftc") ? compiler.dropLast(11) : nil)
        try #require(directory.hasPrefix("\(place.path)/cache/coffer/swift/"))
        try FileManager.default.removeItem(atPath: String(directory))
        let line = #"""
            LEFT="$LEFT$$"
            mkdir "$LEFT" && ln -s "$TOOLCHAIN/lib" "$LEFT/lib" && exec "$SCRIPT" build
            """#
        #expect(try run(line, ["LEFT": "\(directory).", "TOOLCHAIN": toolchain.path]).output.first == compiler)
        #expect(try FileManager.default.contentsOfDirectory(atPath: toolchain.appending(path: "lib").path).isEmpty)
    }

    @Test func `a second process says that it waits for the modules`() throws {
        let gate = place.appending(path: "gate").path
        let cache = place.appending(path: "cache").path
        let first = try start(#"mkfifo "$GATE" && exec "$SCRIPT" flags link"#, cache: cache, ["GATE": gate])
        // It has the lock when it says what it does.
        #expect(try first.beginsErrors(with: "coffer: building Security and LocalAuthentication for "))
        let second = try start(#"exec "$SCRIPT" flags link"#, cache: cache)
        #expect(try second.beginsErrors(with: "coffer: waiting for another process, which builds the modules"))
        try Data("go\n".utf8).write(to: URL(filePath: gate))
        let results = [first.result(), second.result()]
        #expect(results[0].output == results[1].output && results.allSatisfy { $0.status == 0 })
        #expect(try Data(contentsOf: place.appending(path: "builds")).count == 1)
    }

    // MARK: Packages that are ready for Linux

    private static let asking = "#if canImport(Security)\nimport Security\n#endif\n"

    @Test(arguments: [
        asking,
        asking + "#if !canImport(Security)\nlet a = 1\n#else\nlet a = kSecClass\n#endif",
        asking + "#if canImport(Darwin) || os(iOS)\nlet a: SecKey\n#endif",
        asking + "#if canImport(Security) && DEBUG\nlet a = kSecClass\n#elseif os(macOS)\nlet a = errSecParam\n#endif",
        asking + "#if os(Linux)\n#if !canImport(Glibc)\nlet a: SecKey\n#endif\n#else\nlet a: SecKey\n#endif",
        asking + "#if canImport(FoundationNetworking)\n#else\nlet a: SecTrust\n#endif",
        asking + "#if (os(iOS) || targetEnvironment(simulator)) && swift(>=5.9)\nlet a: SecTrust\n#endif",
        asking + "// kSecClass\n/* kSecClass\n kSecClass */\nlet a = \"kSecClass\"\nlet b = \"\"\"\nkSecClass\n\"\"\"",
        asking + "typealias OSStatus = Int32\nlet a: OSStatus = 0\nenum E { case errSecParam }\nlet b = E.errSecParam",
        asking + "import CoreFoundation\nlet a: CFString",
        asking + "let a: Failure = .errSecDecode  // like kSecClass",
        asking + "enum E {\n    case errSecParam, errSecDecode\n}\nactor SecKeyStore {}\nlet a = SecKeyStore()",
        asking + "#if canImport(StoreKit)\nlet a: SecKey\n#endif",
        "#if canImport(LocalAuthentication)\nimport LocalAuthentication\n#endif",
        "#if canImport(Security, _version: 3)\n@preconcurrency internal import Security\n#endif",
    ])
    func `a package that can do without the modules is left alone`(source: String) throws {
        try write(source: source)
        let (output, errors, status) = try run(#"exec "$SCRIPT" build"#)
        #expect(status == 0)
        #expect(
            errors.last == "coffer: packages that support Linux are built without Security; "
                + "to build them with it, add --include swift-diary"
        )
        #expect(try addedWords(compiler: #require(output.first), package: "swift_diary").isEmpty)
        let included = try run(#"exec "$SCRIPT" build --include Swift-Diary"#)
        #expect(included.errors.isEmpty)
        #expect(try !addedWords(compiler: #require(included.output.first), package: "swift_diary").isEmpty)
    }

    @Test(arguments: [
        "import Security",
        "let a = 1",
        asking + "let a = kSecClass",
        asking + "#if DEBUG\nlet a = kSecClass\n#endif",
        asking + "#if swift(>=5.9) && !os(Windows)\nlet a: SecTrust\n#endif",
        asking + "let a: OSStatus = 1",
        asking + "@preconcurrency internal import Security",
        asking + "import Foundation; import Security",
        asking + "// \"\"\"\nlet a = \"\\(kSecClass)\"",
        asking + "let a = LAContext()",
        asking + "switch a {\ncase errSecParam, errSecDecode: break\n}",
        asking + "import struct Security.SecKey",
        asking + "#if os(Linux)\n#if canImport(Glibc)\nlet a: SecKey\n#endif\n#endif",
    ])
    func `other packages see them`(source: String) throws {
        try write(source: source)
        let (output, errors, status) = try run(#"exec "$SCRIPT" build"#)
        #expect(status == 0 && !errors.contains { $0.contains("support Linux") })
        #expect(try !addedWords(compiler: #require(output.first), package: "swift_diary").isEmpty)
    }

    @Test func `the tests of the root count, and what is in no target does not`() throws {
        try write(source: Self.asking)
        try write(source: "import Security", to: "Example.swift")
        #expect(try run(#"exec "$SCRIPT" build"#).errors.last?.contains("--include swift-diary") == true)
        try write(source: "import Security", to: "Tests/DiaryTests.swift")
        #expect(try run(#"exec "$SCRIPT" build"#).errors.isEmpty)
    }

    /// The words that the compiler of packages adds to a command that compiles a source of a package.
    private func addedWords(
        compiler: String,
        package name: String,
        source: String = "let a = 1",
        _ variables: [String: String] = [:]
    ) throws -> [String] {
        try write(source: source, to: "Sources/Other.swift")
        try "'\(package.path.replacing("'", with: #"'\''"#))/Sources/Other.swift'\n"
            .write(to: place.appending(path: "sources"), atomically: false, encoding: .utf8)
        let line = #"exec "$COMPILER" -emit-module -package-name "$NAME" @"$LIST""#
        let list = place.appending(path: "sources").path
        return try run(line, ["COMPILER": compiler, "NAME": name, "LIST": list].merging(variables) { $1 })
            .output.filter { $0 != "-emit-module" && $0 != "-package-name" && $0 != name && $0 != "@\(list)" }
    }

    // MARK: What is added

    @Test(arguments: [
        ("let a = 1", []),
        ("let a = kSecClass", ["Security"]),
        ("let a: OSStatus", ["Security"]),
        ("import CoreFoundation\nlet a: OSStatus", []),
        ("import CoreFoundation\nlet a = kSecClass", ["Security", "corefoundation"]),
        ("import CoreFoundation\nlet a = kSecClass\nlet b: CFString", ["Security", "corefoundation"]),
        ("import CoreFoundation\nlet a = kSecClass\nlet b = CFRunLoopGetMain()", ["Security"]),
        ("let a: URLSession", ["FoundationNetworking"]),
        ("import FoundationNetworking\nlet a: URLSession", []),
    ])
    func `modules that Foundation brings along elsewhere`(source: String, modules: [String]) throws {
        let compiler = try #require(try run(#"exec "$SCRIPT" build"#).output.first)
        let words = try addedWords(compiler: compiler, package: "diary", source: source)
        var expected = modules.filter { $0 != "corefoundation" }.flatMap {
            ["-Xfrontend", "-import-module", "-Xfrontend", $0]
        }
        if modules.contains("corefoundation") {
            let ready = try #require(words.first { $0.hasSuffix("/ready/modules") })
            expected += ["-I", ready.replacing("/ready/modules", with: "/ready/corefoundation")]
        }
        let own = try #require(words.firstIndex { $0.hasSuffix("/libraries/include") })
        #expect(Array(words[(own + 1)...]) == expected)
    }

    @Test func `a failure names what can help`() throws {
        try write(source: Self.asking + "let a = kSecClass")
        _ = try run(#"exec "$SCRIPT" flags link"#)
        let compile = #"""
            printf '%s\n' Sources/Diary.swift >list
            "$SWIFT_EXEC" -emit-module -package-name swift_diary @list
            """#
        let failed = try run(#"exec "$SCRIPT" build"#, ["RUN": compile, "STATUS": "3"])
        #expect(failed.status == 3)
        #expect(
            failed.errors.last
                == "coffer: these packages see Security and ask for it; if one of them builds without it, "
                + "add --except swift-diary"
        )
        #expect(try run(#"exec "$SCRIPT" build"#, ["RUN": compile]).errors.isEmpty)
        try write(source: "let a = kSecClass")
        #expect(try run(#"exec "$SCRIPT" build"#, ["RUN": compile, "STATUS": "3"]).errors.isEmpty)
    }

    /// Tests of packages with macros are built like macros.
    @Test func `what runs during the build sees the modules only if it needs them`() throws {
        let compiler = try #require(try run(#"exec "$SCRIPT" build"#).output.first)
        let line = #"""
            mkdir -p x-tool.build && printf '%s\n' Sources/Diary.swift >x-tool.build/sources
            exec "$COMPILER" -emit-module -package-name diary @./x-tool.build/sources
            """#
        try write(source: Self.asking)
        #expect(try run(line, ["COMPILER": compiler]).output.contains("-idirafter") == false)
        try write(source: "import Security")
        #expect(try run(line, ["COMPILER": compiler]).output.contains("-idirafter"))
    }

    @Test func `the linker gets the modules, and no option that only Apple's has`() throws {
        let compiler = try #require(try run(#"exec "$SCRIPT" build"#).output.first)
        let line = #"exec "$COMPILER" -emit-executable -Xlinker -no_application_extension -Xlinker -z -o x"#
        // A variable of the user with the name of one of the script's changes nothing.
        let words = try run(line, ["COMPILER": compiler, "modules": "/other.o"]).output
        #expect(words.prefix(5) == ["-emit-executable", "-Xlinker", "-z", "-o", "x"])
        #expect(words.dropFirst(5).first?.hasSuffix("/ready/libCofferSecurity.a") == true)
        #expect(try run(#"exec "$COMPILER" -emit-library -o libx.so"#, ["COMPILER": compiler]).output.count == 3)
        // A library takes the modules from its program, even if that does not use them itself.
        try write(source: "CofferSecurity", to: "libx.so")
        let whole = try run(line, ["COMPILER": compiler]).output
        #expect(whole.dropFirst(5).first?.hasSuffix("/ready/Security.o") == true)
        #expect(!whole.contains { $0.hasSuffix("/libCofferSecurity.a") })
    }

    /// SwiftPM links nothing again when only the entitlements change.
    @Test func `entitlements are embedded, and again when they change`() throws {
        let compiler = try #require(try run(#"exec "$SCRIPT" build"#).output.first)
        let directory = package.appending(path: ".build/triple/debug")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let program = directory.appending(path: "Diary")
        func embedded(_ name: String = "Diary") throws -> String {
            let line = #"touch "$PROGRAM" && exec "$COMPILER" -emit-executable -o "$PROGRAM""#
            let path = directory.appending(path: name).path
            let words = try run(line, ["COMPILER": compiler, "COFFER_PACKAGE": package.path, "PROGRAM": path]).output
            #expect(words.dropFirst(3).first == path + ".entitlements.o")
            return try String(contentsOfFile: path + ".entitlements.o", encoding: .utf8)
        }
        #expect(try !embedded().contains("coffer_entitlements"))
        _ = try run(#"exec "$SCRIPT" build"#)
        #expect(FileManager.default.fileExists(atPath: program.path))

        try write(source: "the only one", to: "Other.entitlements")
        _ = try run(#"exec "$SCRIPT" build"#)
        #expect(!FileManager.default.fileExists(atPath: program.path))
        let text = try embedded()
        #expect(text.contains(#".section coffer_entitlements,"aR",%progbits"#) && text.contains(".quad 1, 2f - 1f"))
        #expect(text.contains(#".incbin "\#(package.path)/Other.entitlements""#))
        #expect(try embedded("DiaryPackageTests.xctest").contains(".quad 2, 2f - 1f"))
        try write(source: "its own", to: "Diary.entitlements")
        #expect(try embedded().contains("/Diary.entitlements"))
        // Which of several belongs to the tests?
        #expect(try !embedded("DiaryPackageTests.xctest").contains("coffer_entitlements"))
    }

    // MARK: Verbs and options

    @Test func `options work in front of the verb and behind it`() throws {
        try write(source: Self.asking)
        _ = try run(#"exec "$SCRIPT" flags link"#)
        for line in ["--include swift-diary build -v", "build -v --include swift-diary"] {
            let (output, errors, _) = try run(#"exec "$SCRIPT" "# + line)
            #expect(output.dropFirst().first == "build --build-system native -v" && errors.isEmpty)
        }
        // Words behind the name of a program are the program's.
        let output = try run(#"exec "$SCRIPT" run -c release --except swift-diary -v App --except x"#).output
        #expect(output.dropFirst().first == "run --build-system native -c release -v App --except x")
        let tests = try run(#"exec "$SCRIPT" test -- --except"#).output
        #expect(tests.dropFirst().first == "test --build-system native -- --except")
        #expect(try run(#"exec "$SCRIPT" build --except"#).status == 2)
        let wrong = try run(#"exec "$SCRIPT" build --only swift-dairy"#)
        #expect(wrong.status == 1)
        #expect(wrong.errors == ["coffer: error: no package swift_dairy in this build; there are: swift_diary"])
    }

    @Test func `words of the program are not options of the graph`() throws {
        let line = #"exec "$SCRIPT" run -c release App --build-system make --package-path /x --traits y"#
        let output = try run(line, ["RUN": "exit 0"])
        #expect(
            output.output.dropFirst().first
                == "run --build-system native -c release App --build-system make --package-path /x --traits y"
        )
    }

    @Test func `the name of a package is no code`() throws {
        try write(source: Self.asking)
        let (output, errors, status) = try run(#"exec "$SCRIPT" build"#, ["IDENTITY": "it's a 'touch pwned;'"])
        #expect(status == 0 && errors.last?.hasSuffix("add --include it_s_a__touch_pwned__") == true)
        let name = "it_s_a__touch_pwned__"
        #expect(try addedWords(compiler: #require(output.first), package: name).isEmpty)
        #expect(!FileManager.default.fileExists(atPath: package.appending(path: "pwned").path))
    }

    @Test func `the input reaches the program`() throws {
        #expect(try run(#"echo hello | "$SCRIPT" run"#, ["RUN": "cat"]).output.last == "hello")
    }

    @Test func `signals reach SwiftPM`() throws {
        let line = #"mkfifo gate && exec "$SCRIPT" build"#
        let waiting = "trap 'echo stopped; exit 9' TERM; kill -TERM $PPID; read -r line <gate"
        let (output, _, status) = try run(line, ["RUN": waiting])
        #expect(output.last == "stopped" && status == 9)
    }

    @Test(arguments: ["build --build-system swiftbuild", "test --build-system=swiftbuild", "repl", "flags", "flags x"])
    func `what does not work says why`(line: String) throws {
        let (output, errors, status) = try run(#"exec "$SCRIPT" "# + line)
        #expect(output.isEmpty && status != 0 && errors.contains { $0.hasPrefix("coffer: error: ") })
    }

    @Test func `tests get a vault that goes with them`() throws {
        let mine = [
            "COFFER_VAULT": "/mine.coffer", "COFFER_PASSPHRASE_FILE": "/mine",
            "RUN": #"cat "$COFFER_PASSPHRASE_FILE""#,
        ]
        let calls = try [run(#"exec "$SCRIPT" test"#, mine), run(#"exec "$SCRIPT" test"#, mine)]
        for output in calls.map(\.output) {
            let paths = output[2].components(separatedBy: " \(place.path)/")
                .map { $0.replacing("\(place.path)/", with: "") }
            #expect(paths.count == 2 && paths[0].hasSuffix("/Tests.coffer") && paths[1].hasSuffix("/passphrase"))
            let directory = place.appending(path: paths[0]).deletingLastPathComponent().path
            #expect(!FileManager.default.fileExists(atPath: directory))
        }
        #expect(calls[0].output[3].utf8.count == 44 && calls[0].output[3] != calls[1].output[3])
        #expect(try run(#"exec "$SCRIPT" test"#, ["RUN": "exit 7"]).status == 7)
        // The program of `run` has the user's vault.
        #expect(try run(#"exec "$SCRIPT" run"#, mine).output[2] == "/mine.coffer /mine")
    }
}
