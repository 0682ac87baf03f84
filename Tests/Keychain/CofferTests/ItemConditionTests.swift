import Coffer
import CofferBasics
import CofferSecurity
import Testing
import TestSupport

/// Each condition applies to the attribute of its name.
@Suite("Conditions", .temporaryDirectory) struct ItemConditionTests {
    /// A condition, and an attribute that meets it, by Apple's name.
    struct Case<Item: KeychainItem>: Sendable, CustomTestStringConvertible {
        let condition: ItemCondition<Item>
        let name: String
        let value: ItemValue

        init(_ condition: ItemCondition<Item>, _ name: String, _ value: ItemValue) {
            self.condition = condition
            self.name = name
            self.value = value
        }

        var testDescription: String { name }
    }

    private func check<Item: KeychainItem>(_ given: Case<Item>) throws {
        let keychain = try KeychainSample(AccessGroups(declared: ["app", "G"])).keychain
        let bare: ItemRequest = ["class": .string(Item.itemClass.rawValue)]
        try keychain.add(bare.with(["vwht": "another"]))
        #expect(try keychain.count(Item.self, where: given.condition) == 0)
        try keychain.add(bare.with([given.name: given.value]))
        #expect(try keychain.count(Item.self, where: given.condition) == 1)
    }

    @Test(arguments: [
        Case<GenericPassword>(.account("A"), "acct", "A"), Case(.service("S"), "svce", "S"),
        Case(.generic("G"), "gena", data("G")), Case(.label("L"), "labl", "L"),
        Case(.itemDescription("D"), "desc", "D"), Case(.comment("C"), "icmt", "C"), Case(.creator(5), "crtr", 5),
        Case(.type(6), "type", 6), Case(.isInvisible(false), "invi", false), Case(.isNegative(true), "nega", true),
        Case(.group("G"), "agrp", "G"), Case(.accessibility(.always), "pdmn", "dk"),
        Case(.synchronizable(.yes), "sync", true), Case(.attribute("alis", "A"), "alis", "A"),
    ]) func `a generic password matches each condition`(given: Case<GenericPassword>) throws { try check(given) }

    @Test(arguments: [
        Case<InternetPassword>(.server("S"), "srvr", "S"), Case(.securityDomain("D"), "sdmn", "D"),
        Case(.protocol(.https), "ptcl", "htps"), Case(.authenticationType(.httpDigest), "atyp", "httd"),
        Case(.port(80), "port", 80), Case(.path("/"), "path", "/"),
        Case(.hostOrSubdomain(of: "example.com"), "srvr", "www.example.com"),
    ]) func `an internet password matches each condition`(given: Case<InternetPassword>) throws { try check(given) }

    @Test(arguments: [
        Case<Certificate>(.certificateType(3), "ctyp", 3), Case(.issuer([1]), "issr", .data([1])),
        Case(.serialNumber([2]), "slnr", .data([2])), Case(.subject([3]), "subj", .data([3])),
        Case(.subjectKeyID([4]), "skid", .data([4])), Case(.publicKeyHash([5]), "pkhh", .data([5])),
    ]) func `a certificate matches each condition`(given: Case<Certificate>) throws { try check(given) }

    @Test func `a value invalid in a request is also invalid in a condition`() throws {
        let keychain = try KeychainSample(AccessGroups(declared: ["app"])).keychain
        #expect(throws: KeychainError.invalid(.value(of: "issr"))) {
            try keychain.count(Certificate.self, where: .attribute("issr", "text"))
        }
        let control = try #require(AccessControl(.whenUnlocked, .userPresence))
        #expect(throws: KeychainError.invalid(.conditionsOnSynchronizableItem)) {
            let condition = ItemCondition<GenericPassword>.attribute("accc", .accessControl(control))
            return try keychain.count(where: condition, .synchronizable(.yes))
        }
        #expect(throws: KeychainError.invalid(.value(of: "acct"))) {
            try keychain.count(GenericPassword.self, where: .account("one"), .account("other"))
        }
        #expect(throws: KeychainError.noSuchAttribute("none")) {
            try keychain.count(GenericPassword.self, where: .attribute("none", 1))
        }
    }

    @Test(arguments: [
        Case<CryptographicKey>(.keyClass(.private), "kcls", "1"), Case(.keyType(.rsa), "type", "42"),
        Case(.applicationLabel([1]), "klbl", .data([1])), Case(.applicationTag("T"), "atag", "T"),
        Case(.creator(5), "crtr", 5), Case(.keySizeInBits(256), "bsiz", 256),
        Case(.effectiveKeySize(128), "esiz", 128),
    ]) func `a key matches each condition`(given: Case<CryptographicKey>) throws { try check(given) }
}
