import Coffer
import CofferCLI
import CofferSecurity
import Foundation
import TestSupport
import Testing

/// Verbs with items of all classes, which other programs stored.
@Suite("Items of all classes", .temporaryDirectory) struct ItemClassTests {
    /// Returns a machine with one item of each class, all named mail.
    private func sample() throws -> CommandSample {
        let sample = try CommandSample()
        #expect(sample.run("init", "--quiet").status == 0)
        let variables = [
            "HOME": sample.home.path, "XDG_STATE_HOME": sample.home.appending(path: sample.stateDirectory).path,
        ]
        let environment = ProgramEnvironment(variables: variables, isSetUserID: false)
        let vault = try Vault.open(
            at: sample.home.appending(path: ".local/share/coffer/login.coffer").path,
            with: UnlockLadder(environment: environment),
            options: VaultOptions(locations: VaultLocations(environment))
        )
        let keychain = vault.keychain(for: AccessGroups(application: "web"))
        try keychain.add(GenericPassword(service: "mail", account: "kim"), secret: "generic")
        var login = InternetPassword(server: "mail", account: "kim")
        login.protocol = .imaps
        login.port = 993
        login.path = "/inbox"
        try keychain.add(login, secret: "internet")
        try keychain.add(
            ["class": "cert", "issr": .data([0x30, 0]), "slnr": .data([1]), "labl": "mail", "v_Data": .data([0x30])]
        )
        var key = CryptographicKey(.symmetric, applicationTag: "tag")
        key.label = "mail"
        key.keySizeInBits = 256
        try keychain.add(key, secret: [1, 2, 0xFF])
        return sample
    }

    @Test func `a reference names an item that nothing else tells from another`() throws {
        let sample = try CommandSample()
        for (type, secret) in [("dflt", "one"), ("form", "two")] {
            let result = sample.run("add-internet-password", "-s", "shop", "-a", "kim", "-t", type, "-w", secret)
            #expect(result.status == 0, "\(result.errors)")
        }
        let ambiguous = sample.run("get", "shop", "kim")
        #expect(ambiguous.status == 70)
        let references = ambiguous.errors.matches(of: /`(inet-[0-9a-f]+)` instead of the name/).map { String($0.1) }
        #expect(Set(references.map { sample.run("get", $0).text }) == ["one", "two"])
        #expect(sample.run("get", "inet-00").status == 44)
    }

    @Test func `the class distinguishes items of the same name`() throws {
        let sample = try sample()
        let both = sample.run("get", "mail")
        #expect(both.status == ExitCode.ambiguous.rawValue)
        #expect(
            both.errors == """
                coffer: error: 2 items match mail
                  mail kim in web (generic)
                  mail:993 kim in web (internet)
                coffer: hint: give the class with --class

                """
        )
        #expect(sample.run("get", "mail", "--class", "generic").text == "generic")
        #expect(sample.run("get", "mail", "kim", "--class", "internet").text == "internet")
        #expect(sample.run("get", "mail", "--class", "key").output == [1, 2, 0xFF])
        #expect(sample.run("get", "mail", "--class", "certificate").output == [0x30])
        #expect(sample.run("get", "mail", "kim", "--class", "key").status == ExitCode.notFound.rawValue)
    }

    @Test func `all classes are listed`() throws {
        let expected = "mail\tkim\tweb\tgeneric\nmail\tkim\tweb\tinternet\nmail\t\tweb\tcertificate\nmail\t\tweb\tkey\n"
        #expect(try sample().run("list").text == expected)
    }

    @Test func `items that are no certificate or key are left out with a warning`() throws {
        let sample = try sample()
        let (noCertificate, noKey) = (
            "coffer: warning: mail in web (certificate) is left out: its data is not a certificate\n",
            "coffer: warning: mail in web (key) is left out: its data is not a public or private key\n"
        )
        let list = sample.run("list", "--class", "certificate")
        #expect(list.status == 0 && list.text.isEmpty && list.errors == noCertificate)
        let keys = sample.run("list", "--class", "key")
        #expect(keys.text == "mail\t256 bits symmetric\ttag\tweb\n" && keys.errors.isEmpty)
        let nothing = "coffer: error: nothing to export: all\ncoffer: hint: run `coffer list` to see all items\n"
        let export = sample.run("export", "-t", "all")
        #expect(export.status == ExitCode.notFound.rawValue && export.errors == noCertificate + noKey + nothing)
        #expect(sample.run("find-certificate", "-a").errors == noCertificate)
    }

    @Test func `the attributes of an internet password are shown`() throws {
        let sample = try sample()
        let lines = sample.run("show", "mail", "--class", "internet").text.split(separator: "\n").map(String.init)
        for line in ["class\tinternet", "server\tmail", "protocol\timps", "port\t993", "path\t/inbox"] {
            #expect(lines.contains(line), "\(line)")
        }
        let json = sample.run("show", "mail", "--class", "internet", "--json").text
        let object = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
        #expect(object["server"] as? String == "mail")
        #expect(object["port"] as? Int == 993)
        #expect(object["protocol"] as? String == "imaps")
        #expect(object["secretByteCount"] as? Int == 8)
    }

    @Test func `bytes are shown in hexadecimal`() throws {
        let sample = try sample()
        let certificate = sample.run("show", "mail", "--class", "certificate").text
        #expect(certificate.contains("\nserial number\t0x01\n"))
        let key = sample.run("show", "mail", "--class", "key").text
        #expect(key.contains("\nbits\t256\n") && key.contains("\napplication tag\ttag\n"))
    }

    @Test(arguments: ["generic", "internet", "certificate", "key"])
    func `items of any class can be deleted and restored, and have a history`(name: String) throws {
        let sample = try sample()
        let secret = sample.run("get", "mail", "--class", name).output
        #expect(sample.run("rm", "mail", "--class", name).status == 0)
        #expect(sample.run("get", "mail", "--class", name).status == ExitCode.notFound.rawValue)
        #expect(sample.run("undo", "mail", "--class", name).status == 0)
        #expect(sample.run("get", "mail", "--class", name).output == secret)
        let history = sample.run("history", "mail", "--class", name).text.split(separator: "\n")
        #expect(history.map { $0.split(separator: "\t").last } == ["restored", "deleted", "added"])
        #expect(sample.run("purge", "mail", "--class", name, "--force").status == 0)
        #expect(sample.run("undo", "mail", "--class", name).status == ExitCode.notFound.rawValue)
    }
}
