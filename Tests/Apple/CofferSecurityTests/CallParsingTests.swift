import Foundation
import Security
import Testing

/// The keys of a dictionary, in any call (`Spec/keychain-behavior.md`, sections 1 and 10).
@Suite("Calls: keys of a dictionary", .ownKeychain) struct CallParsingTests {
    // MARK: - The table of keys

    @Test(arguments: ["abcd", "volm", "addr", "afps", "crlt", "crle", "salt", "spwd", "ACCT", "v_Re", "m_Li", "1234"])
    func `a key of four characters that is not an attribute: errSecNoSuchAttr`(key: String) {
        #expect(Call.all(.genp([key as CFString: "x"])) == .four(-25303))
    }

    @Test(arguments: ["clas", "classes", "cla", "class ", "c", "certdata", "certtkid"])
    func `a key that begins with c but is not the class: errSecParam`(key: String) {
        let status: OSStatus = key == "clas" ? -25303 : -50
        #expect(Call.all(.genp([key as CFString: "genp"])) == .four(status))
    }

    @Test(arguments: ["m_Whatever", "mm", "m_CaseInsensitive", "monkey"])
    func `a key that begins with m is a condition, and ignored if unknown`(key: String) {
        #expect(Call.add(.genp()) == 0)
        #expect(Call.find(.genp([key as CFString: "x"])) == 0)
    }

    @Test(arguments: ["rowid", "r_Dat", "r_Everything", "rounds", "r_", "rr"])
    func `a key that begins with r but is not a return key: errSecParam`(key: String) {
        #expect(Call.all(.genp([key as CFString: true])) == .four(-50))
    }

    @Test(arguments: ["u_Keychain", "u_CertWithIssuers", "u_", "unknown", "u_ItemLis"])
    func `a key that begins with u but is not a use key: errSecParam`(key: String) {
        #expect(Call.all(.genp([key as CFString: true])) == .four(-50))
    }

    @Test(arguments: ["v_Value", "v_", "v_data", "volume", "v_DataRef"])
    func `a key that begins with v but is not data or a reference: errSecParam`(key: String) {
        #expect(Call.all(.genp([key as CFString: Data("x")])) == .four(-50))
    }

    @Test(arguments: ["f_ckkscallback", "f_", "fnord", "ff"])
    func `a key that begins with f is ignored, whatever its value`(key: String) throws {
        #expect(Call.all(.genp([key as CFString: Date()])) == .four(0))
    }

    @Test(arguments: ["account", "label", "persistref", "x_Data", "prf", "1", "é", "Class", "_", "名前です"])
    func `a key that begins with another letter: errSecParam`(key: String) {
        let status: OSStatus = key == "名前です" ? -25303 : -50
        #expect(Call.all(.genp([key as CFString: "x"])) == .four(status))
    }

    @Test(arguments: ["", "a", "c", "m", "r", "u", "v", "f"])
    func `a key of fewer than two characters: errSecParam`(key: String) {
        #expect(Call.all(.genp([key as CFString: true])) == .four(-50))
    }

    @Test(arguments: [1, 0, -1, 1.5] as [CallValue])
    func `a key that is a number: errSecNoSuchAttr`(key: CallValue) throws {
        let number = try #require(key.object as? NSNumber)
        let dictionary: NSDictionary = [kSecClass: kSecClassGenericPassword, number: "x"]
        #expect(Call.all(dictionary) == .four(-25303))
    }

    @Test(arguments: [.date(0), .data("acct"), .null, .url] as [CallValue])
    func `a key that is neither a string nor a number: errSecParam`(key: CallValue) throws {
        let object = try #require(key.object as AnyObject as? NSObject)
        let dictionary: NSDictionary = [kSecClass: kSecClassGenericPassword, object: "x"]
        #expect(Call.all(dictionary) == .four(-50))
    }

    @Test(arguments: ["clip", "data", "v_pk"])
    func `internal attributes of the keychain: errSecParam`(name: String) {
        #expect(Call.all(.genp([name as CFString: Data("x")])) == .four(-50))
    }

    @Test(arguments: [true, false, "no", 7, .null, .array] as [CallValue])
    func `the key that selects a macOS keychain is ignored, whatever its value`(value: CallValue) {
        #expect(Call.all(.genp([kSecUseDataProtectionKeychain: value.object])) == .four(0))
    }

    @Test(arguments: ["maybe", .data("x"), .null, 0.5] as [CallValue])
    func `the key for deletion marks must be a number: errSecParam`(value: CallValue) {
        #expect(Call.all(.genp(["u_Tomb": value.object])) == .four(-50))
    }

    @Test(arguments: [true, 0, "1"] as [CallValue])
    func `a deletion leaves no mark, whatever the key for deletion marks says`(value: CallValue) {
        #expect(Call.all(.genp(["u_Tomb": value.object])) == .four(0))
        #expect(Call.find(.genp(["tomb": true])) == -25300)
    }

    // MARK: - Returns

    @Test(
        arguments: [kSecReturnData, kSecReturnAttributes, kSecReturnRef, kSecReturnPersistentRef].map(String.init),
        [1, 0, "true", .null, .data("x"), 1.5] as [CallValue]
    )
    func `a return key whose value is not a boolean: errSecParam`(key: String, value: CallValue) {
        #expect(Call.all(.genp([key as CFString: value.object])) == .four(-50))
    }

    @Test(arguments: [kSecReturnData, kSecReturnAttributes, kSecReturnRef, kSecReturnPersistentRef].map(String.init))
    func `a return key whose value is an Int8: errSecParam`(key: String) {
        for value in [Int8(1), 0, 5] { #expect(Call.all(.genp([key as CFString: value])) == .four(-50)) }
    }

    @Test func `Core Foundation booleans are accepted`() throws {
        #expect(Call.add(.genp([kSecValueData: Data("x"), kSecReturnData: kCFBooleanFalse as Any])) == 0)
        #expect(try Call.found(.genp([kSecReturnData: kCFBooleanTrue as Any])) as? Data == Data("x"))
    }

    // MARK: - The class

    @Test func `a missing class: errSecParam`() {
        #expect(Call.all([:]) == .four(-50))
        #expect(Call.all([kSecAttrAccount: "kim"]) == .four(-50))
    }

    @Test(arguments: [1, true, .data("genp"), .null, .date(0)] + CallValue.others)
    func `a class that is not a string: errSecParam`(value: CallValue) {
        #expect(Call.all([kSecClass: value.object]) == .four(-50))
    }

    @Test(arguments: ["apls", "", "GENP", "genp ", "passwords", "kSecClassGenericPassword"])
    func `an unknown class: errSecNoSuchClass`(name: String) {
        #expect(Call.all([kSecClass: name]) == .four(-25306))
    }

    @Test func `a class other than that of the persistent reference: errSecNoSuchClass`() throws {
        #expect(Call.add(.genp([kSecValueData: Data("x")])) == 0)
        let reference: [CFString: Any] = [kSecValuePersistentRef: try Call.reference(.genp())]
        #expect(try Call.text(reference) == "x")
        #expect(try Call.text(reference.with(.genp())) == "x")
        #expect(Call.all(reference.with(.inet())) == .four(-25306))
    }

    // MARK: - Attributes

    @Test(arguments: [
        ("inet", ["svce", "gena", "afps"]), ("genp", ["sdmn", "srvr", "ptcl", "atyp", "port", "path", "binn"]),
        ("cert", ["atag", "acct", "desc", "icmt", "invi", "type", "crtr", "kcls", "crlt", "crle"]),
        ("keys", ["desc", "icmt", "invi", "acct", "svce", "subj", "ctyp", "salt"]), ("idnt", ["acct", "svce", "desc"]),
    ])
    func `an attribute of another class: errSecNoSuchAttr`(itemClass: String, names: [String]) {
        for name in names {
            #expect(Call.all([kSecClass: itemClass, name as CFString: "x"]) == .four(-25303), "\(name)")
        }
    }

    @Test(arguments: [
        ("inet", "sysb"), ("inet", "dspk"), ("inet", "pcss"), ("inet", "pcsk"), ("inet", "pcsi"), ("inet", "ggrp"),
        ("inet", "binn"), ("inet", "bini"), ("inet", "bin0"), ("inet", "bin1"), ("inet", "bin2"), ("inet", "bin3"),
        ("genp", "u_SystemKeychain"), ("genp", "u_SystemKeychainAlways"), ("genp", "u_SyncBubbleKeychain"),
    ])
    func `keys reserved for Apple's systems: errSecMissingEntitlement`(itemClass: String, name: String) {
        #expect(Call.all([kSecClass: itemClass, name as CFString: 1]) == .four(-34018))
    }

    @Test func `more than 128 keys, including the attributes of the class: errSecParam`() {
        func query(_ count: Int) -> [CFString: Any] {
            (0..<count).reduce(into: .genp()) { $0["f_key \($1)" as CFString] = true }
        }
        #expect(Call.all(query(128)) == .four(-50))
        #expect(Call.all(query(60)) == .four(0))
    }
}
