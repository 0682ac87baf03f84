import Foundation
import TestSupport
import Testing

/// Programs that call `SecItem` without any knowledge of vaults.
@Suite("Calls of programs", .temporaryDirectory) struct CallProcessTests {
    private let home: URL

    init() throws {
        home = try TemporaryDirectory.current.appending(path: "home")
        try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
    }

    private var vault: URL { home.appending(path: ".local/share/coffer/login.coffer") }

    private func program(_ variables: [String: String] = [:]) throws -> WorkerProcess {
        let variables = ["HOME": home.path].merging(variables) { $1 }
        return try WorkerProcess("SecItemWorker", variables: variables, isAlone: true, capturesErrors: true)
    }

    private func isThere(_ url: URL) -> Bool { FileManager.default.fileExists(atPath: url.path) }

    // MARK: - Keys

    /// The numbers of a private key, in both orders of bytes, are nowhere in memory after use.
    ///
    /// Functions are bound when the program starts: the loader would otherwise do it later, and save the processor's
    /// registers on the stack, where the last piece of a number that OpenSSL's library moved would remain.
    @Test(arguments: ["RSA 2048", "P256"], ["", ":exchange"])
    func `a private key does not stay in memory, whether it is stored, or written to files and read`(
        name: String,
        use: String
    ) throws {
        let vector = try KeyVectors.key(name)
        let file = home.appending(path: "key")
        let bytes = [UInt8](vector.private.data)
        try Data(bytes).write(to: file)
        // For RSA, pieces of the private exponent, the primes and what belongs to them, which begin behind the modulus.
        let start = name == "P256" ? 65 : 290
        var pieces: [String: [UInt8]] = [:]
        for offset in stride(from: start, to: bytes.count - 15, by: 16) {
            pieces["\(offset)"] = Array(bytes[offset..<offset + 16])
            pieces["\(offset), reversed"] = bytes[offset..<offset + 16].reversed()
        }
        let program = try program(["LD_BIND_NOW": "1"])
        #expect(try program.answer(to: "sign", "\(file.path):\(vector.type)\(use)") == "signed")
        let found = try MemoryImage(of: program.number).found(pieces)
        #expect(found == [])
    }

    /// A file that is no library has its name, so that the loader finds no other.
    @Test func `without OpenSSL's library, what needs it says so, and everything else works`() throws {
        try Data().write(to: home.appending(path: "libcrypto.so.3"))
        let program = try program(["LD_LIBRARY_PATH": home.path])
        #expect(try program.answer(to: "library") == "-4! 0 -4 0 true -4! -26275")
    }

    // MARK: - The first write

    @Test func `no setup is needed, and stored items survive the process`() throws {
        let today = try program()
        #expect(try today.answer(to: "find", "kim") == "-25300")
        #expect(try today.answer(to: "delete") == "-25300")
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.path) == [])
        #expect(try today.answer(to: "add", "kim") == "0")
        #expect(try today.answer(to: "add", "lee") == "0")
        let lines = try today.end()
        #expect(lines.count == 1)
        #expect(lines.allSatisfy { $0.hasPrefix("coffer: ") && $0.contains(vault.path) })
        #expect(lines.allSatisfy { $0.contains("opens without a passphrase") && $0.contains("coffer passwd") })

        let tomorrow = try program()
        #expect(try tomorrow.answer(to: "find", "kim") == "kim")
        #expect(try tomorrow.end() == [])
    }

    @Test func `a quiet program prints nothing`() throws {
        let quiet = try program(["COFFER_QUIET": "1"])
        #expect(try quiet.answer(to: "add", "kim") == "0")
        #expect(try quiet.end() == [])
    }

    @Test func `with COFFER_LOG set, a failed call is explained in one line, even if the program is quiet`() throws {
        let program = try program(["COFFER_LOG": "1", "COFFER_QUIET": "1"])
        #expect(try program.answer(to: "find", "kim") == "-25300")
        #expect(try program.answer(to: "add", "kim") == "0")
        #expect(try program.answer(to: "add", "kim") == "-25299")
        let lines = try program.end()
        #expect(lines.count == 2)
        for (line, call) in zip(lines, ["SecItemCopyMatching failed with -25300", "SecItemAdd failed with -25299"]) {
            #expect(line.hasPrefix("coffer: \(call): "), "\(line)")
        }
    }

    @Test func `a program works with standard error closed`() throws {
        let program = try program()
        try program.closeErrors()
        #expect(try program.answer(to: "add", "kim") == "0")
        #expect(try program.answer(to: "find", "kim") == "kim")
    }

    @Test func `an environment variable names the vault`() throws {
        let path = home.appending(path: "mine.coffer")
        let program = try program(["COFFER_VAULT": path.path])
        #expect(try program.answer(to: "add", "kim") == "0")
        #expect(isThere(path) && !isThere(vault))
    }

    @Test func `a program selects its keychain and receives its notices`() throws {
        let path = home.appending(path: "mine.coffer")
        let program = try program()
        #expect(try program.answer(to: "use", path.path) == "used")
        #expect(try program.answer(to: "add", "kim") == "heard: vaultCreated")
        #expect(try program.answer(to: "find", "kim") == "0")
        #expect(try program.end() == [])
        #expect(isThere(path) && !isThere(vault))
    }

    // MARK: - Failures

    @Test(arguments: [
        ([:], "HOME"), (["HOME": "/dev/null"], "/dev/null"), (["HOME": "/proc"], "/proc"),
        (["COFFER_VAULT": "/no/such/disk/v.coffer"], "/no/such/disk"),
    ])
    func `if nothing can be stored, each call fails, and one line gives the reason`(
        variables: [String: String],
        reason: String
    ) throws {
        let program = try WorkerProcess("SecItemWorker", variables: variables, isAlone: true, capturesErrors: true)
        #expect(try program.answer(to: "add", "kim") == "-25291")
        #expect(try program.answer(to: "add", "kim") == "-25291")
        let lines = try program.end()
        #expect(lines.count == 1)
        #expect(lines.allSatisfy { $0.hasPrefix("coffer: ") && $0.contains(reason) })
    }

    /// A program got the secret from an older file, and `COFFER_QUIET` suppressed the only sign of it.
    @Test(arguments: ["", "1"])
    func `a rolled-back vault: errSecNotAvailable, with a reason that cannot be silenced`(quiet: String) throws {
        let writer = try program(["COFFER_QUIET": "1"])
        #expect(try writer.answer(to: "add", "kim") == "0")
        let older = try Data(contentsOf: vault)
        #expect(try writer.answer(to: "add", "lee") == "0")
        let open = try program(["COFFER_QUIET": quiet])
        #expect(try open.answer(to: "find", "lee") == "lee")
        try older.write(to: vault, options: .atomic)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: vault.path)
        for program in [open, try program(["COFFER_QUIET": quiet])] {
            for command in ["find", "add", "delete"] {
                #expect(try program.answer(to: command, "kim") == "-25291")
            }
            let lines = try program.end()
            #expect(lines.count == 1)
            #expect(lines.allSatisfy { $0.contains("older") && $0.contains("--accept-rollback --vault \(vault.path)") })
        }
        #expect(try Data(contentsOf: vault) == older)
    }

    /// The next secret went to a new vault, which the device key alone could open.
    @Test func `a missing vault that had a passphrase: errSecNotAvailable`() throws {
        let owner = try program(["COFFER_PASSPHRASE": "correct horse"])
        #expect(try owner.answer(to: "add", "kim") == "0")
        _ = try owner.end()
        try FileManager.default.removeItem(at: vault)
        let other = try program()
        for command in ["find", "add", "delete"] {
            #expect(try other.answer(to: command, "kim") == "-25291")
        }
        let lines = try other.end()
        #expect(lines.count == 1)
        #expect(lines.allSatisfy { $0.contains("a passphrase") && $0.contains("coffer init \(vault.path)") })
        #expect(!isThere(vault))
    }

    @Test func `a file that is not a vault is not treated as an empty one`() throws {
        try FileManager.default.createDirectory(
            at: vault.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try Data().write(to: vault)
        let program = try program()
        #expect(try program.answer(to: "find", "kim") == "-25291")
        #expect(try program.answer(to: "add", "kim") == "-25291")
        #expect(try program.end().count == 1)
        #expect(try Data(contentsOf: vault) == Data())
    }

    @Test func `invalid entitlements make every call fail, with line and key`() throws {
        let path = home.appending(path: "app.entitlements")
        let text = """
            <plist version="1.0"><dict>
            <key>application-identifier</key><string>TEAM.com.example.app</string>
            <key>keychain-access-groups</key>
            <array><string>OTHER.com.example.shared</string></array>
            </dict></plist>
            """
        try Data(text.utf8).write(to: path)
        let program = try program(["COFFER_ENTITLEMENTS": path.path])
        #expect(try program.answer(to: "find", "kim") == "-34018")
        #expect(try program.answer(to: "add", "kim") == "-34018")
        let lines = try program.end()
        #expect(lines.count == 1)
        #expect(lines.allSatisfy { $0.contains("line 4") && $0.contains("keychain-access-groups") })
        #expect(!isThere(vault))
    }

    @Test func `a program reads its entitlements`() throws {
        let path = home.appending(path: "app.entitlements")
        let text = """
            <plist version="1.0"><dict>
            <key>application-identifier</key><string>TEAM.com.example.app</string>
            <key>com.example.level</key><integer>3</integer>
            </dict></plist>
            """
        try Data(text.utf8).write(to: path)
        let program = try program(["COFFER_ENTITLEMENTS": path.path])
        #expect(try program.answer(to: "entitlement", "application-identifier") == "TEAM.com.example.app")
        #expect(try program.answer(to: "entitlement", "com.example.level") == "3")
        #expect(try program.answer(to: "entitlement", "com.example.missing") == "nil")
        #expect(try self.program().answer(to: "entitlement", "application-identifier") == "nil")
        #expect(!isThere(vault))
    }

    @Test func `a vault with a passphrase opens only with that passphrase`() throws {
        let owner = try program(["COFFER_PASSPHRASE": "correct horse"])
        #expect(try owner.answer(to: "add", "kim") == "0")
        #expect(try owner.end().allSatisfy { !$0.contains("horse") })
        let other = try program()
        #expect(try other.answer(to: "find", "kim") == "-25308")
        #expect(try other.answer(to: "find", "lee") == "-25300")
        #expect(try other.answer(to: "add", "kim") == "-25308")
        let lines = try other.end()
        #expect(lines.count == 1)
        #expect(lines.allSatisfy { $0.contains("COFFER_PASSPHRASE") })
        let wrong = try program(["COFFER_PASSPHRASE": "wrong horse"])
        #expect(try wrong.answer(to: "find", "kim") == "-25293")
        #expect(try wrong.end().allSatisfy { !$0.contains("horse") })
        #expect(try program(["COFFER_PASSPHRASE": "correct horse"]).answer(to: "find", "kim") == "kim")
    }

    @Test func `a passphrase command does not run unless the program allows it`() throws {
        let trace = home.appending(path: "trace")
        let program = try program(["COFFER_PASSPHRASE_COMMAND": "touch '\(trace.path)'; echo secret"])
        #expect(try program.answer(to: "add", "kim") == "0")
        #expect(!isThere(trace))
    }

    // MARK: - Several programs

    @Test func `deleting everything in one program leaves the items of another`() throws {
        let (mail, chat) = (try program(["COFFER_APPLICATION": "mail"]), try program(["COFFER_APPLICATION": "chat"]))
        #expect(try mail.answer(to: "add", "kim") == "0")
        #expect(try chat.answer(to: "add", "kim") == "0")
        #expect(try mail.answer(to: "delete") == "0")
        #expect(try mail.answer(to: "find", "kim") == "-25300")
        #expect(try chat.answer(to: "find", "kim") == "kim")
    }

    @Test func `processes of one program share a vault, even while creating it`() async throws {
        let programs = try (0..<4).map { _ in try program() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, program) in programs.enumerated() {
                nonisolated(unsafe) let program = program
                group.addTask {
                    for item in 0..<5 {
                        let answer = try program.answer(to: "add", "item\(number).\(item)")
                        #expect(answer == "0")
                    }
                }
            }
            try await group.waitForAll()
        }
        for program in programs { #expect(try program.answer(to: "count") == "20") }
        // Only the process that created the vault prints a notice, and none reports an error.
        let notices = try programs.flatMap { try $0.end() }
        #expect(notices.count == 1)
    }

    @Test func `threads share a keychain, even while creating it`() throws {
        let program = try program()
        #expect(try program.answer(to: "threads", "16") == "16")
        #expect(try program.answer(to: "count") == "16")
        #expect(try program.end().count == 1)
    }

    @Test func `a forked process uses the same keychain as its parent`() throws {
        let program = try program()
        #expect(try program.answer(to: "add", "kim") == "0")
        #expect(try program.answer(to: "fork", "kim") == "0 kim")
        #expect(try program.answer(to: "find", "child") == "child")
        #expect(try program.answer(to: "add", "lee") == "0")
        #expect(try program.answer(to: "fork", "lee") == "-25299 lee")
    }
}
