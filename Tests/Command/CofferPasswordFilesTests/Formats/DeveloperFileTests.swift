import CofferBasics
import CofferPasswordFiles
import Testing

@Suite("Files of developers") struct DeveloperFileTests {
    @Test func `netrc: machines, quotes, comments and macros`() throws {
        let file = try Samples.file(".netrc")
        #expect(
            file.summaries == [
                ["login line 2", "title: example.com", "site: example.com", "account: alice", "secret: pass#word"],
                [
                    "login line 5", "title: mail.example.com", "site: mail.example.com", "account: bob smith",
                    "secret: a \"quoted\" \\ one", "field account: billing",
                    "loss: the password is in quotes, which older programs take for a part of it",
                ],
                ["login line 7", "title: example.com", "site: example.com", "account: carol", "secret: 'literal'"],
                ["login line 13", "title: only.example.com", "site: only.example.com", "account: nobody"],
                ["login line 15", "title: default", "account: anonymous", "secret: me@example.com"],
            ]
        )
        #expect(file.losses == ["macro init"])
        #expect(file.refused == ["line 14: a machine without login and password"])
    }

    @Test func `netrc: words out of place are refused`() throws {
        let file = try Samples.file("_netrc")
        #expect(
            file.summaries == [
                [
                    "login line 1", "title: a.example.com", "site: a.example.com", "account: u", "secret: p",
                    "field login: stray",
                ]
            ]
        )
        #expect(
            file.refused == [
                "line 3: expected a word such as machine, login or password",
                "line 3: expected a word such as machine, login or password",
            ]
        )
    }

    @Test func `netrc: of several values of a machine none is lost`() throws {
        let text = "login early\npassword early\nmachine a.example\nlogin u\npassword p\npassword q\naccount b\n"
        let file = try PasswordFile.read(HeldSecret(text), name: "netrc")
        #expect(
            file.summaries.map { $0.suffix(4) } == [
                ["account: u", "secret: p", "hidden password: q", "field account: b"]
            ]
        )
        #expect(
            file.refused == ["line 1: a value before the first machine", "line 2: a value before the first machine"]
        )
    }

    @Test func `settings and macros that are not taken are counted`() throws {
        let settings = (1...1000).map { "setting\($0)=1\n" }.joined()
        let npm = try PasswordFile.read(HeldSecret(settings + "loglevel=a\nloglevel=b\n"), name: ".npmrc")
        #expect(npm.losses.count == 51)
        #expect(npm.losses.last == "952 more of other names")
        let macros = (1...1000).map { "macdef m\($0)\nx\n\n" }.joined()
        #expect(try PasswordFile.read(HeldSecret(macros), name: "netrc").losses.count == 51)
    }

    @Test func `a second password of a section is hidden`() throws {
        let text = "[pypi]\nusername = kim\npassword = one\npassword = two\n"
        #expect(
            try PasswordFile.read(HeldSecret(text), name: ".pypirc").summaries.first?.suffix(3) == [
                "account: kim", "secret: one", "hidden password: two",
            ]
        )
        let aws = "[me]\naws_access_key_id = A\naws_secret_access_key = one\naws_secret_access_key = two\nregion = x\n"
        #expect(
            try PasswordFile.read(HeldSecret(aws), name: "credentials").summaries.first?.suffix(3) == [
                "secret: one", "hidden aws_secret_access_key: two", "field region: x",
            ]
        )
    }

    @Test func `git credentials: a byte-order mark`() throws {
        let text = "\u{FEFF}https://alice:pw@example.com\n"
        let file = try PasswordFile.read(HeldSecret(text), name: ".git-credentials")
        #expect(file.records.first?.sites == ["https://example.com"])
        #expect(file.records.first?.secret?.text == "pw")
    }

    @Test func `environment files: quotes, comments, duplicates and variables`() throws {
        let file = try Samples.file(".env")
        let variable = "loss: a variable in the value is not replaced by its value"
        #expect(
            file.summaries == [
                ["other line 12", "title: .env", "account: API_KEY", "secret: new=value"],
                ["other line 3", "title: .env", "account: DB_URL", "secret: postgres://u:p@host/db"],
                ["other line 4", "title: .env", "account: SINGLE", "secret: lit$eral \\n"],
                ["other line 5", "title: .env", "account: MULTI", "secret: line 1\nline 2\nline 3"],
                ["other line 7", "title: .env", "account: ESCAPED", "secret: a \"b\" \\ \\x"],
                ["other line 8", "title: .env", "account: EMPTY", "secret: "],
                ["other line 9", "title: .env", "account: SPACED", "secret: two words"],
                ["other line 10", "title: .env", "account: HASH", "secret: a#b"],
                ["other line 11", "title: .env", "account: VARIABLE", "secret: ${OTHER:-x}", variable],
                ["other line 14", "title: .env", "account: UNCLOSED", "secret: \"abc"],
                [
                    "other line 15", "title: .env", "account: COMMENTED", "secret: abc",
                    "loss: the comment after the value",
                ],
                [
                    "other line 16", "title: .env", "account: QUOTED", "secret: a # b",
                    "loss: the comment after the value",
                ],
            ]
        )
        #expect(
            file.refused == ["line 2: API_KEY is set again on line 12", "line 13: expected NAME=value"]
        )
    }

    @Test func `environment files: a byte-order mark and CRLF`() throws {
        let file = try Samples.file(".env.local")
        #expect(file.records.map(\.account) == ["KEY", "OTHER"])
        #expect(file.records.map { $0.secret?.text } == ["value", "q"])
    }

    @Test func `git credentials: everything is percent-encoded, also the colon of the port`() throws {
        let file = try Samples.file(".git-credentials")
        #expect(
            file.summaries == [
                ["login line 1", "title: github.com", "site: https://github.com", "account: alice", "secret: p@ss/w"],
                [
                    "login line 2", "title: git.example.com:8443", "site: https://git.example.com:8443", "account: bob",
                    "secret: secret+plus",
                ],
                [
                    "login line 3", "title: host.example.com:8080",
                    "site: http://host.example.com:8080/path/repo.git", "account: carol", "secret: pw",
                ],
            ]
        )
        let reason = "expected an address with user name and password"
        #expect(file.refused == ["line 4: \(reason)", "line 5: \(reason)", "line 6: \(reason)"])
    }

    @Test func `Docker: registries, tokens and helpers`() throws {
        let file = try Samples.file("docker-config.json")
        #expect(
            file.summaries == [
                [
                    "login registry 1 (https://index.docker.io/v1/)", "title: https://index.docker.io/v1/",
                    "site: https://index.docker.io/v1/", "account: alice", "secret: secret:with colon",
                    "field email: alice@example.com",
                ],
                [
                    "login registry 3 (ghcr.io)", "title: ghcr.io", "site: https://ghcr.io", "account: bot",
                    "secret: pw",
                ],
                [
                    "login registry 3 (ghcr.io)", "title: ghcr.io", "site: https://ghcr.io", "account: <token>",
                    "secret: id token", "field kind: identitytoken",
                ],
                [
                    "login registry 3 (ghcr.io)", "title: ghcr.io", "site: https://ghcr.io", "account: <token>",
                    "secret: reg token", "field kind: registrytoken",
                ],
                [
                    "login registry 4 (bad.example.com)", "title: bad.example.com", "site: https://bad.example.com",
                    "hidden auth: ***",
                ],
            ]
        )
        #expect(file.refused == ["registry 2 (registry.example.com): its password is in a credential helper"])
        #expect(
            file.losses == [
                "passwords in the helper desktop", "the password of gcr.io, in the helper gcloud",
                "setting HttpHeaders",
            ]
        )
        let helper = try Samples.file("docker-helper.json")
        #expect(helper.records.isEmpty)
        #expect(helper.losses == ["passwords in the helper secretservice", "setting currentContext"])
    }

    @Test func `AWS: profiles with keys and tokens`() throws {
        let file = try Samples.file("credentials")
        #expect(file.form == "AWS credentials")
        #expect(
            file.summaries == [
                [
                    "other line 2", "title: aws:default", "account: AKIDEXAMPLE",
                    "secret: wJalrXUtnFEMI/K7MDENG+bPx",
                ],
                [
                    "other line 6", "title: aws:work profile", "account: AKIDWORK", "secret: abc=def",
                    "hidden aws_session_token: tok/en==", "field region: eu-central-1",
                    "field s3: max_concurrent_requests = 20",
                ],
            ]
        )
        #expect(file.losses == ["[sso] without a key"])
        let config = try Samples.file("config")
        #expect(
            config.summaries == [
                ["other line 4", "title: aws:user", "account: AKIDUSER", "secret: xyz"]
            ]
        )
        #expect(config.refused == ["line 7: expected a setting of a section"])
    }

    @Test func `AWS: a file of settings is refused`() {
        let error = fileError { _ = try PasswordFile.read(HeldSecret("[default]\nregion=x\n"), name: "config") }
        #expect(error?.description.contains("import the file `credentials`") == true)
    }

    @Test func `npm: tokens, passwords and variables`() throws {
        let file = try Samples.file(".npmrc")
        #expect(
            file.summaries == [
                [
                    "login line 3", "title: registry.npmjs.org/", "site: https://registry.npmjs.org/",
                    "secret: npm_abc123",
                ],
                [
                    "login line 4", "title: npm.example.com:8080/path/", "site: https://npm.example.com:8080/path/",
                    "account: alice", "secret: secret", "field email: alice@example.com",
                ],
                [
                    "login line 7", "title: old.example.com/", "site: https://old.example.com/", "account: bot",
                    "secret: pw",
                ],
                [
                    "login line 8", "title: ci.example.com/", "site: https://ci.example.com/", "secret: ${NPM_TOKEN}",
                    "loss: _authToken has a variable, which is not replaced by its value",
                ],
                [
                    "login line 9", "title: registry.npmjs.org", "site: https://registry.npmjs.org/", "account: user",
                    "secret: pass", "field email: me@example.com",
                    "loss: written for no registry, an obsolete form; taken for registry.npmjs.org",
                ],
            ]
        )
        #expect(file.losses == ["setting registry", "setting @scope:registry"])
        #expect(file.refused == ["line 12: expected name=value"])
    }

    @Test func `Python: package indexes`() throws {
        let file = try Samples.file(".pypirc")
        #expect(
            file.summaries == [
                [
                    "login line 6", "title: pypi", "site: https://upload.pypi.org/legacy/", "account: __token__",
                    "secret: pypi-AgEI",
                ],
                [
                    "login line 10", "title: private", "site: https://pypi.example.com/simple/", "account: alice",
                    "secret: 50%% off", "field ca_cert: /etc/ca.pem",
                    "loss: the password has a percent sign, which some readers write twice",
                ],
            ]
        )
        #expect(file.losses == [])
        #expect(file.refused == [])
    }
}
