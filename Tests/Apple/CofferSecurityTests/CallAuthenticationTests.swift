import Coffer
import Foundation
import LocalAuthentication
import Security
import KeychainTestSupport
import TestSupport
import Testing

/// What an access control demands, and of whom (`Spec/keychain-behavior.md`, section 15).
@Suite("Calls: access controls demand the user", .ownKeychain) struct CallAuthenticationTests {
    /// An access control, and what reading its item asks.
    struct Demand: Sendable {
        let flags: SecAccessControlCreateFlags
        /// The questions to a host with biometry.
        let asks: [AuthenticationWays]
        /// The questions to a host without; nil if it cannot meet the demand.
        let asksWithoutBiometry: [AuthenticationWays]?

        static let both: AuthenticationWays = [.biometry, .passphrase]

        static let all = [
            Demand(flags: .userPresence, asks: [both], asksWithoutBiometry: [.passphrase]),
            Demand(flags: .biometryAny, asks: [.biometry], asksWithoutBiometry: nil),
            Demand(flags: .biometryCurrentSet, asks: [.biometry], asksWithoutBiometry: nil),
            Demand(flags: .devicePasscode, asks: [.passphrase], asksWithoutBiometry: [.passphrase]),
            Demand(flags: [.biometryAny, .devicePasscode, .or], asks: [both], asksWithoutBiometry: [.passphrase]),
            Demand(
                flags: [.biometryCurrentSet, .devicePasscode, .or],
                asks: [both],
                asksWithoutBiometry: [.passphrase]
            ),
            Demand(
                flags: [.biometryAny, .devicePasscode, .and],
                asks: [.biometry, .passphrase],
                asksWithoutBiometry: nil
            ),
            // Without a word between them, all conditions must be met.
            Demand(flags: [.biometryAny, .devicePasscode], asks: [.biometry, .passphrase], asksWithoutBiometry: nil),
            Demand(flags: [.companion, .devicePasscode, .or], asks: [.passphrase], asksWithoutBiometry: [.passphrase]),
            Demand(flags: [.userPresence, .privateKeyUsage], asks: [both], asksWithoutBiometry: [.passphrase]),
        ]

        /// Those that a password can have.
        static let ofPasswords = all.filter { !$0.flags.contains(.privateKeyUsage) }

        var control: SecAccessControl? {
            SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, flags, nil)
        }
    }

    private static let enrolled: [UInt8] = [1, 2, 3]

    /// A host with biometry that gives these answers.
    private func host(_ answers: LAHost.Answer...) -> ScriptedHost {
        switch answers.count {
        case 0: ScriptedHost(biometryType: .touchID, enrolled: Self.enrolled)
        case 1: ScriptedHost(answers[0], biometryType: .touchID, enrolled: Self.enrolled)
        default: ScriptedHost(answers[0], answers[1], biometryType: .touchID, enrolled: Self.enrolled)
        }
    }

    /// Stores a password with the data "x" and an access control.
    private func add(_ demand: Demand, account: String = "kim") throws {
        let control = try #require(demand.control)
        let status = host().run {
            Call.add(.genp(account, [kSecAttrAccessControl: control, kSecValueData: Data("x")]))
        }
        try #require(status == 0)
    }

    // MARK: - Who is asked for what

    @Test(arguments: Demand.ofPasswords) func `the host is asked for what the flags demand`(demand: Demand) throws {
        try add(demand)
        let host = host(.success, .success)
        #expect(try host.run { try Call.text(.genp()) } == "x")
        #expect(host.requests == demand.asks.map { .user($0) })
    }

    @Test(arguments: Demand.ofPasswords) func `a host without biometry is asked for what it can do`(demand: Demand)
        throws
    {
        try add(demand)
        let host = ScriptedHost(.success, .success)
        let status = host.run { Call.find(.genp()) }
        #expect(status == (demand.asksWithoutBiometry == nil ? -25293 : 0))
        #expect(host.requests == (demand.asksWithoutBiometry ?? []).map { .user($0) })
    }

    @Test(arguments: Demand.ofPasswords) func `without a host such an item cannot be used`(demand: Demand) throws {
        try add(demand)
        LAHost.with(nil) {
            // Whether other biometry is enrolled can be told without asking.
            let isLost = demand.flags.contains(.biometryCurrentSet) && !demand.flags.contains(.or)
            #expect(Call.find(.genp([kSecReturnData: true])) == (isLost ? -25293 : -25308))
        }
    }

    @Test(arguments: Demand.ofPasswords) func `a user who cancels ends the call`(demand: Demand) throws {
        try add(demand)
        let host = host(.failure(.userCancel))
        host.run { #expect(Call.find(.genp([kSecReturnData: true])) == -128) }
        #expect(host.requests.count == 1)
    }

    @Test(arguments: Demand.ofPasswords) func `a user who fails does not get the item`(demand: Demand) throws {
        try add(demand)
        host(.failure(.authenticationFailed)).run {
            #expect(Call.find(.genp([kSecReturnData: true])) == -25293)
        }
    }

    @Test func `a failure of one of two conditions fails the call`() throws {
        try add(Demand(flags: [.biometryAny, .devicePasscode, .and], asks: [], asksWithoutBiometry: nil))
        host(.success, .failure(.userCancel)).run { #expect(Call.find(.genp()) == -128) }
    }

    @Test func `no host can ask for a paired device`() throws {
        try add(Demand(flags: .companion, asks: [], asksWithoutBiometry: nil))
        host(.success).run { #expect(Call.find(.genp()) == -25293) }
    }

    @Test(arguments: [[], .or, .and] as [SecAccessControlCreateFlags])
    func `flags without a condition demand nothing`(flags: SecAccessControlCreateFlags) throws {
        try add(Demand(flags: flags, asks: [], asksWithoutBiometry: nil))
        #expect(try LAHost.with(nil) { try Call.text(.genp()) } == "x")
    }

    // MARK: - Which calls ask

    private let presence = Demand(flags: .userPresence, asks: [], asksWithoutBiometry: nil)

    @Test(arguments: ["", "r_Data", "r_Attributes", "r_PersistentRef", "r_Ref"], ["m_LimitOne", "m_LimitAll"])
    func `reading asks, whatever is returned`(returned: String, limit: String) throws {
        try add(presence)
        var query: [CFString: Any] = .genp([kSecMatchLimit: limit])
        if !returned.isEmpty { query[returned as CFString] = true }
        LAHost.with(nil) { #expect(Call.find(query) == -25308) }
        let host = host(.success)
        host.run { #expect(Call.find(query) == 0) }
        #expect(host.requests.count == 1)
    }

    @Test func `a query that does not match the item does not ask`() throws {
        try add(presence)
        LAHost.with(nil) {
            #expect(Call.find(.genp("lee")) == -25300)
            #expect(Call.find(.genp([kSecAttrLabel: "other"])) == -25300)
        }
    }

    @Test func `a query whose limit is reached before the item does not ask`() throws {
        #expect(Call.add(.genp("ann")) == 0)
        try add(presence)
        LAHost.with(nil) {
            #expect(Call.find(.genp()) == 0)
            #expect(Call.find(.genp([kSecMatchLimit: kSecMatchLimitAll])) == -25308)
        }
    }

    @Test func `one question suffices for all items of a call`() throws {
        for account in ["kim", "lee", "ann"] { try add(presence, account: account) }
        let host = host(.success)
        let query: [CFString: Any] = .genp([kSecMatchLimit: kSecMatchLimitAll, kSecReturnData: true])
        #expect(try host.run { try Call.found(query) as? [Data] }?.count == 3)
        #expect(host.requests.count == 1)
    }

    @Test func `an update asks`() throws {
        try add(presence)
        LAHost.with(nil) { #expect(Call.update(.genp(), [kSecAttrLabel: "new"]) == -25308) }
        host(.failure(.userCancel)).run { #expect(Call.update(.genp(), [kSecAttrLabel: "new"]) == -128) }
        host(.success).run { #expect(Call.update(.genp(), [kSecAttrLabel: "new"]) == 0) }
        let attributes = try host(.success).run { try Call.attributes(.genp()) }
        #expect(attributes["labl"] as? String == "new")
        #expect(attributes["accc"] as? SecAccessControl == presence.control)
    }

    @Test func `a deletion does not ask`() throws {
        try add(presence)
        LAHost.with(nil) { #expect(Call.delete(.genp("kim")) == 0) }
        #expect(Call.find(.genp()) == -25300)
    }

    @Test func `an addition does not ask, nor a duplicate of it`() throws {
        try add(presence)
        LAHost.with(nil) { #expect(Call.add(.genp("kim")) == -25299) }
    }

    @Test func `an update to another protection removes the conditions`() throws {
        try add(presence)
        host(.success).run { #expect(Call.update(.genp(), [kSecAttrAccessible: "ck"]) == 0) }
        #expect(try LAHost.with(nil) { try Call.text(.genp()) } == "x")
    }

    @Test func `an update can add conditions`() throws {
        #expect(Call.add(.genp([kSecValueData: Data("x")])) == 0)
        let control = try #require(presence.control)
        #expect(LAHost.with(nil) { Call.update(.genp(), [kSecAttrAccessControl: control]) } == 0)
        LAHost.with(nil) { #expect(Call.find(.genp()) == -25308) }
    }

    // MARK: - The enrolled biometry

    @Test func `biometry that was enrolled later does not count`() throws {
        try add(Demand(flags: .biometryCurrentSet, asks: [], asksWithoutBiometry: nil))
        let other = ScriptedHost(.success, biometryType: .touchID, enrolled: [9])
        other.run { #expect(Call.find(.genp()) == -25293) }
        #expect(other.requests == [])
    }

    @Test func `biometry that was enrolled later leaves the other way`() throws {
        try add(Demand(flags: [.biometryCurrentSet, .devicePasscode, .or], asks: [], asksWithoutBiometry: nil))
        let other = ScriptedHost(.success, biometryType: .touchID, enrolled: [9])
        other.run { #expect(Call.find(.genp()) == 0) }
        #expect(other.requests == [.user(.passphrase)])
    }

    @Test func `without enrolled biometry no item can be bound to it`() throws {
        let control = try #require(SecAccessControlCreateWithFlags(nil, "ak" as CFString, .biometryCurrentSet, nil))
        ScriptedHost(biometryType: .touchID).run {
            #expect(Call.add(.genp([kSecAttrAccessControl: control])) == -25293)
        }
        #expect(Call.find(.genp()) == -25300)
    }

    @Test func `other changes keep what was enrolled`() throws {
        try add(Demand(flags: .biometryCurrentSet, asks: [], asksWithoutBiometry: nil))
        host(.success).run { #expect(Call.update(.genp(), [kSecAttrLabel: "new"]) == 0) }
        host(.success).run { #expect(Call.find(.genp()) == 0) }
    }

    // MARK: - How a call asks

    @Test func `a call can forbid asking`() throws {
        try add(presence)
        let host = host(.success)
        host.run {
            #expect(Call.find(.genp([kSecUseAuthenticationUI: kSecUseAuthenticationUIFail])) == -25308)
            #expect(Call.find(.genp([kSecUseNoAuthenticationUI: true])) == -25308)
            #expect(Call.update(.genp([kSecUseNoAuthenticationUI: true]), [kSecAttrLabel: "new"]) == -25308)
        }
        #expect(host.requests == [])
        host.run { #expect(Call.find(.genp([kSecUseNoAuthenticationUI: false])) == 0) }
    }

    @Test func `a query can leave such items out`() throws {
        try add(presence)
        let skip: [CFString: Any] = [kSecUseAuthenticationUI: kSecUseAuthenticationUISkip]
        let host = host(.success)
        #expect(host.run { Call.find(.genp(skip)) } == -25300)
        #expect(Call.add(.genp("lee")) == 0)
        #expect(try host.run { try Call.attributes(.genp(skip)) }["acct"] as? String == "lee")
        #expect(host.requests == [])
    }

    @Test func `the prompt shows the reason of the call`() throws {
        try add(presence)
        let host = host(.success)
        host.run { #expect(Call.find(.genp([kSecUseOperationPrompt: "to sign in"])) == 0) }
        #expect(host.lastPrompt?.localizedReason == "to sign in")
    }

    @Test func `a change that fails to authenticate changes nothing`() throws {
        #expect(Call.add(.genp("ann")) == 0)
        try add(presence)
        LAHost.with(nil) { #expect(Call.update(.genp(), [kSecAttrLabel: "new"]) == -25308) }
        #expect(try Call.attributes(.genp("ann"))["labl"] == nil)
    }
}
