import Coffer
import Foundation
import Glibc
import KeyedArchive
import TestSupport
import Testing
import VaultFiles

/// Where entitlements come from, and the name of a program without any (`Spec/keychain-behavior.md`, section 8).
@Suite("Declared entitlements", .temporaryDirectory) struct DeclaredEntitlementsTests {
    private let place: String
    private let executable: String

    init() throws {
        place = try TemporaryDirectory.current.resolvingSymlinksInPath().path
        executable = place + "/mail"
        try make("mail")
    }

    private func path(_ name: String) -> String { place + "/" + name }

    private func make(_ name: String, _ bytes: [UInt8] = []) throws {
        try Data(bytes).write(to: URL(filePath: path(name)))
    }

    private func make(_ name: String, app: String) throws {
        try make(name, entitlementsFile("<key>application-identifier</key><string>\(app)</string>"))
    }

    private func environment(_ variables: [String: String] = [:], isSetUserID: Bool = false) -> ProgramEnvironment {
        ProgramEnvironment(variables: variables, isSetUserID: isSetUserID)
    }

    /// The application identifier in the program's entitlements; nil if it declares none.
    private func declared(
        _ variables: [String: String] = [:],
        isSetUserID: Bool = false,
        files: any FileSystem = LinuxFileSystem()
    ) throws -> String? {
        let environment = environment(variables, isSetUserID: isSetUserID)
        return try Entitlements.declared(environment: environment, executable: executable, files: files)?
            .applicationIdentifier
    }

    private func expect(_ reason: FileError.Reason, _ name: String, _ body: () throws -> String?) {
        let error = EntitlementsError(.unreadable(reason.description), file: path(name))
        #expect(throws: error) { try body() }
    }

    // MARK: - The name

    private func name(_ variables: [String: String], bundle: String?, isSetUserID: Bool = false) -> String {
        let environment = ProgramEnvironment(
            variables: variables,
            bundleIdentifier: bundle,
            isSetUserID: isSetUserID
        )
        return ApplicationIdentifier.default(environment: environment, executable: "/opt/mail/bin/mail")
    }

    @Test func `a program is named by the variable, else its bundle, else its file`() {
        #expect(name(["COFFER_APPLICATION": "com.example.a"], bundle: "com.example.b") == "com.example.a")
        #expect(name([:], bundle: "com.example.b") == "com.example.b")
        #expect(name([:], bundle: nil) == "mail")
    }

    @Test func `an empty name counts as missing`() {
        #expect(name(["COFFER_APPLICATION": ""], bundle: "com.example.b") == "com.example.b")
        #expect(name(["COFFER_APPLICATION": ""], bundle: "") == "mail")
    }

    @Test func `the name variable is ignored in a set-user-ID program`() {
        #expect(name(["COFFER_APPLICATION": "com.example.a"], bundle: nil, isSetUserID: true) == "mail")
    }

    @Test(arguments: [("mail", "mail"), ("./mail", "mail"), ("/a/b\u{301}/c/\u{301}d.x", "\u{301}d.x")])
    func `the file name is the part after the last slash`(executable: String, name: String) {
        let found = ApplicationIdentifier.default(environment: environment(), executable: executable)
        #expect(Array(found.utf8) == Array(name.utf8))
    }

    // MARK: - The file

    @Test func `without a file, nothing is declared`() throws {
        #expect(try declared() == nil)
    }

    @Test func `a file next to the program declares entitlements`() throws {
        try make("mail.entitlements", app: "T.beside")
        #expect(try declared() == "T.beside")
    }

    @Test func `the file named by the variable takes precedence over the one next to the program`() throws {
        try make("mail.entitlements", app: "T.beside")
        try make("named", app: "T.named")
        #expect(try declared(["COFFER_ENTITLEMENTS": path("named")]) == "T.named")
    }

    @Test func `the file variable is ignored in a set-user-ID program`() throws {
        try make("named", app: "T.named")
        #expect(try declared(["COFFER_ENTITLEMENTS": path("named")], isSetUserID: true) == nil)
        try make("mail.entitlements", app: "T.beside")
        #expect(try declared(["COFFER_ENTITLEMENTS": path("named")], isSetUserID: true) == "T.beside")
    }

    @Test func `the file named by the variable must exist`() throws {
        try make("mail.entitlements", app: "T.beside")
        expect(.notFound, "absent") { try declared(["COFFER_ENTITLEMENTS": path("absent")]) }
        #expect(throws: EntitlementsError(.unreadable(FileError.Reason.notFound.description), file: "")) {
            try declared(["COFFER_ENTITLEMENTS": ""])
        }
    }

    @Test func `a malformed file is an error with its path`() throws {
        try make("mail.entitlements", Array("<dict>\n<key>application-identifier</key>\n<true/></dict>".utf8))
        let file = path("mail.entitlements")
        #expect(throws: EntitlementsError(.notText, file: file, line: 3, key: EntitlementKey.application)) {
            try declared()
        }
        try make("mail.entitlements")
        #expect(throws: EntitlementsError(.empty, file: file)) { try declared() }
    }

    @Test func `an unreadable file is an error`() throws {
        try make("mail.entitlements", app: "T.beside")
        for operation in [FileError.Operation.open, .read] {
            let files = HookedFiles()
            files.setHook { (called, path) throws(FileError) in
                guard called == operation else { return }
                throw FileError(operation, path, reason: .permissionDenied)
            }
            expect(.permissionDenied, "mail.entitlements") { try declared(files: files) }
        }
    }

    @Test func `an I/O error is not taken for a missing file`() throws {
        let files = HookedFiles()
        files.setHook { (operation, path) throws(FileError) in
            throw FileError(operation, path, reason: .inputOutput)
        }
        expect(.inputOutput, "mail.entitlements") { try declared(files: files) }
    }

    @Test func `a directory or pipe in place of the file is an error`() throws {
        mkdir(path("mail.entitlements"), 0o700)
        expect(.notARegularFile, "mail.entitlements") { try declared() }
        rmdir(path("mail.entitlements"))
        mkfifo(path("mail.entitlements"), 0o600)
        expect(.notARegularFile, "mail.entitlements") { try declared() }
    }

    @Test func `a link to a file is followed, and a dangling link is an error`() throws {
        symlink("elsewhere", path("mail.entitlements"))
        expect(.notFound, "mail.entitlements") { try declared() }
        try make("elsewhere", app: "T.elsewhere")
        #expect(try declared() == "T.elsewhere")
    }

    @Test func `the file is next to the program, not next to a link to it`() throws {
        mkdir(path("bin"), 0o700)
        symlink("../mail", path("bin/post"))
        try make("mail.entitlements", app: "T.beside")
        try make("bin/post.entitlements", app: "T.link")
        let found = try Entitlements.declared(environment: environment(), executable: path("bin/post"))
        #expect(found?.applicationIdentifier == "T.beside")
    }

    @Test func `a program in a missing directory or with too long a name has no file`() throws {
        let long = String(repeating: "x", count: 250)
        try make(long)
        for name in ["gone/mail", long] {
            #expect(try Entitlements.declared(environment: environment(), executable: path(name)) == nil)
        }
    }

    @Test func `a file is read only up to the size limit`() throws {
        try make("mail.entitlements")
        truncate(path("mail.entitlements"), 1 << 40)
        let file = try FileHandle(forWritingTo: URL(filePath: path("mail.entitlements")))
        try file.write(contentsOf: Data("<".utf8))
        #expect(throws: EntitlementsError(.tooLarge(limit: 65_536), file: path("mail.entitlements"))) {
            try declared()
        }
    }

    @Test func `the bundle identifier is substituted in files`() throws {
        try make("mail.entitlements", app: "T.$(CFBundleIdentifier)")
        let environment = ProgramEnvironment(variables: [:], bundleIdentifier: "com.example.b", isSetUserID: false)
        let found = try Entitlements.declared(environment: environment, executable: executable)
        #expect(found?.applicationIdentifier == "T.com.example.b")
    }

    // MARK: - Groups

    @Test func `entitlements come from code, else a file, else the program's name`() throws {
        let given = try Entitlements(["application-identifier": "T.given"])
        #expect(
            try AccessGroups(environment: environment(), executable: executable) == AccessGroups(application: "mail")
        )
        try make("mail.entitlements", app: "T.beside")
        #expect(
            try AccessGroups(environment: environment(), executable: executable) == AccessGroups(declared: ["T.beside"])
        )
        let named = environment(["COFFER_ENTITLEMENTS": path("absent")])
        #expect(
            try AccessGroups(given: given, environment: named, executable: executable)
                == AccessGroups(declared: ["T.given"])
        )
    }

    @Test func `a malformed file is an error and gives no groups`() throws {
        try make("mail.entitlements", Array("{}".utf8))
        #expect(throws: EntitlementsError(.notAPropertyList, file: path("mail.entitlements"))) {
            try AccessGroups(environment: environment(), executable: executable)
        }
    }
}
