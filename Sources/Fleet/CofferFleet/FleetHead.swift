internal import CofferBasics
internal import VaultCrypto
internal import VaultFormat
internal import VaultStore

/// The value of the key `head`: how far the log of a fleet has come.
struct FleetHead: Equatable {
    /// The version of this structure.
    private static let version: UInt8 = 1
    private static let byteCount = 1 + 8 + 8 + 32 + 8 + 4

    var place: LogPlace
    /// The file of the generation.
    var base: Base

    /// A file in pieces, with frames behind it.
    struct Base: Equatable {
        /// A random number, under which the pieces are.
        var number: UInt64
        var pieceCount: UInt32
    }

    init(place: LogPlace, base: Base) {
        (self.place, self.base) = (place, base)
    }

    /// Reads a value; nil if it is not one of this version, or no vault can be there.
    init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount, bytes[0] == Self.version else { return nil }
        let span = bytes.span
        place = LogPlace(
            generation: span.littleEndian(at: 1),
            sequence: span.littleEndian(at: 9),
            chain: ChainValue(bytes: Array(bytes[17..<49]))
        )
        base = Base(
            number: span.littleEndian(at: 49),
            pieceCount: span.littleEndian(at: 57)
        )
        guard LogPlace.isPossible(place.generation, place.sequence),
            base.pieceCount <= Limits.fileByteCount / FleetLog.pieceByteCount
        else { return nil }
    }

    var bytes: [UInt8] {
        var bytes = [Self.version]
        bytes.append(littleEndian: place.generation)
        bytes.append(littleEndian: place.sequence)
        bytes += place.chain.bytes
        bytes.append(littleEndian: base.number)
        bytes.append(littleEndian: base.pieceCount)
        return bytes
    }
}

/// The value of the key of a machine: how far its replica had come.
struct FleetReport: Equatable {
    private static let version: UInt8 = 1
    private static let byteCount = 1 + 8 + 8 + 8

    var generation: UInt64
    var sequence: UInt64
    var time: Time

    init(_ place: LogPlace, at time: Time) {
        (generation, sequence, self.time) = (place.generation, place.sequence, time)
    }

    /// Reads a value; nil if it is not one of this version, or no replica can be there.
    init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount, bytes[0] == Self.version else { return nil }
        generation = bytes.span.littleEndian(at: 1)
        sequence = bytes.span.littleEndian(at: 9)
        time = Time(microseconds: Int64(bitPattern: bytes.span.littleEndian(at: 17)))
        guard LogPlace.isPossible(generation, sequence) else { return nil }
    }

    var bytes: [UInt8] {
        var bytes = [Self.version]
        bytes.append(littleEndian: generation)
        bytes.append(littleEndian: sequence)
        bytes.append(littleEndian: UInt64(bitPattern: time.microseconds))
        return bytes
    }
}

extension LogPlace {
    /// Whether a vault may have these numbers: what is in etcd is not sealed.
    fileprivate static func isPossible(_ generation: UInt64, _ sequence: UInt64) -> Bool {
        generation <= Int64.max && sequence < Limits.sequence
    }
}

/// The names of the keys of one vault.
struct FleetKeys {
    /// How many names may follow a prefix when the vaults are looked for.
    private static let nameCountLimit = 100

    /// The prefix of all of them.
    let root: [UInt8]

    /// Creates the names for the vault with this id, in hexadecimal digits.
    init(prefix: String, vault: String) {
        root = Array("\(prefix)/\(vault)/".utf8)
    }

    var head: [UInt8] { root + Array("head".utf8) }

    /// The prefix of the keys of machines.
    var machines: [UInt8] { root + Array("m/".utf8) }

    func machine(_ name: String) -> [UInt8] { machines + Array(name.utf8) }

    /// The lock of the machine that replaces the file.
    var replacement: [UInt8] { lock("replace") }

    func lock(_ name: String) -> [UInt8] { root + Array("lock/\(name)".utf8) }

    /// The frames of all generations before one.
    func frames(before generation: UInt64) -> EtcdKeys {
        .range(from: root + Array("f/".utf8), to: frames(of: generation))
    }

    func frames(of generation: UInt64) -> [UInt8] { root + Array("f/\(generation.hexDigits)/".utf8) }

    /// The frames of a generation behind a place in it.
    func frames(behind place: LogPlace) -> EtcdKeys {
        .all(under: frames(of: place.generation), from: frame(place.sequence + 1, of: place.generation))
    }

    func frame(_ sequence: UInt64, of generation: UInt64) -> [UInt8] {
        frames(of: generation) + Array(sequence.hexDigits.utf8)
    }

    private var pieces: [UInt8] { root + Array("b/".utf8) }

    func pieces(of base: UInt64) -> [UInt8] { pieces + Array("\(base.hexDigits)/".utf8) }

    func pieces(beforeThoseOf base: UInt64) -> EtcdKeys { .range(from: pieces, to: pieces(of: base)) }

    func pieces(behindThoseOf base: UInt64) -> EtcdKeys { .all(under: pieces, from: pieces(of: base) + [0xFF]) }

    func piece(_ number: UInt32, of base: UInt64) -> [UInt8] {
        pieces(of: base) + Array(UInt64(number).hexDigits.utf8)
    }

    /// The ids of the vaults that have keys under a prefix.
    static func vaults(under prefix: String, _ store: some EtcdStore) throws(SharedLogError) -> [String] {
        let root = Array("\(prefix)/".utf8)
        var names: [String] = []
        var first = root
        for _ in 0..<nameCountLimit {
            let rest = EtcdKeys.all(under: root, from: first)
            let found = try translating(SharedLogError.ofReading) { () throws(EtcdError) in
                try store.read(rest, limit: 1)
            }
            guard let key = found.values.first?.key else { return names }
            let name = key.dropFirst(root.count).prefix { $0 != UInt8(ascii: "/") }
            // Other prefixes may continue this one.
            let text = String(decoding: name, as: UTF8.self)
            if let id = [UInt8](hexDigits: text), id.count == VaultID.byteCount { names.append(text) }
            first = root + name + [UInt8(ascii: "/") + 1]
        }
        throw .refused("it has more than \(nameCountLimit) names under \(prefix.printable); name the id of the vault")
    }
}
