import Foundation
import TestSupport
import Testing

/// Runs the real git with the real program as its credential helper.
@Suite("Git with its credential helper", .temporaryDirectory) struct GitProcessTests {
    private let command: BuiltCommand

    init() throws {
        command = try BuiltCommand()
        let helper = command.home.appending(path: "git-credential-coffer")
        try FileManager.default.createSymbolicLink(atPath: helper.path, withDestinationPath: command.path)
    }

    /// Runs `git credential` with the program as the only helper.
    private func git(
        _ operation: String,
        _ input: String,
        options: [String] = [],
        adding variables: [String: String] = [:]
    ) throws -> BuiltCommand.Result {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let git = try #require(
            path.split(separator: ":").map { "\($0)/git" }.first { FileManager.default.isExecutableFile(atPath: $0) },
            "these tests require git"
        )
        let helper = command.home.appending(path: "git-credential-coffer").path
        return try command.run(
            ["-c", "credential.helper=\(helper)"] + options + ["credential", operation],
            input: input + "\n",
            program: git,
            adding: ["GIT_CONFIG_NOSYSTEM": "1", "GIT_TERMINAL_PROMPT": "0", "GIT_ASKPASS": "", "SSH_ASKPASS": ""]
                .merging(
                    variables
                ) { $1 }
        )
    }

    private let server = "protocol=https\nhost=example.com\n"

    @Test func `git gets approved credentials again, but not rejected ones`() throws {
        #expect(try git("fill", server).status != 0)
        let credential = server + "username=kim\npassword=p\u{E4}ss=word\n"
        #expect(try git("approve", credential).status == 0)
        #expect(try git("fill", server).output == credential)
        #expect(try git("fill", "url=https://kim@example.com/a.git\n").output == credential)
        #expect(try git("fill", "protocol=https\nhost=example.com:8443\n").status != 0)
        #expect(try command.run(["get", "example.com"]).output == "p\u{E4}ss=word")
        #expect(try git("reject", server + "username=kim\npassword=other\n").status == 0)
        #expect(try git("fill", server).output == credential)
        #expect(try git("reject", credential).status == 0)
        #expect(try git("fill", server).status != 0)
    }

    @Test func `the path is compared if git sends it`() throws {
        let options = ["-c", "credential.useHttpPath=true"]
        for name in ["a", "b"] {
            let input = "url=https://example.com/\(name).git\nusername=\(name)\npassword=of-\(name)\n"
            #expect(try git("approve", input, options: options).status == 0)
        }
        let seen = try git("fill", "url=https://example.com/b.git\n", options: options).output
        #expect(seen == "protocol=https\nhost=example.com\npath=b.git\nusername=b\npassword=of-b\n")
    }

    @Test func `git asks the program through GIT_ASKPASS if it has no helper`() throws {
        let credential = server + "username=kim@corp\npassword=hunter2\n"
        #expect(try git("approve", credential).status == 0)
        let askpass = command.home.appending(path: "coffer-askpass").path
        try FileManager.default.createSymbolicLink(atPath: askpass, withDestinationPath: command.path)
        let seen = try git("fill", server, options: ["-c", "credential.helper="], adding: ["GIT_ASKPASS": askpass])
        #expect(seen.output == credential)
        let other = try git(
            "fill",
            "protocol=https\nhost=example.org\n",
            options: ["-c", "credential.helper="],
            adding: ["GIT_ASKPASS": askpass]
        )
        #expect(other.status != 0)
    }

    @Test func `git finds what set has stored for an address or a host, and changes it in place`() throws {
        #expect(try command.run(["set", "https://git.example.com", "kim"], input: "web").status == 0)
        #expect(try command.run(["set", "github.com", "kim"], input: "generic").status == 0)
        let web = "protocol=https\nhost=git.example.com\nusername=kim\npassword="
        let generic = "protocol=https\nhost=github.com\nusername=kim\npassword="
        #expect(try git("fill", "url=https://git.example.com/a.git\n").output == web + "web\n")
        #expect(try git("fill", "url=https://github.com/a/b.git\n").output == generic + "generic\n")
        #expect(try git("fill", "url=http://github.com/a/b.git\n").status != 0)
        for credential in [web, generic] { #expect(try git("approve", credential + "new\n").status == 0) }
        #expect(try git("fill", "url=https://git.example.com/a.git\n").output == web + "new\n")
        #expect(try git("fill", "url=https://github.com/a/b.git\n").output == generic + "new\n")
        let list = "git.example.com\tkim\tcoffer\tinternet\n"
        #expect(try command.run(["list", "git.example.com"]).output == list)
        for credential in [web, generic] { #expect(try git("reject", credential + "new\n").status == 0) }
        #expect(try command.run(["list"]).output == "github.com\tkim\tcoffer\tgeneric\n")
    }

    @Test(.openssl, .enabled(if: PythonOracle.isExpected, "python3 is not installed"))
    func `git clones over https with a password that set has stored`() throws {
        let authority = try TestAuthority("ours", in: command.home)
        let server = try authority.issue("server")
        let script = Repository.root.appending(path: "Tests/Command/CofferCLITests/Oracle/password_server.py").path
        let shell = """
            set -e
            git init -q --bare served.git
            commit=$(git -C served.git commit-tree -m first "$(git -C served.git hash-object -t tree -w /dev/null)")
            git -C served.git update-ref HEAD "$commit"
            git -C served.git update-server-info
            if git clone -q "$ADDRESS/served.git" refused 2> /dev/null; then exit 3; fi
            printf hunter2 | '\(command.path)' set "$ADDRESS" kim
            git clone -q "$ADDRESS/served.git" copy
            test "$(git -C copy rev-parse HEAD)" = "$commit"
            """
        let result = try command.run(
            ["python3", "-I", script, server.certificate, server.key, "kim", "hunter2", shell],
            program: "/usr/bin/env",
            adding: [
                "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "credential.helper",
                "GIT_CONFIG_VALUE_0": command.home.appending(path: "git-credential-coffer").path,
                "GIT_SSL_CAINFO": authority.certificate, "GIT_TERMINAL_PROMPT": "0",
                "GIT_AUTHOR_NAME": "Kim", "GIT_AUTHOR_EMAIL": "kim@example.com",
                "GIT_COMMITTER_NAME": "Kim", "GIT_COMMITTER_EMAIL": "kim@example.com",
            ]
        )
        #expect(result.status == 0, "\(result.errors)")
    }

    @Test func `git neither gets nor updates what the holder of a grant has planted`() throws {
        let credential = command.home.appending(path: "credential").path
        let holder = ["COFFER_GRANT_FILE": credential]
        #expect(try command.run(["init", "--no-prompt", "-q"]).status == 0)
        #expect(try command.run(["grant", "issue", "web", "web", "-o", credential]).status == 0)
        let planted = server + "username=kim\npassword=planted\n"
        #expect(try git("approve", planted, adding: holder).status == 0)
        #expect(try git("fill", server, adding: holder).output == planted)
        let result = try git("fill", server)
        #expect(result.status != 0)
        #expect(result.errors.contains("only the group coffer was searched"))
        let own = server + "username=kim\npassword=own\n"
        #expect(try git("approve", own).status == 0)
        #expect(try git("fill", server).output == own)
        #expect(try git("fill", server, adding: holder).output == planted)
        #expect(try git("reject", planted).status == 0)
        #expect(try git("fill", server, adding: holder).output == planted)
    }

    @Test func `a failed store is reported and stores nothing`() throws {
        let vault = command.home.appending(path: "none.coffer").path
        let helper = command.home.appending(path: "git-credential-coffer").path
        let options = ["-c", "credential.helper=", "-c", "credential.helper=\(helper) --vault \(vault)"]
        let result = try git("approve", server + "username=kim\npassword=x\n", options: options)
        #expect(result.errors.contains("coffer: error: there is no vault at \(vault)"))
        #expect(!FileManager.default.fileExists(atPath: vault))
    }
}
