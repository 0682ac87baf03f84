import CofferBasics
import Foundation
import KeyedArchive
import TestSupport
import Testing
import VaultFiles
import VaultFormat
import VaultStore

/// A vault with an index of its log, and readers of it.
struct IndexSample {
    static let groups = [StoreSample.group, Array("com.example.other".utf8)]
    static let services = ["mail", "chat", "shop"]
    private static let accounts = (0..<24).map { "account \($0)" }

    let sample: StoreSample
    let directory: String
    let time = ManualTime()
    private let options: StoreOptions
    /// All items that were ever added.
    private(set) var names: [ItemName] = []

    /// With `waits`, the clock is that of the machine, so that threads wait for one another.
    init(indexInterval: Int, waits: Bool = false, _ change: (inout StoreOptions) -> Void = { _ in }) throws {
        directory = try TemporaryDirectory.current.appending(path: "state/coffer").path
        var options = StoreOptions()
        options.anchorDirectory = directory
        options.dueCompaction = .never
        options.indexInterval = indexInterval
        change(&options)
        self.options = options
        let path = try TemporaryDirectory.current.appending(path: "vault.coffer").path
        sample = try StoreSample(at: path, time: waits ? MachineTime() : time, options: options)
    }

    var store: VaultStore { sample.store }

    /// A store that another process would have.
    func reader(_ change: (inout StoreOptions) -> Void = { _ in }) throws -> VaultStore {
        var options = options
        options.mayWrite = false
        change(&options)
        return try sample.reopened(options: options)
    }

    /// A store that another process would have without the directory of indexes.
    func readerWithoutIndex() throws -> VaultStore { try reader { $0.anchorDirectory = nil } }

    /// A store that reads the whole log, and compares it with the anchor.
    func readerWithoutIndexButAnchor() throws -> VaultStore {
        for file in indexFiles { try FileManager.default.removeItem(at: file) }
        return try reader()
    }

    var indexFiles: [URL] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        return names.filter { $0.contains("index") }.sorted().map { URL(filePath: directory).appending(path: $0) }
    }

    /// Makes a few random changes, each of which is a transaction.
    mutating func change(_ generator: inout SeededGenerator, transactions count: Int) throws {
        for _ in 0..<count {
            time.advance(nanoseconds: 1_000_000_000)
            let changeCount = Int.random(in: 1...4, using: &generator)
            var random = generator
            names += try store.transaction { transaction in
                var added: [ItemName] = []
                for _ in 0..<changeCount { try transaction.change(&random, accounts: Self.accounts, &added) }
                return added
            }
            generator = random
        }
    }

    /// Everything that a reader can see of the items.
    func sight(_ store: VaultStore) throws -> [String] {
        let lines = try store.read { vault in try sight(&vault) }
        return lines
    }

    private func sight(_ vault: inout OpenGeneration) throws -> [String] {
        var lines = ["\(vault.itemCount) items, changed \(vault.lastChangeTime?.microseconds ?? 0)"]
        for name in names {
            guard let item = try vault.item(name) else {
                lines.append("\(name.item): none")
                continue
            }
            lines.append(try line(item, &vault))
        }
        for groupName in Self.groups {
            guard let group = vault.keyring.group(named: groupName)?.group else { continue }
            lines.append("flags \(try vault.flags(of: group).rawValue)")
            for item in try vault.items(in: group) { lines.append(try line(item, &vault)) }
            for service in Self.services {
                for account in Self.accounts + ["nobody"] {
                    let found = try vault.items(withPrimaryKeyOf: try loginAttributes(account, service), in: group)
                    for item in found { lines.append(try line(item, &vault)) }
                }
                let value = Array(service.utf8)
                let found = try vault.items(of: .genericPassword, in: group, having: [("svce", value)])
                for item in found { lines.append(try line(item, &vault)) }
            }
        }
        return lines
    }

    private func line(_ item: StoredItem, _ vault: inout OpenGeneration) throws -> String {
        let found =
            "\(item.name.item) \(item.revision.number) \(item.revision.salt) \(item.order) \(item.dataKey) "
            + "\(item.protection) \(item.hasData) \(item.presence) \(item.written)"
        guard item.presence == .readable else { return found }
        let attributes = try vault.attributes(of: item)
        let values = ["acct", "svce", "labl"].map { attributes[$0]?.string ?? "-" }
        return "\(found) \(values) \(try vault.secret(of: item).text ?? "no data")"
    }
}

extension Transaction {
    /// Adds, updates or deletes an item at random.
    fileprivate mutating func change(
        _ generator: inout SeededGenerator,
        accounts: [String],
        _ added: inout [ItemName]
    ) throws {
        let group = IndexSample.groups[Int.random(in: 0...1, using: &generator)]
        let account = accounts[Int.random(in: accounts.indices, using: &generator)]
        let service = IndexSample.services[Int.random(in: IndexSample.services.indices, using: &generator)]
        let secret = Bool.random(using: &generator) ? "\(UInt64.random(in: 0 ... .max, using: &generator))" : nil
        let attributes = try loginAttributes(account, service)
        var item: StoredItem?
        if let id = vault.keyring.group(named: group)?.group {
            item = try vault.items(withPrimaryKeyOf: attributes, in: id).first
        }
        guard let item else {
            let protection: ProtectionClass = Bool.random(using: &generator) ? .whenUnlocked : .always
            return added.append(try addLogin(account, service, secret, group: group, protection: protection))
        }
        guard Bool.random(using: &generator) else { return try delete(item) }
        let label = try loginAttributes(account, service, label: secret)
        let bytes = Array((secret ?? "").utf8)
        try update(item, attributes: label, secret: secret == nil ? .remove : .replace(bytes.span))
    }
}

@Suite("The index of a long log", .temporaryDirectory) struct IndexTests {
    /// A vault whose index is up to date, and what is to be seen of it.
    private func sample(waits: Bool = false) throws -> (IndexSample, sight: [String]) {
        var generator = SeededGenerator(seed: 1)
        var sample = try IndexSample(indexInterval: 1, waits: waits)
        try sample.change(&generator, transactions: 10)
        try sample.store.compact()
        try sample.change(&generator, transactions: 40)
        return (sample, try sample.sight(sample.readerWithoutIndex()))
    }

    private func isIndexed(_ store: VaultStore) throws -> Bool { try store.read { vault in vault.isIndexed } }

    @Test(arguments: 1...UInt64(Trials.count(4, whole: 8)))
    func `a reader with it sees what one without it sees`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var sample = try IndexSample(indexInterval: Int.random(in: 1...9, using: &generator))
        let early = try sample.reader()
        var indexedCount = 0
        for round in 0..<16 {
            try sample.change(&generator, transactions: Int.random(in: 1...6, using: &generator))
            if round == 8 { try sample.store.compact() }
            let expected = try sample.sight(sample.readerWithoutIndex())
            let reader = try sample.reader()
            if try isIndexed(reader) { indexedCount += 1 }
            #expect(try sample.sight(reader) == expected)
            #expect(try sample.sight(early) == expected)
            #expect(try sample.sight(sample.store) == expected)
        }
        #expect(indexedCount > 8)
    }

    @Test func `its two parts continue each other`() throws {
        var generator = SeededGenerator(seed: 1)
        var sample = try IndexSample(indexInterval: 40)
        try sample.change(&generator, transactions: 20)
        try sample.store.compact()
        var names: Set<[String]> = []
        for _ in 0..<6 {
            try sample.change(&generator, transactions: 80)
            names.insert(sample.indexFiles.map { String($0.lastPathComponent.suffix(6)) })
            let reader = try sample.reader()
            #expect(try isIndexed(reader))
            #expect(try sample.sight(reader) == sample.sight(sample.readerWithoutIndex()))
        }
        #expect(names == [["recent"], ["ex-old", "recent"]])
        try FileManager.default.removeItem(at: sample.indexFiles[0])
        let reader = try sample.reader()
        #expect(try !isIndexed(reader), "the recent part alone has a gap before it")
        #expect(try sample.sight(reader) == sample.sight(sample.readerWithoutIndex()))
    }

    // MARK: - Files that do not fit

    @Test func `a damaged one is not believed`() throws {
        let (sample, expected) = try sample()
        let file = try #require(sample.indexFiles.first)
        let bytes = try Data(contentsOf: file)
        for offset in stride(from: 0, to: bytes.count, by: 509) {
            var damaged = bytes
            damaged[offset] ^= 1
            try damaged.write(to: file)
            #expect(try sample.sight(sample.reader()) == expected, "byte \(offset)")
        }
        for count in [0, 3, 64, 200, bytes.count / 2, bytes.count - 1] {
            try bytes.prefix(count).write(to: file)
            #expect(try sample.sight(sample.reader()) == expected, "\(count) bytes")
        }
    }

    @Test func `an older one is used as far as it goes`() throws {
        var (sample, _) = try sample()
        let file = try #require(sample.indexFiles.first)
        let older = try Data(contentsOf: file)
        var generator = SeededGenerator(seed: 2)
        try sample.change(&generator, transactions: 20)
        try older.write(to: file)
        let reader = try sample.reader()
        #expect(try isIndexed(reader))
        #expect(try sample.sight(reader) == sample.sight(sample.readerWithoutIndex()))
    }

    @Test func `that of another copy is not used`() throws {
        var (sample, _) = try sample()
        let bytes = try sample.sample.bytes()
        var generator = SeededGenerator(seed: 2)
        try sample.change(&generator, transactions: 20)
        let file = try #require(sample.indexFiles.first)
        let later = try Data(contentsOf: file)
        try sample.sample.replaceFile(with: bytes)
        // Without its anchor, the older copy is not noticed.
        for name in try FileManager.default.contentsOfDirectory(atPath: sample.directory) {
            try FileManager.default.removeItem(atPath: "\(sample.directory)/\(name)")
        }
        try later.write(to: file)
        let reader = try sample.reader()
        #expect(try !isIndexed(reader))
        #expect(try sample.sight(reader) == sample.sight(sample.readerWithoutIndex()))
    }

    @Test func `one that goes further than the anchor is not used`() throws {
        var (sample, _) = try sample()
        // The one that counts: that of the place.
        let names = try FileManager.default.contentsOfDirectory(atPath: sample.directory)
        let anchor = URL(filePath: sample.directory).appending(path: try #require(names.first { $0.contains(".at-") }))
        let bytes = try Data(contentsOf: anchor)
        var generator = SeededGenerator(seed: 2)
        try sample.change(&generator, transactions: 4)
        try bytes.write(to: anchor)
        let reader = try sample.reader()
        #expect(try !isIndexed(reader), "the chain value of the anchor would not be compared")
        #expect(try sample.sight(reader) == sample.sight(sample.readerWithoutIndex()))
    }

    /// Replaces the head of the index file, as someone with the keys could.
    private func falsify(_ sample: IndexSample, _ change: (inout IndexHead) -> Void) throws {
        let file = try #require(sample.indexFiles.first)
        let bytes = try Array(Data(contentsOf: file))
        let opening = try VaultOpening(
            VaultPrelude(of: try MemorySource(sample.sample.bytes())),
            roots: sample.sample.roots,
            random: sample.sample.environment.random
        )
        let prefixByteCount = IndexHead.byteCount(prefix: bytes.span)
        let headByteCount = try #require(prefixByteCount)
        var head = try IndexHead(
            opening: bytes.span.extracting(..<headByteCount),
            fileByteCount: bytes.count,
            logOffset: opening.header.logOffset,
            keys: opening.keys
        )
        change(&head)
        try Data(head.sealed(keys: opening.keys) + bytes[headByteCount...]).write(to: file)
    }

    @Test(arguments: 1...UInt64(Trials.count(7, whole: 21)))
    func `a false one of someone with the keys does no harm`(seed: UInt64) throws {
        let (sample, _) = try sample()
        var generator = SeededGenerator(seed: seed)
        try falsify(sample) { head in
            let number = Int.random(in: head.sections.indices, using: &generator)
            switch seed % 7 {
            case 0: head.end.offset -= 64 * Int.random(in: 1...200, using: &generator)
            case 1: head.end.chain = ChainValue(bytes: [UInt8](repeating: 1, count: 32))
            case 2: head.end.sequence += UInt64.random(in: 1...9, using: &generator)
            case 3: head.sections[number].fenceByteCount -= 64
            case 4: head.sections[number].count += 1000
            case 5: head.sections.swapAt(0, number)
            default: head.records = []
            }
        }
        // It may hide what it likes from readers, but neither they nor the vault come to harm.
        _ = try? sample.sight(sample.reader())
        let writer = try sample.reader { $0.mayWrite = true }
        try writer.add("more", "mail", "secret")
        #expect(try sample.sight(writer) == sample.sight(sample.readerWithoutIndex()))
    }

    @Test func `frames behind one with a false chain value are not missed`() throws {
        let (sample, _) = try sample()
        try falsify(sample) { $0.end.chain = ChainValue(bytes: [UInt8](repeating: 1, count: 32)) }
        let store = try sample.reader {
            $0.mayWrite = true
            $0.dueIndexing = .never
        }
        try store.add("more", "mail", "secret")
        // The anchor would show it, too.
        let anchor = try store.read { vault in vault.vault.description }
        try FileManager.default.removeItem(atPath: "\(sample.directory)/\(anchor)")
        #expect(try sample.reader().password("more", "mail") == "secret")
    }

    @Test func `it says which flags its items have`() throws {
        let sample = try IndexSample(indexInterval: 1)
        try sample.store.transaction { transaction in
            guard let attributes = try? ItemAttributes(.genericPassword, ["acct": "kim", "sync": .integer(1)]) else {
                throw StoreError.abandoned
            }
            _ = try transaction.add(attributes, secret: nil, group: StoreSample.group, protection: .whenUnlocked)
        }
        let reader = try sample.reader()
        let flags = try reader.read { vault in
            try vault.flags(of: vault.keyring.group(named: StoreSample.group)?.group ?? .none)
        }
        #expect(flags == .synchronizable)
        #expect(try isIndexed(reader))
    }

    @Test func `it says what was seen of a group without items`() throws {
        let sample = try IndexSample(indexInterval: 1)
        try sample.store.add("first", "mail", "secret")
        try sample.store.delete(try #require(try sample.store.item("first", "mail")))
        let reader = try sample.reader()
        // Its place follows those that were seen; one that was not known to be seen would be left out.
        try sample.store.add("second", "mail", "secret")
        #expect(try reader.passwords() == ["second mail secret"])
        #expect(try isIndexed(reader))
    }

    @Test func `a record behind it that does not count makes the whole log count`() throws {
        let (sample, _) = try sample()
        let reader = try sample.reader()
        try sample.sample.append([[.settings(body: [UInt8](repeating: 0, count: 200))]])
        #expect(try sample.sight(reader) == sample.sight(sample.readerWithoutIndex()))
        #expect(try !isIndexed(reader))
    }

    // MARK: - Damage that it hides

    /// Damages the frame of an item that is in the middle of the log, and returns why the vault is read-only then.
    private func damage(_ sample: IndexSample) throws -> (name: ItemName, tail: TailVerdict, reason: ReadOnlyReason) {
        let offset = try sample.store.read { vault in vault.position.offset }
        let name = try sample.store.add("damaged", "mail", "secret")
        for number in 0..<3 { try sample.store.add("later \(number)", "mail", "secret") }
        try sample.sample.overwrite([1, 2, 3], at: offset + 500)
        let tail = try sample.readerWithoutIndex().verify().tail
        guard case .inconsistent(let next, let sequence) = tail else { throw CocoaError(.fileReadCorruptFile) }
        return (name, tail, .inconsistent(offset: next, sequence: sequence))
    }

    @Test func `an item in a damaged frame is an error, and others are found`() throws {
        let (sample, _) = try sample()
        let (name, _, reason) = try damage(sample)
        let error = StoreError.rolledBack(reason, path: sample.sample.path)
        let reader = try sample.reader()
        #expect(try isIndexed(reader))
        let item = try #require(try reader.item("damaged", "mail"))
        #expect(item.name == name)
        #expect(try reader.password("later 1", "mail") == "secret")
        #expect(throws: error) { try reader.text(of: item) }
        // From now on as if it had been opened without the index.
        #expect(throws: error) { try reader.password("later 1", "mail") }
        #expect(throws: error) { try sample.readerWithoutIndexButAnchor() }
    }

    @Test func `a process that writes, compacts or verifies notices a damaged frame first`() throws {
        let (sample, _) = try sample()
        let (_, tail, reason) = try damage(sample)
        let bytes = try sample.sample.bytes()
        let works: [(VaultStore) throws -> Void] = [{ try $0.add("late", "mail", "secret") }, { try $0.compact() }]
        for work in works {
            let store = try sample.reader { $0.mayWrite = true }
            #expect(try isIndexed(store))
            #expect(throws: StoreError.readOnly(reason, path: sample.sample.path)) { try work(store) }
        }
        #expect(try sample.sample.bytes() == bytes)
        let store = try sample.reader()
        #expect(try isIndexed(store))
        #expect(try store.verify().tail == tail)
    }

    // MARK: - What needs the whole log

    @Test func `history, space, changes and verification are as without it`() throws {
        let (sample, expected) = try sample()
        let name = try #require(sample.names.last)
        let plain = try sample.readerWithoutIndex()
        func compare<Value: Equatable>(_ value: (VaultStore) throws -> Value) throws {
            let reader = try sample.reader()
            #expect(try isIndexed(reader))
            #expect(try value(reader) == value(plain))
            #expect(try sample.sight(reader) == expected)
        }
        try compare { try $0.spaceReport() }
        try compare { store in
            try store.read { vault in try vault.revisions(of: name).map(\.revision) }
        }
        try compare { store in
            try store.read { vault in try vault.goneItems(of: name.group).map(\.name) }
        }
        try compare { try $0.verify().damages.count }
        sample.time.advance(nanoseconds: 25 * 3600 * 1_000_000_000)
        try compare { store in
            let reason = try #require(try store.compactionReason())
            guard case .oldGarbage = reason else { throw CocoaError(.fileReadCorruptFile) }
            return reason
        }
        try compare { try $0.read { vault in vault.verifiedKeybag } }
    }

    @Test func `a change is seen by a process that waits`() throws {
        let (sample, _) = try sample(waits: true)
        let reader = try sample.reader()
        let watch = try reader.watch()
        let name = try sample.store.add("new", "mail", "secret")
        #expect(try watch.next(timeout: .seconds(10)) == .items([name]))
        // Opened again, it has an index that goes further than what was reported.
        let other = try sample.store.add("other", "mail", "secret")
        let roots = sample.sample.roots
        try reader.unlock { _ in roots }
        #expect(try watch.next(timeout: .seconds(10)) == .items([other]))
    }

    @Test func `locked items are locked, not absent`() throws {
        let (sample, _) = try sample()
        try sample.store.add("locked", "mail", "secret")
        let reader = try sample.reader()
        #expect(try isIndexed(reader))
        reader.lock()
        let item = try #require(try reader.item("locked", "mail"))
        #expect(item.presence == .locked)
        #expect(throws: StoreError.locked(item.name)) { try reader.text(of: item) }
        let roots = sample.sample.roots
        try reader.unlock { _ in roots }
        #expect(try reader.text(of: item) == "secret")
    }

    // MARK: - Writing it

    @Test func `it is written when so many records were added, by whatever process`() throws {
        let sample = try IndexSample(indexInterval: 8)
        try sample.store.add("first", "mail", "secret")
        #expect(sample.indexFiles.isEmpty)
        var ends: [UInt64] = []
        for number in 0..<40 {
            let store = try sample.reader { $0.mayWrite = true }
            try store.add("\(number)", "mail", "secret")
            let reader = try sample.reader()
            if let end = try reader.read({ vault in vault.indexedSequence }), end != ends.last { ends.append(end) }
        }
        #expect(ends.count > 2)
        #expect(zip(ends, ends.dropFirst()).allSatisfy { $1 - $0 == 8 }, "\(ends)")
    }

    @Test func `relaxed changes are indexed at the end of the load`() throws {
        let sample = try IndexSample(indexInterval: 8)
        try sample.store.add("first", "mail", "secret")
        for number in 0..<20 {
            try sample.store.transaction(durability: .relaxed) { transaction in
                _ = try transaction.addLogin("\(number)", "mail", "secret")
            }
        }
        #expect(sample.indexFiles.isEmpty)
        try sample.store.flush()
        #expect(try isIndexed(sample.reader()))
    }

    @Test func `it is written in the background, and compactions still are too`() throws {
        let sample = try IndexSample(indexInterval: 8, waits: true) {
            $0.dueIndexing = .inBackground
            $0.dueCompaction = .inBackground
            $0.logByteCountLimit = 400_000
        }
        func generation() throws -> UInt64 { try sample.store.read { vault in vault.header.generation } }
        for number in 0..<20 { try sample.store.add("\(number)", "mail", "secret") }
        while sample.indexFiles.isEmpty { usleep(1000) }
        while try sample.reader().read({ vault in vault.indexedSequence != vault.position.sequence }) { usleep(1000) }
        #expect(try sample.store.passwords().count == 20)
        // Changes without a pause would keep the thread busy with the index for ever.
        var number = 20
        while try generation() == 1 {
            try sample.store.add("\(number)", "mail", "secret")
            number += 1
        }
        #expect(try sample.reader().passwords().count == number)
    }

    @Test func `a compaction removes it, and what was left of an interrupted one`() throws {
        let (sample, expected) = try sample()
        let file = try #require(sample.indexFiles.first)
        let rest = file.deletingLastPathComponent().appending(path: ".\(file.lastPathComponent).tmp")
        try Data([1]).write(to: rest)
        try sample.store.add("one", "mail", "secret")
        try sample.store.add("two", "mail", "secret")
        #expect(!FileManager.default.fileExists(atPath: rest.path))
        #expect(try sample.store.passwords().count == sample.readerWithoutIndex().passwords().count)
        try sample.store.compact()
        #expect(sample.indexFiles.isEmpty)
        #expect(try sample.sight(sample.reader()).count > expected.count - 2)
    }

    @Test func `a log with a record of an unknown kind has none`() throws {
        let (sample, _) = try sample()
        try sample.sample.append([[.unknown(kind: 99, body: [])]])
        let store = try sample.reader { $0.mayWrite = true }
        let former = try sample.indexFiles.map { try Data(contentsOf: $0) }
        try store.add("one", "mail", "secret")
        #expect(try sample.indexFiles.map { try Data(contentsOf: $0) } == former)
        #expect(try store.verify().unknownRecordCount == 1)
        #expect(try sample.sight(sample.reader()) == sample.sight(sample.readerWithoutIndex()))
    }

    @Test func `nothing is written by readers, or without a directory for anchors`() throws {
        let (sample, expected) = try sample()
        for file in sample.indexFiles { try FileManager.default.removeItem(at: file) }
        let reader = try sample.reader()
        #expect(try sample.sight(reader) == expected)
        reader.indexIfDue()
        let store = try sample.reader {
            $0.mayWrite = true
            $0.anchorDirectory = nil
        }
        try store.add("one", "mail", "secret")
        #expect(sample.indexFiles.isEmpty)
    }
}
