/// The vectors for readers of vaults, `Spec/vault-format.md`.
enum VaultVectors {
    static var all: [Vector] {
        success + header + keybag + wraps + slots + devices + tail + frames + log + records + items + snapshot + pages
            + limits + team + grants + order + places + conflicts + seen + recordRules + keyRecordRules + snapshotRules
            + singleChecks + withoutKeys + pastRevisions + blockRules + runRules + epochsInTurn
    }

    /// A line of the header of a vector.
    typealias Line = (key: String, value: String)

    static let passphrase: [Line] = [("passphrase", VaultSketch.passphrase)]

    /// A vector with the verdict on `body`, and the items that can still be read.
    static func vector(
        _ name: String,
        _ expect: String,
        _ comment: String,
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

    /// A vault that opens without errors and contains `readable`.
    static func success(
        _ name: String,
        _ comment: String,
        _ body: [UInt8],
        unlock: [Line] = passphrase,
        readable: [SketchItem] = [],
        _ further: [Line] = []
    ) -> Vector {
        vector(name, "success", comment, body, unlock: unlock, readable: readable, further)
    }

    /// An entry of a run.
    static func runEntry(_ sequence: UInt64, _ record: SketchRecord) -> SketchRun.Entry {
        SketchRun.Entry(sequence: sequence, time: SketchFrame.time(of: sequence), record: record)
    }

    /// Returns a small vault with one item, `kim`, that a vector changes.
    static func small(_ name: String, _ edit: (inout VaultSketch) -> Void = { _ in }) -> [UInt8] {
        var vault = VaultSketch(name)
        vault.append(vault.item("kim"))
        edit(&vault)
        return vault.build().bytes
    }
}
