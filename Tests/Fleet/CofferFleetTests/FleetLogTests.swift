import CofferBasics
import CofferFleet
import Foundation
import Testing
import TestSupport
import VaultFiles
import VaultFormat
import VaultStore

@Suite("A vault on etcd", .temporaryDirectory, .etcd, .waiting) struct FleetLogTests {
    private static func client(_ cluster: EtcdCluster) throws -> EtcdClient {
        try EtcdClient(EtcdSettings(endpoints: cluster.endpoints), time: MachineTime())
    }

    @Test func `what one machine writes, the others have, byte for byte`() throws {
        let cluster = try EtcdCluster(1, in: TemporaryDirectory.current)
        let sample = try FleetSample(in: TemporaryDirectory.current, Self.client(cluster))
        let one = try sample.machine(1, Self.client(cluster))
        let two = try sample.machine(2, Self.client(cluster))
        try one.add("kim", "hunter2")
        #expect(try two.password("kim") == nil)
        #expect(try two.follow())
        #expect(try two.password("kim") == "hunter2")
        #expect(try !two.follow())
        // Each is behind the other once, and writes all the same.
        for number in 0..<10 { try (number % 2 == 0 ? one : two).add("user\(number)", "\(number)") }
        #expect(throws: StoreError.self) { try two.add("user0", "again") }
        try one.follow()
        #expect(try (0..<10).map { try one.password("user\($0)") } == (0..<10).map { "\($0)" })
        #expect(try sample.bytes(of: 1) == sample.bytes(of: 2))
    }

    @Test(arguments: [99, 100])
    func `a machine that is overtaken waits a moment, up to a hundred times`(count: Int) throws {
        let cluster = try EtcdCluster(1, in: TemporaryDirectory.current)
        let client = try Self.client(cluster)
        let time = ManualTime()
        let sample = try FleetSample(in: TemporaryDirectory.current, client, time: time)
        let other = try sample.machine(2, client)
        let one = try sample.machine(
            1,
            OvertakingStore(client, count: count) { _ = try? other.add("other \($0)", "x") }
        )
        if count == 100 {
            let text = "other machines were always faster; try again"
            #expect(throws: StoreError.shared(.refused(text), path: sample.path(of: 1))) { try one.add("kim", "x") }
        } else {
            #expect(try one.add("kim", "x") == 100)
        }
        let longest = (1...count).map { UInt64(min($0, 16)) * 10_000_000 }
        #expect(time.sleeps.count == count && zip(time.sleeps, longest).allSatisfy(<))
        // They are random: half of that on average.
        #expect(time.sleeps.reduce(0, +) > longest.reduce(0, +) / 4)
    }

    @Test(arguments: [(1, 1), (16, 1), (17, 2)])
    func `sixteen changes are taken in by one request`(changeCount: Int, requestCount: Int) throws {
        let cluster = try EtcdCluster(1, in: TemporaryDirectory.current)
        let client = try Self.client(cluster)
        let sample = try FleetSample(in: TemporaryDirectory.current, client)
        let one = try sample.machine(1, client)
        let counting = CountingStore(client)
        let two = try sample.machine(2, counting)
        for number in 0..<changeCount { try one.add("user\(number)", "\(number)") }
        let start = counting.requestCount
        try two.follow()
        #expect(counting.requestCount - start == requestCount)
        #expect(try two.password("user\(changeCount - 1)") == "\(changeCount - 1)")
    }

    @Test func `the keys and the head are as specified`() throws {
        let cluster = try EtcdCluster(1, in: TemporaryDirectory.current)
        let client = try Self.client(cluster)
        let sample = try FleetSample(in: TemporaryDirectory.current, client)
        let beginning = try sample.bytes(of: 0)
        let one = try sample.machine(1, client)
        try one.add("kim", "hunter2")
        let values = try client.read(.all(under: Array("coffer/\(sample.vault)/".utf8))).values
        let names = values.map { String(decoding: $0.key.dropFirst("coffer/".count + 33), as: UTF8.self) }
        #expect("\(sample.vault)".count == 32 && names.count == 5)
        #expect(names[0].hasPrefix("b/") && names[0].hasSuffix("/0000000000000000"))
        #expect(names[1] == "f/0000000000000002/0000000000000001" && names[2] == "head")
        // The file can end with zeros of its own.
        let rest = values[0].value.dropFirst(beginning.count)
        #expect(values[0].value.starts(with: beginning) && rest.allSatisfy { $0 == 0 })
        let file = try [UInt8](Data(contentsOf: URL(filePath: sample.path(of: 1))))
        #expect(file.starts(with: values[0].value + values[1].value))
        // Version, generation 2, change 1; the chain; a base with one piece.
        let head = values[2].value
        #expect(head.count == 61 && Array(head[..<17]) == [1, 2, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0])
        let number = try #require(UInt64(names[0].dropFirst(2).prefix(16), radix: 16))
        #expect((0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } == Array(head[49..<57]))
        #expect(Array(head[57...]) == [1, 0, 0, 0])
        // Version, generation 2, change 1; the time in microseconds.
        #expect(Array(names[3...]) == ["m/machine0", "m/machine1"])
        let report = values[4].value
        #expect(report.count == 25 && Array(report[..<17]) == Array(head[..<17]))
        let time = (0..<8).reduce(Int64(0)) { $0 | Int64(report[17 + $1]) << (8 * $1) }
        #expect(abs(time - sample.environment.time.wallMicroseconds()) < 60_000_000)
    }

    @Test func `a machine that was removed reads, and writes once it has joined again`() throws {
        let cluster = try EtcdCluster(1, in: TemporaryDirectory.current)
        let client = try Self.client(cluster)
        let sample = try FleetSample(in: TemporaryDirectory.current, client)
        let (zero, one) = (try sample.machine(0, client), try sample.machine(1, client))
        try one.add("kim", "hunter2")
        #expect(try sample.log(of: 0, client).remove("machine1"))
        #expect(try !sample.log(of: 0, client).remove("machine1"))
        let refusal = StoreError.shared(.notMember("machine1"), path: sample.path(of: 1))
        #expect(throws: refusal) { try one.add("lee", "secret") }
        #expect(throws: refusal) { try one.compact() }
        #expect(throws: refusal) { try one.follow(isStrict: true) }
        try zero.add("max", "secret")
        #expect(try one.follow() && one.password("kim") == "hunter2")
        #expect(try client.read(.all(under: Array("coffer/\(sample.vault)/b/".utf8))).values.count == 1)
        try sample.log(of: 1, client).join(at: .start)
        try one.add("lee", "secret")
        try zero.follow()
        #expect(try sample.bytes(of: 0) == sample.bytes(of: 1))
    }

    @Test func `what does not continue a replica is refused, and not written`() throws {
        let cluster = try EtcdCluster(1, in: TemporaryDirectory.current)
        let client = try Self.client(cluster)
        let sample = try FleetSample(in: TemporaryDirectory.current, client)
        let (one, two) = (try sample.machine(1, client), try sample.machine(2, client))
        try one.add("kim", "hunter2")
        let before = try sample.bytes(of: 2)
        let frame = Array("coffer/\(sample.vault)/f/0000000000000002/0000000000000001".utf8)
        let genuine = try #require(try client.read(.one(frame)).values.first?.value)
        var changed = genuine
        changed[changed.count / 2] ^= 1
        for wrong in [changed, [], Array(genuine.dropLast()), genuine + [0]] {
            _ = try client.transact(EtcdTransaction([.put(frame, wrong)]))
            #expect(throws: StoreError.shared(.damaged(0), path: sample.path(of: 2))) { try two.follow() }
            #expect(try sample.bytes(of: 2) == before)
        }
        _ = try client.transact(EtcdTransaction([.put(frame, genuine)]))
        #expect(try two.follow() && two.password("kim") == "hunter2")
    }

    @Test func `an older file is refused, whatever the head says of it`() throws {
        let cluster = try EtcdCluster(1, in: TemporaryDirectory.current)
        let client = try Self.client(cluster)
        let sample = try FleetSample(in: TemporaryDirectory.current, client)
        let root = Array("coffer/\(sample.vault)/".utf8)
        let pieces = try client.read(.all(under: root + Array("b/".utf8))).values
        let one = try sample.machine(1, client)
        try one.add("kim", "hunter2")
        let before = try sample.bytes(of: 1)
        // The file with which the fleet began, as if it were that of generation 9.
        let head = try #require(try client.read(.one(root + Array("head".utf8))).values.first)
        _ = try client.transact(EtcdTransaction([.put(head.key, [1, 9] + head.value.dropFirst(2))]))
        #expect(throws: StoreError.shared(.damaged(1), path: sample.path(of: 1))) { try one.follow() }
        // And if its pieces are gone, this ends too.
        _ = try client.transact(EtcdTransaction(pieces.map { .delete(.one($0.key)) }))
        let error = #expect(throws: StoreError.self) { try one.follow() }
        guard case .shared(.refused, _) = error else {
            Issue.record("\(error as Any)")
            return
        }
        #expect(try sample.bytes(of: 1) == before && one.password("kim") == "hunter2")
    }

    @Test func `a cluster that was set back is not followed, and gets nothing`() throws {
        let cluster = try EtcdCluster(1, in: TemporaryDirectory.current)
        let client = try Self.client(cluster)
        let sample = try FleetSample(in: TemporaryDirectory.current, client)
        let head = Array("coffer/\(sample.vault)/head".utf8)
        let backup = try #require(try client.read(.one(head)).values.first?.value)
        let one = try sample.machine(1, client)
        try one.add("kim", "hunter2")
        _ = try client.transact(EtcdTransaction([.put(head, backup)]))
        let again = try sample.machine(1, client)
        for attempt in [{ _ = try again.follow() }, { _ = try again.add("lee", "swordfish") }] {
            let error = #expect(throws: StoreError.self) { try attempt() }
            guard case .shared(.behind(let place), _) = error else {
                Issue.record("\(error as Any)")
                return
            }
            #expect(place.generation == 2 && place.sequence == 1)
        }
        #expect(try client.read(.one(head)).values.first?.value == backup)
        #expect(try again.password("kim") == "hunter2")
        _ = try client.transact(EtcdTransaction([.delete(.one(head))]))
        #expect(throws: StoreError.shared(.noVault, path: sample.path(of: 1))) { try again.follow() }
    }

    @Test func `a program that does not know the fleet reads, and does not write`() throws {
        let cluster = try EtcdCluster(1, in: TemporaryDirectory.current)
        let client = try Self.client(cluster)
        let sample = try FleetSample(in: TemporaryDirectory.current, client)
        let one = try sample.machine(1, client)
        try one.add("kim", "hunter2")
        // Bit 0 of the read-only-compatible features, at byte 44.
        #expect(try Array(sample.bytes(of: 1)[44..<48]) == [1, 0, 0, 0])
        let alone = try sample.machine(1, nil)
        #expect(try alone.password("kim") == "hunter2")
        #expect(throws: StoreError.readOnly(.shared, path: sample.path(of: 1))) { try alone.add("lee", "swordfish") }
        #expect(throws: StoreError.readOnly(.shared, path: sample.path(of: 1))) { try alone.compact() }

        // Without the cluster, too.
        try alone.leave()
        #expect(try Array(sample.bytes(of: 1)[44..<48]) == [0, 0, 0, 0])
        try sample.machine(1, nil).add("lee", "swordfish")
        // With the fleet in its options, a vault that is not shared is one of this machine.
        try sample.machine(1, client).add("max", "battery")
        let two = try sample.machine(2, client)
        try two.follow()
        #expect(try two.password("kim") == "hunter2" && two.password("lee") == nil && two.password("max") == nil)
    }

    @Test func `a compaction of one machine replaces the files of the others`() throws {
        let cluster = try EtcdCluster(1, in: TemporaryDirectory.current)
        let sample = try FleetSample(in: TemporaryDirectory.current, Self.client(cluster))
        let one = try sample.machine(1, Self.client(cluster))
        let two = try sample.machine(2, Self.client(cluster))
        try one.add("kim", "hunter2")
        try one.compact()
        try one.add("lee", "swordfish")
        try two.add("max", "battery")
        try one.follow()
        for store in [one, two] {
            #expect(try store.password("kim") == "hunter2")
            #expect(try store.password("lee") == "swordfish")
            #expect(try store.password("max") == "battery")
        }
        #expect(try sample.bytes(of: 1) == sample.bytes(of: 2))
    }

    // Frames are padded to a multiple of a 32nd to a 64th of their size.
    @Test(arguments: [(2, 686_000, true), (2, 689_000, false), (10, 1_000_000, false)])
    func `a change that does not fit into a request becomes a file`(
        count: Int,
        secretByteCount: Int,
        fits: Bool
    ) throws {
        let cluster = try EtcdCluster(1, in: TemporaryDirectory.current)
        let client = try Self.client(cluster)
        let sample = try FleetSample(in: TemporaryDirectory.current, client)
        let one = try sample.machine(1, Self.client(cluster))
        let two = try sample.machine(2, Self.client(cluster))
        // The first machine does not know it yet.
        try two.add("lee", "swordfish")
        let secret = [UInt8](repeating: UInt8(ascii: "a"), count: secretByteCount)
        try one.transaction { transaction in
            for number in 0..<count {
                _ = try transaction.add(
                    try login("user\(number)"),
                    secret: secret.span,
                    group: FleetSample.group,
                    protection: .whenUnlocked,
                    owner: .none
                )
            }
        }
        try two.follow()
        for store in [one, two] {
            #expect(try store.password("user\(count - 1)") == String(decoding: secret, as: UTF8.self))
            #expect(try store.password("lee") == "swordfish")
        }
        #expect(try sample.bytes(of: 1) == sample.bytes(of: 2))
        let frame = Array("coffer/\(sample.vault)/f/0000000000000002/0000000000000002".utf8)
        #expect(try client.read(.one(frame)).values.isEmpty != fits)
    }

    @Test func `a machine whose lease ends during a compaction replaces nothing`() throws {
        let cluster = try EtcdCluster(1, in: TemporaryDirectory.current)
        let sample = try FleetSample(in: TemporaryDirectory.current, Self.client(cluster))
        let other = try sample.machine(2, Self.client(cluster))
        let pausing = PausingStore(try Self.client(cluster)) {
            // The lease ends when the file is uploaded, and another machine is faster.
            #expect(throws: Never.self) { try other.compact() }
        }
        let one = try sample.machine(1, pausing)
        try one.add("kim", "hunter2")
        #expect(throws: StoreError.replacedMeanwhile(path: sample.path(of: 1))) { try one.compact() }
        #expect(pausing.hasPaused)
        for store in [one, other] {
            try store.follow()
            #expect(try store.password("kim") == "hunter2")
        }
        #expect(try sample.bytes(of: 1) == sample.bytes(of: 2))
        // What the first one had uploaded is gone: there are the head, the piece of one file, and a former frame.
        let keys = try Self.client(cluster).read(.all(under: Array("coffer/".utf8))).values.map(\.key)
        #expect(keys.count == 6)
    }

    @Test(arguments: [true, false])
    func `a replacement that arrives late finds its pieces, or does nothing`(arrivesBeforeEnd: Bool) throws {
        let cluster = try EtcdCluster(1, in: TemporaryDirectory.current)
        let client = try Self.client(cluster)
        let sample = try FleetSample(in: TemporaryDirectory.current, client)
        let late = LateStore(client, arrivesBeforeEnd: arrivesBeforeEnd)
        let one = try sample.machine(1, late)
        let two = try sample.machine(2, client)
        try one.add("kim", "hunter2")
        #expect(throws: StoreError.shared(.unreachable([], isUncertain: true), path: sample.path(of: 1))) {
            try one.compact()
        }
        #expect(try late.arrive() == arrivesBeforeEnd)
        for store in [one, two, try sample.machine(3, client)] {
            try store.follow()
            #expect(try store.password("kim") == "hunter2")
            #expect(try store.read { $0.header.generation } == (arrivesBeforeEnd ? 3 : 2))
        }
        let pieces = try client.read(.all(under: Array("coffer/\(sample.vault)/b/".utf8))).values
        #expect(pieces.count == 1)
    }

    @Test func `a change whose answer is lost is found, also after a compaction`() throws {
        let cluster = try EtcdCluster(1, in: TemporaryDirectory.current)
        let client = try Self.client(cluster)
        let sample = try FleetSample(in: TemporaryDirectory.current, client)
        let other = try sample.machine(2, client)
        let one = try sample.machine(1, ForgetfulStore(client) { #expect(throws: Never.self) { try other.compact() } })
        try one.add("kim", "hunter2")
        for store in [one, other] {
            try store.follow()
            #expect(try store.password("kim") == "hunter2")
        }
        #expect(try sample.bytes(of: 1) == sample.bytes(of: 2))
    }

    @Test func `a compaction whose answer is lost is found, also behind changes of others`() throws {
        let cluster = try EtcdCluster(1, in: TemporaryDirectory.current)
        let client = try Self.client(cluster)
        let sample = try FleetSample(in: TemporaryDirectory.current, client)
        let other = try sample.machine(2, client)
        let forgetful = ForgetfulStore(client, forgets: \.endsReplacement) {
            #expect(throws: Never.self) { try other.add("lee", "swordfish") }
        }
        let one = try sample.machine(1, forgetful)
        try one.add("kim", "hunter2")
        #expect(try one.compact().generation == 3)
        // The file is there for those who do not have it yet.
        let late = try sample.machine(3, client)
        try late.follow()
        #expect(try late.password("kim") == "hunter2" && late.password("lee") == "swordfish")
    }

    @Test func `a change whose answer is lost is uncertain after two compactions`() throws {
        let cluster = try EtcdCluster(1, in: TemporaryDirectory.current)
        let client = try Self.client(cluster)
        let sample = try FleetSample(in: TemporaryDirectory.current, client)
        let other = try sample.machine(2, client)
        let forgetful = ForgetfulStore(client) {
            for _ in 0..<2 { #expect(throws: Never.self) { try other.compact() } }
        }
        let one = try sample.machine(1, forgetful)
        let error = #expect(throws: StoreError.self) { try one.add("kim", "hunter2") }
        guard case .shared(.unreachable(_, isUncertain: true), _) = error else {
            Issue.record("\(error as Any)")
            return
        }
        try one.follow()
        #expect(try one.password("kim") == "hunter2")
    }

    @Test func `what others write during a compaction goes behind the new file`() throws {
        let cluster = try EtcdCluster(1, in: TemporaryDirectory.current)
        let client = try Self.client(cluster)
        let sample = try FleetSample(in: TemporaryDirectory.current, client)
        let (other, reader) = (try sample.machine(2, client), try sample.machine(3, client))
        let store = PausingStore(client, endsLeases: false) {
            #expect(throws: Never.self) {
                try other.add("lee", "secret")
                try other.add("max", "secret")
                // It has more of the former generation than the new file.
                try reader.follow()
            }
        }
        let one = try sample.machine(1, store)
        try one.add("kim", "hunter2")
        #expect(try one.compact().generation == 3 && store.hasPaused)
        try one.add("nora", "secret")
        for machine in [other, reader] {
            try machine.follow()
            for name in ["lee", "max", "nora"] { #expect(try machine.password(name) == "secret") }
        }
        #expect(try sample.bytes(of: 1) == sample.bytes(of: 2) && sample.bytes(of: 1) == sample.bytes(of: 3))
        // A machine that joins gets all of it, too.
        try VaultStore.makeReplica(of: sample.log(of: 4, client), at: sample.path(of: 4), sample.environment)
        #expect(try sample.bytes(of: 4) == sample.bytes(of: 1))
    }

    @Test func `a file that is replaced twice while it is read is read again`() throws {
        let cluster = try EtcdCluster(1, in: TemporaryDirectory.current)
        let client = try Self.client(cluster)
        let sample = try FleetSample(in: TemporaryDirectory.current, client)
        let other = try sample.machine(3, client)
        let frames = Array("coffer/\(sample.vault)/f/0000000000000003/".utf8)
        let store = InterruptedStore(client, before: frames) {
            #expect(throws: Never.self) { for _ in 0..<2 { try other.compact() } }
        }
        let two = try sample.machine(2, store)
        // It has what is behind the new file, not in it.
        let pausing = PausingStore(client, endsLeases: false) {
            #expect(throws: Never.self) { try two.add("lee", "secret") }
        }
        let one = try sample.machine(1, pausing)
        try one.add("kim", "hunter2")
        try one.compact()
        #expect(try two.follow() && store.wasInterrupted)
        try one.follow()
        #expect(try sample.bytes(of: 1) == sample.bytes(of: 2) && two.password("lee") == "secret")
    }

    @Test func `a cluster that repeats frames for ever is given up`() throws {
        let cluster = try EtcdCluster(1, in: TemporaryDirectory.current)
        let client = try Self.client(cluster)
        let sample = try FleetSample(in: TemporaryDirectory.current, client)
        let one = try sample.machine(1, client)
        for number in 0..<17 { try one.add("user\(number)", "x") }
        let log = sample.log(of: 2, RepeatingStore(store: client))
        let path = sample.path(of: 2)
        let text = "its answers keep changing; try again"
        #expect(throws: StoreError.shared(.refused(text), path: path)) {
            try VaultStore.makeReplica(of: log, at: path, sample.environment)
        }
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func `a cluster that has empty frames without end is given up`() throws {
        let cluster = try EtcdCluster(1, in: TemporaryDirectory.current)
        let client = try Self.client(cluster)
        let sample = try FleetSample(in: TemporaryDirectory.current, client)
        let key = Array("coffer/\(sample.vault)/head".utf8)
        var head = try #require(try client.read(.one(key)).values.first?.value)
        // The sequence number, near the greatest.
        for offset in 9..<14 { head[offset] = 0xFF }
        _ = try client.transact(EtcdTransaction([.put(key, head)]))
        let log = sample.log(of: 2, EmptyFrameStore(client))
        let path = sample.path(of: 2)
        #expect(throws: StoreError.shared(.refused("its answers keep changing; try again"), path: path)) {
            try VaultStore.makeReplica(of: log, at: path, sample.environment)
        }
    }

    @Test func `a compaction waits for nobody, and is done once`() throws {
        let cluster = try EtcdCluster(1, in: TemporaryDirectory.current)
        let client = try Self.client(cluster)
        let sample = try FleetSample(in: TemporaryDirectory.current, client)
        let one = try sample.machine(1, client)
        let key = Array("coffer/\(sample.vault)/lock/replace".utf8)
        let lease = try client.grantLease(seconds: 60)
        _ = try client.transact(EtcdTransaction([.put(key, [], lease: lease)]))
        #expect(throws: StoreError.replacedMeanwhile(path: sample.path(of: 1))) { try one.compact() }
        try client.revokeLease(lease)
        // A machine that ended during an upload has left these.
        let root = Array("coffer/\(sample.vault)/b/".utf8)
        let left = ["0000000000000000", "ffffffffffffffff"].map { root + Array("\($0)/0000000000000000".utf8) }
        for key in left { _ = try client.transact(EtcdTransaction([.put(key, [1])])) }
        #expect(try one.compact().generation == 3)
        let pieces = try client.read(.all(under: root)).values.map(\.key)
        #expect(pieces.count == 1 && !left.contains(pieces[0]))
    }
}
