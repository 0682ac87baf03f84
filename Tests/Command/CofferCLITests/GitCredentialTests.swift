import Coffer
import Foundation
import TestSupport
import Testing

@Suite("Git credential protocol", .temporaryDirectory) struct GitCredentialTests {
    private let sample: CommandSample

    init() throws {
        sample = try CommandSample()
    }

    private func git(_ operation: String, _ input: [UInt8]) -> CommandSample.Result {
        sample.run(CommandSample.Call(programName: "git-credential-coffer", words: [operation], input: input))
    }

    private func git(_ operation: String, _ input: String) -> CommandSample.Result {
        git(operation, Array(input.utf8))
    }

    @Test func `a line of 64 KiB is accepted, a longer one is too large`() {
        let start = "protocol=https\nhost=a\nusername=kim\npassword="
        let password = String(repeating: "x", count: 65_536 - "password=".utf8.count)
        #expect(git("store", start + password + "\n").status == 0)
        #expect(git("get", "protocol=https\nhost=a\n").text == "username=kim\npassword=\(password)\n")
        let result = git("store", start + password + "x\n")
        #expect(result.errors == "coffer: error: line 4 from git has more than 65,536 bytes\n")
        #expect(result.status == 69)
    }

    @Test func `a carriage return in an authentication type does not start a new line`() {
        let start = "protocol=https\nhost=a\n"
        let kind = "authtype=Bearer\r\n"
        #expect(
            git("store", start + kind + "username=kim\ncredential=c\npassword_expiry_utc=99999999999\n").status == 0
        )
        let answer = git("get", start + "capability[]=authtype\n").text
        #expect(
            answer == "capability[]=authtype\n\(kind)username=kim\ncredential=c\npassword_expiry_utc=99999999999\n"
        )
    }

    /// `htps` is the code that items have for HTTPS.
    @Test func `a scheme spelled like the code of another one is not that one`() {
        let entry = "host=a\nusername=kim\npassword="
        #expect(git("store", "protocol=https\n\(entry)x\n").status == 0)
        #expect(git("get", "protocol=htps\nhost=a\n").text == "")
        #expect(git("store", "protocol=htps\n\(entry)y\n").status == 0)
        #expect(git("get", "protocol=htps\nhost=a\n").text == "username=kim\npassword=y\n")
        #expect(git("get", "protocol=https\nhost=a\n").text == "username=kim\npassword=x\n")
    }

    @Test func `input of more than 1 MiB is too large`() {
        let lines = String(repeating: "state[]=\(String(repeating: "x", count: 1015))\n", count: 1024)
        #expect(lines.utf8.count == 1 << 20)
        #expect(git("get", lines).status == 0)
        let result = git("get", lines + "\n")
        #expect(result.errors == "coffer: error: standard input is too large (limit 1,048,576 bytes)\n")
        #expect(result.status == 69)
    }

    @Test(arguments: UInt64(0)..<200)
    func `random input gives no credential and does not crash`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let words = [
            "protocol=", "host=", "url=", "path=", "username=", "password_expiry_utc=", "capability[]=", "https", "://",
            "@", ":", "/", "%", "%4", "%41", "[::1]", "99999999999999999999", "-1", "=", "\n", "\0", "é",
        ]
        var input: [UInt8] = []
        for _ in 0..<Int(generator.next() % 30) {
            let number = Int(generator.next() % UInt64(words.count + 1))
            input += number < words.count ? Array(words[number].utf8) : [UInt8(truncatingIfNeeded: generator.next())]
        }
        for operation in ["get", "erase"] {
            let result = git(operation, input)
            #expect(result.output.isEmpty)
            #expect(result.status == 0 || result.status == 1)
        }
    }

    // The password is stored as another program could store it.
    @Test(arguments: ["two\nlines", "zero\0byte"])
    func `a secret that git would misread is not given`(secret: String) throws {
        #expect(git("store", "protocol=https\nhost=a\nusername=kim\npassword=x\n").status == 0)
        let environment = ProgramEnvironment(
            variables: ["HOME": sample.home.path, "XDG_STATE_HOME": sample.home.path + "/.local/state"],
            isSetUserID: false
        )
        let locations = VaultLocations(environment)
        let vault = try Vault.open(
            at: try #require(locations.vault),
            with: UnlockLadder(environment: environment),
            options: VaultOptions(locations: locations)
        )
        let keychain = vault.keychain(for: AccessGroups(declared: ["coffer"]))
        let item = try #require(try keychain.item(InternetPassword.self, where: .server("a")))
        try keychain.setSecret(secret, of: item.reference)
        let result = git("get", "protocol=https\nhost=a\n")
        #expect(result.output.isEmpty)
        #expect(result.errors.contains("the password for a contains a newline or a zero byte"))
        #expect(result.status == 1)
    }

    @Test(arguments: [
        ("example.com", "example.com", nil), ("example.com:8443", "example.com", 8443), ("[::1]:80", "[::1]", 80),
        ("::1", "::1", nil), ("a:", "a:", nil), ("a:0", "a:0", nil), ("a:65536", "a:65536", nil), (":80", ":80", nil),
        ("a:+1", "a:+1", nil),
    ])
    func `only a valid port number is a port`(host: String, server: String, port: Int?) throws {
        #expect(git("store", "protocol=https\nhost=\(host)\nusername=kim\npassword=x\n").status == 0)
        #expect(git("get", "protocol=https\nhost=\(host)\n").text == "username=kim\npassword=x\n")
        let seen = sample.run("get", server, "--json").text
        #expect(seen.contains("\"server\": \"\(server)\", \"port\": \(port.map { "\($0)" } ?? "null"),"))
    }
}
