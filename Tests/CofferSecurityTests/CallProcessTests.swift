import Foundation
import TestSupport
import Testing

/// What programs see that call `SecItem` and know nothing of vaults.
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

    // MARK: - The first write

    @Test func `nothing need be set up, and what is stored is there tomorrow`() throws {
        let today = try program()
        #expect(try today.answer(to: "find", "kim") == "-25300")
        #expect(try today.answer(to: "delete") == "-25300")
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.path) == [])
        #expect(try today.answer(to: "add", "kim") == "0")
        #expect(try today.answer(to: "add", "lee") == "0")
        let lines = try today.end()
        #expect(lines.count == 1)
        let key = home.appending(path: ".local/state/coffer/device.key")
        #expect(lines.allSatisfy { $0.hasPrefix("coffer: ") && $0.contains(vault.path) && $0.contains(key.path) })
        #expect(lines.allSatisfy { $0.contains("recovery code") && $0.contains("passphrase") })

        let tomorrow = try program()
        #expect(try tomorrow.answer(to: "find", "kim") == "kim")
        #expect(try tomorrow.end() == [])
    }

    @Test func `a quiet program says nothing`() throws {
        let quiet = try program(["COFFER_QUIET": "1"])
        #expect(try quiet.answer(to: "add", "kim") == "0")
        #expect(try quiet.end() == [])
    }

    @Test func `nobody need listen to what is said`() throws {
        let program = try program()
        try program.closeErrors()
        #expect(try program.answer(to: "add", "kim") == "0")
        #expect(try program.answer(to: "find", "kim") == "kim")
    }

    @Test func `a variable names the vault`() throws {
        let path = home.appending(path: "mine.coffer")
        let program = try program(["COFFER_VAULT": path.path])
        #expect(try program.answer(to: "add", "kim") == "0")
        #expect(isThere(path) && !isThere(vault))
    }

    @Test func `a program names its keychain, and hears what it has to say`() throws {
        let path = home.appending(path: "mine.coffer")
        let program = try program()
        #expect(try program.answer(to: "use", path.path) == "used")
        #expect(try program.answer(to: "add", "kim") == "heard: vaultMade")
        #expect(try program.answer(to: "find", "kim") == "0")
        #expect(try program.end() == [])
        #expect(isThere(path) && !isThere(vault))
    }

    // MARK: - What keeps it shut

    @Test(arguments: [
        ([:], "HOME"), (["HOME": "/dev/null"], "/dev/null"), (["HOME": "/proc"], "/proc"),
        (["COFFER_VAULT": "/no/such/disk/v.coffer"], "/no/such/disk"),
    ])
    func `where nothing can be stored, each call says so, and one line says why`(
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

    /// A program got the secret of an older file, and `COFFER_QUIET` silenced the only sign of it.
    @Test(arguments: ["", "1"])
    func `a vault that was rolled back answers errSecNotAvailable, and nothing silences why`(quiet: String) throws {
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

    /// The next secret went to a new vault, which the device key alone opened.
    @Test func `where a vault with a passphrase is missing, each call answers errSecNotAvailable`() throws {
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

    @Test func `a file that is no vault is not taken for an empty one`() throws {
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

    @Test func `entitlements that make no sense refuse every call, with line and key`() throws {
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

    @Test func `a vault with a passphrase is locked for who has none, and open for who has it`() throws {
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

    @Test func `no command is run that the program has not allowed`() throws {
        let trace = home.appending(path: "trace")
        let program = try program(["COFFER_PASSPHRASE_COMMAND": "touch '\(trace.path)'; echo secret"])
        #expect(try program.answer(to: "add", "kim") == "0")
        #expect(!isThere(trace))
    }

    // MARK: - Several programs

    @Test func `a delete of all in one program leaves the items of another`() throws {
        let (mail, chat) = (try program(["COFFER_APPLICATION": "mail"]), try program(["COFFER_APPLICATION": "chat"]))
        #expect(try mail.answer(to: "add", "kim") == "0")
        #expect(try chat.answer(to: "add", "kim") == "0")
        #expect(try mail.answer(to: "delete") == "0")
        #expect(try mail.answer(to: "find", "kim") == "-25300")
        #expect(try chat.answer(to: "find", "kim") == "kim")
    }

    @Test func `processes of one program share a vault, also while they make it`() async throws {
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
        // Only the one that made the vault says so, and nothing went wrong in any.
        let notices = try programs.flatMap { try $0.end() }
        #expect(notices.count == 1)
    }

    @Test func `threads share a keychain, also while it is made`() throws {
        let program = try program()
        #expect(try program.answer(to: "threads", "16") == "16")
        #expect(try program.answer(to: "count") == "16")
        #expect(try program.end().count == 1)
    }

    @Test func `a process that is forked uses the keychain as its parent does`() throws {
        let program = try program()
        #expect(try program.answer(to: "add", "kim") == "0")
        #expect(try program.answer(to: "fork", "kim") == "0 kim")
        #expect(try program.answer(to: "find", "child") == "child")
        #expect(try program.answer(to: "add", "lee") == "0")
        #expect(try program.answer(to: "fork", "lee") == "-25299 lee")
    }
}
