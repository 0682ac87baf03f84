/// The vectors for readers of vaults, `Spec/vault-format.md`.
///
/// A value is the head of one of them, `vault(name, comment)`. A method makes the vault and the verdict on it: each row
/// of a list is a head and a method.
struct VaultVectors {
    let name: String
    let comment: String

    /// Returns the head of the vector `name`; a long comment follows in a line of its own.
    static func vault(_ name: String, _ comment: String = "") -> VaultVectors {
        VaultVectors(name: name, comment: comment)
    }

    func comment(_ comment: String) -> VaultVectors { VaultVectors(name: name, comment: comment) }

    static var all: [Vector] {
        success + header + keybag + wraps + slots + devices + tail + frames + log + records + items + snapshots
            + directories + leaves + fences + pastLeaves + deflated + runs + limits + team + grants + unknownWays
            + order + places + conflicts + seen + recordRules + keyRecordRules + singleChecks + epochsInTurn
    }

    /// A line of the header of a vector.
    typealias Line = (key: String, value: String)

    static let passphrase: [Line] = [("passphrase", VaultSketch.passphrase)]

    /// A vector with the verdict on `body`, and the items that can still be read.
    func vector(
        _ expect: String,
        _ body: [UInt8],
        unlock: [Line] = passphrase,
        readable: [SketchItem]? = nil,
        _ further: [Line] = []
    ) -> Vector {
        var lines = unlock + [("policy", "test")]
        if let readable {
            lines += [("items", "\(readable.count)"), ("content", readable.contentHash)]
        }
        return Vector(name: name, outcome: .verdict(expect), settings: lines + further, comment: comment, body: body)
    }

    /// A vault to which `make` adds items; the items that it returns are readable.
    ///
    /// It opens without errors, unless records fail or another verdict is expected.
    func whole(
        expect: String? = nil,
        unlock: [Unlock] = [.passphrase],
        failures: Int? = nil,
        locked: Int? = nil,
        passphrase: String? = VaultSketch.passphrase,
        _ make: (inout VaultSketch) -> [SketchItem]?
    ) -> Vector {
        var vault = VaultSketch(name, passphrase: passphrase)
        let readable = make(&vault)
        let numbers = [("records failed", failures), ("locked", locked)]
        return vector(
            expect ?? (failures == nil ? "success" : "record failure"),
            vault.build().bytes,
            unlock: unlock.map { $0.line(for: vault) },
            readable: readable,
            numbers.compactMap { key, number in number.map { (key, "\($0)") } }
        )
    }

    /// The same with items in a snapshot, whose section `edit` changes.
    func compacted(
        of names: [String] = ["ann", "bob", "kim"],
        section edit: (inout SketchGroupSection) -> Void = { _ in },
        expect: String? = nil,
        unlock: [Unlock] = [.passphrase],
        failures: Int? = nil,
        locked: Int? = nil,
        _ make: (inout VaultSketch, inout [SketchItem]) -> [SketchItem]?
    ) -> Vector {
        whole(expect: expect, unlock: unlock, failures: failures, locked: locked) { vault in
            var items: [SketchItem]
            (vault, items) = Self.snapshotVault(name, names, edit)
            return make(&vault, &items)
        }
    }

    /// A vault that opens without errors and contains `readable`.
    func success(_ body: [UInt8], unlock: [Line] = passphrase, readable: [SketchItem] = [], _ further: [Line] = [])
        -> Vector
    {
        vector("success", body, unlock: unlock, readable: readable, further)
    }

    /// An entry of a run.
    static func runEntry(_ sequence: UInt64, _ record: SketchRecord) -> SketchRun.Entry {
        SketchRun.Entry(sequence: sequence, time: SketchFrame.time(of: sequence), record: record)
    }

    /// A small vault with one item, `kim`, which `edit` changes; it opens without errors.
    func opens(_ further: [Line] = [], _ edit: (inout VaultSketch) -> Void) -> Vector {
        var vault = VaultSketch(name)
        let kim = vault.append(vault.item("kim"))
        edit(&vault)
        return success(vault.build().bytes, readable: kim, further)
    }

    /// The same with another verdict.
    func small(_ expect: String, unlock: [Unlock] = [.passphrase], _ edit: (inout VaultSketch) -> Void) -> Vector {
        whole(expect: expect, unlock: unlock) { vault in
            vault.append(vault.item("kim"))
            edit(&vault)
            return nil
        }
    }

    /// A small vault that `edit` changes, whose bytes are then damaged.
    func file(
        _ expect: String,
        unlock: [Unlock] = [.passphrase],
        vault edit: (inout VaultSketch) -> Void = { _ in },
        _ damage: (inout VaultFile) -> Void
    ) -> Vector {
        var vault = VaultSketch(name)
        vault.append(vault.item("kim"))
        edit(&vault)
        var file = vault.build()
        damage(&file)
        return vector(expect, file.bytes, unlock: unlock.map { $0.line(for: vault) })
    }
}

/// What a reader is given to open a vault.
enum Unlock {
    case passphrase
    case wrongPassphrase
    case keyFile
    case otherKeyFile
    case device(String)
    case wrongKeyOfDevice(String)
    case deviceOfOtherVault

    /// The line of the header that says so.
    func line(for vault: VaultSketch) -> VaultVectors.Line {
        switch self {
        case .passphrase: ("passphrase", VaultSketch.passphrase)
        case .wrongPassphrase: ("passphrase", "incorrect horse")
        case .keyFile: ("keyfile-hex", vault.keyFile.hex)
        case .otherKeyFile: ("keyfile-hex", zeros(32).hex)
        case .wrongKeyOfDevice(let name): ("device", "\(vault.device(name).id.hex) \(vault.device(name).root.hex)")
        case .deviceOfOtherVault: ("device", VaultSketch("another vault").device("lap").unlock)
        case .device(let name): ("device", vault.device(name).unlock)
        }
    }
}

/// A test vector: a file that demonstrates one rule, and the result that a reader must give.
struct Vector {
    /// The result that a reader must give.
    enum Outcome {
        /// The value, in the notation that `Fixtures/README.md` explains.
        case success(String)
        case malformed(String)
        case limitExceeded(String)
        /// The verdict on a vault, in the words of section 15 of the vault format.
        case verdict(String)
    }

    let name: String
    let outcome: Outcome
    /// Additional lines of the header.
    var settings: [(key: String, value: String)] = []
    let comment: String
    let body: [UInt8]

    /// The file: a text header, an empty line, the body.
    var bytes: [UInt8] {
        precondition(!comment.isEmpty, "\(name) has no comment")
        var lines: [(key: String, value: String)] =
            switch outcome {
            case .success(let value): [("expect", "success"), ("value", value)]
            case .malformed(let error): [("expect", "malformed"), ("error", error)]
            case .limitExceeded(let error): [("expect", "limit exceeded"), ("error", error)]
            case .verdict(let verdict): [("expect", verdict)]
            }
        lines += settings
        lines.append(("comment", comment))
        return Array(lines.map { "\($0.key): \($0.value)\n" }.joined().utf8) + [0x0A] + body
    }
}
