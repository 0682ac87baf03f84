import Coffer
import CofferBasics
import Foundation
import TestSupport
import Testing
import VaultCrypto
import VaultFiles
import VaultFormat
import VaultStore

/// What somebody can do who has the keys of a grant, and uses them without our code's consent.
@Suite("Holder of a grant", .temporaryDirectory) struct GrantHolderTests {
    private let owner: VaultSample
    private let vault: Vault
    private let grant: GrantPayload
    private let opening: VaultOpening
    private let team: [UInt8]
    /// The records of the vault's log: a put of `web`, then a put of `private`.
    private let frames: [Frame]
    private let position: LogPosition

    init() throws {
        owner = try VaultSample()
        vault = try owner.created(VaultProtection(passphrase: Passphrase("right")))
        let credential = try vault.issueGrant(named: "web server", for: ["web"])
        for group in ["web", "private"] {
            let item = GenericPassword(service: "service of \(group)", account: "kim")
            try vault.keychain(for: AccessGroups(application: group)).add(item, secret: "secret of \(group)")
        }
        let file: CredentialFile = try credential.withBytes { (bytes) throws(KeyFileError) in
            try CredentialFile(parsing: bytes)
        }
        let source = MemorySource([UInt8](try Data(contentsOf: URL(filePath: vault.path))))
        let prelude = try VaultPrelude(of: source)
        let roots = try prelude.roots(file, now: Time(microseconds: 0))
        opening = try VaultOpening(prelude, roots: roots, random: SystemRandom())
        let bodies = prelude.keybag.entries.compactMap { if case .grant(let body) = $0 { body } else { nil } }
        let body = try #require(bodies.first)
        grant = try Grant(parsing: body.span).opened(with: file)
        team = file.team
        var log = opening.log(in: source)
        var frames: [Frame] = []
        while let frame = try log.next() { frames.append(frame) }
        (self.frames, position) = (frames, log.position)
    }

    private var puts: [Put] {
        frames.flatMap(\.records).compactMap { if case .put(let put) = $0 { put } else { nil } }
    }

    /// The put of the group that was not granted.
    private var foreign: Put {
        get throws { try #require(puts.first { opening.keyring.dataKeyEntries[$0.dataKey]?.group != web.group }) }
    }

    private var web: GrantPayload.Group { grant.groups[0] }

    private var cipher: Cipher { opening.keys.cipher }

    private var match: MatchKeys {
        get throws { try MatchKeys(web.matchKey, cipher: cipher) }
    }

    /// Appends a transaction to the file, as anyone with the structure key can.
    private func append(_ records: [Record]) throws {
        var writer = LogWriter(continuing: position, keys: opening.keys)
        let frame = try writer.frame(records, time: Time(microseconds: 1))
        var bytes = try Data(contentsOf: URL(filePath: vault.path))
        bytes.replaceSubrange(
            position.offset..<max(position.offset, min(bytes.count, writer.position.offset)),
            with: frame
        )
        try bytes.write(to: URL(filePath: vault.path))
    }

    /// Throws unless the owner still finds the item of the other group, and nothing else there.
    private func checkOwner(invalidRecords: Int) throws {
        let reopened = try owner.opened(with: .passphrase("right"))
        let keychain = reopened.keychain(for: AccessGroups(application: "private"))
        #expect(try keychain.items(GenericPassword.self).count == 1)
        #expect(try keychain.secretText(GenericPassword.self) == "secret of private")
        let report = try reopened.store.verify()
        #expect(report.invalidRecordCount == invalidRecords)
        #expect(report.tail == .clean)
    }

    @Test func `no key of the grant reads or names an item of another group`() throws {
        let put = try foreign
        #expect(opening.keyring.groupNames.values.map { String(decoding: $0, as: UTF8.self) } == ["web"])
        #expect(opening.keyring.dataKeys[put.dataKey] == nil)
        let match = try match
        #expect(throws: Fault(.notAuthentic)) { try put.openedMatch(keys: match) }
        let keys = [grant.structureKey, web.matchKey] + web.dataKeys.map(\.key)
        for key in keys {
            let data = try DataKeys(key, cipher: cipher)
            let other = try MatchKeys(key, cipher: cipher)
            #expect(throws: Fault(.notAuthentic)) { try put.openedMetadata(keys: data) }
            #expect(throws: Fault(.notAuthentic)) { try put.openedMatch(keys: other) }
            var secret = put.secret
            #expect(throws: Fault(.notAuthentic)) {
                var span = secret.mutableSpan
                _ = try SecretBox.open(&span, of: put.revision, keys: data)
            }
        }
        // What the structure key opens shows no name and no attribute.
        let bytes = [put.match, put.metadata, put.secret].joined()
        for text in ["private", "service of", "kim"] { #expect(!Data(bytes).contains(Data(text.utf8))) }
        let names = try VaultPrelude(of: MemorySource([UInt8](Data(contentsOf: URL(filePath: vault.path))))).keybag
            .entries
        for case .groupName(let entry) in names where entry.group != web.group {
            #expect(throws: Fault(.notAuthentic)) { try entry.name(matchKey: web.matchKey, vault: cipher.vault) }
        }
    }

    @Test func `a put that is forged for another group does not count`() throws {
        let foreign = try foreign
        let key = try #require(web.dataKeys.first)
        let data = try DataKeys(key.key, cipher: cipher)
        let own = try #require(puts.first { $0.dataKey != foreign.dataKey })
        let handle = own.dataKey
        let ownData = try DataKeys(try #require(web.dataKeys.first { $0.handle == handle }).key, cipher: cipher)
        let attributes = try own.openedMetadata(keys: ownData)
            .attributes(of: .genericPassword)
        for number in [foreign.revision.number + 1, 1] {
            let item = number == 1 ? Revision(newItemWith: try SystemRandom()) : foreign.revision
            let revision = Revision(item: item.item, number: number, salt: 77)
            let origin = Origin(writer: foreign.provenance.origin.writer, place: 1 << 40)
            let (put, _) = try Put.sealing(
                revision,
                provenance: Provenance(origin: origin, previousPlace: 0, replacedSalt: foreign.revision.salt),
                order: 1,
                written: Time(microseconds: 0),
                attributes: attributes,
                secret: Put.sealedSecret(Array("forged".utf8).span, of: revision, keys: data),
                handle: foreign.dataKey,
                keys: (match: match, data: data)
            )
            try append([.put(put)])
            try checkOwner(invalidRecords: 1)
        }
    }

    @Test func `a delete that is forged for another group does not count`() throws {
        let foreign = try foreign
        let entries = frames.flatMap(\.records).compactMap { record in
            if case .key(.dataKey(let entry)) = record { entry } else { nil }
        }
        let group = try #require(entries.first { $0.handle == foreign.dataKey }).group
        let delete = Delete(ending: foreign.revision, group: group, keys: try match)
        try append([.delete(delete)])
        try checkOwner(invalidRecords: 1)
    }

    @Test func `a put of another group that is repeated does not count again`() throws {
        let keychain = vault.keychain(for: AccessGroups(application: "private"))
        try append([.put(try foreign)])
        try checkOwner(invalidRecords: 1)
        #expect(try keychain.items(GenericPassword.self).count == 1)
    }

    @Test func `a file that the holder makes opens for nobody`() throws {
        let source = MemorySource([UInt8](try Data(contentsOf: URL(filePath: vault.path))))
        let prelude = try VaultPrelude(of: source)
        var identity = GenerationIdentity.new
        identity.generation = prelude.header.generation + 1
        identity.baseSequence = position.sequence
        identity.previousChain = position.chain
        let key = try SystemRandom().key()
        var writer = try GenerationWriter(
            identity,
            prelude.keybag,
            sectionCount: 0,
            structureKey: grant.structureKey,
            ownerKey: key,
            teamSecret: key,
            cipher: cipher,
            to: MemorySink()
        )
        _ = writer.finish()
        try Data(writer.sink.bytes).write(to: URL(filePath: vault.path))
        let problem = try owner.problem(with: .passphrase("right"))
        #expect(problem.kind == .damaged)
        #expect(problem.description.contains("header"))
    }

    @Test func `a file that is taken back is noticed by the anchor`() throws {
        var bytes = try Data(contentsOf: URL(filePath: vault.path))
        // Back to before the item of the other group: the log ends with a frame that is there.
        let before = try #require(frames.count > 1 ? frames.dropLast() : nil)
        #expect(!before.isEmpty)
        let source = MemorySource([UInt8](bytes))
        var log = opening.log(in: source)
        for _ in before { _ = try log.next() }
        bytes.resetBytes(in: log.position.offset..<bytes.count)
        try bytes.write(to: URL(filePath: vault.path))
        let problem = try owner.problem(with: .passphrase("right"))
        #expect(problem.kind == .rolledBack)
    }
}
