internal import Coffer
internal import VaultFormat
internal import VaultStore

/// Something that reading all of a vault has shown, for people and machines.
struct VaultFinding {
    /// A word for machines.
    let kind: String
    /// Where it lies in the file, if that can be told.
    let range: Range<Int>?
    /// How many items it takes away.
    var itemCount = 0
    /// What was found, where, and what to do.
    let description: String
    /// What the command ends with because of it.
    let code: ExitCode

    var json: JSON {
        [
            "kind": .string(kind), "offset": range.map { JSON($0.lowerBound) } ?? .null,
            "bytes": range.map { JSON($0.count) } ?? .null, "items": JSON(itemCount),
            "code": .integer(Int64(code.rawValue)), "message": .string(description),
        ]
    }
}

extension VerificationReport {
    /// What is not as it should be, in the order of the file as far as it has one.
    var list: [VaultFinding] {
        var findings =
            directoryFailure.map { failure in
                [VaultFinding(kind: "directory", range: nil, description: "\(failure)", code: .damaged)]
            } ?? []
        findings += damages.sorted { $0.range.lowerBound < $1.range.lowerBound }.map { damage in
            let count = damage.items.count
            let loss =
                count > 0 ? "\(count.counted("item")) cannot be read; take \(count == 1 ? "it" : "them")" : "take it"
            return VaultFinding(
                kind: "damage",
                range: damage.range,
                itemCount: count,
                description: """
                    bytes \(damage.range.lowerBound) to \(damage.range.upperBound) are damaged (\(damage.part.title)): \
                    \(damage.fault); \(loss) from a backup
                    """,
                code: .damaged
            )
        }
        findings += invalidItems.map { item in
            VaultFinding(
                kind: "invalidItem",
                range: nil,
                itemCount: 1,
                description: "item \(item.name) is not valid: \(item.fault); take it from a backup",
                code: .damaged
            )
        }
        findings += (invalidRecords.map(\.description) + furtherFindings).map {
            VaultFinding(kind: "invalidChange", range: nil, description: $0, code: .damaged)
        }
        findings += twins.map { names in
            let items = names.map(\.description).joined(separator: " and ")
            return VaultFinding(
                kind: "duplicates",
                range: nil,
                itemCount: names.count,
                description: "items \(items) have the same primary key; delete all but one",
                code: .inconsistent
            )
        }
        return findings + [tail.finding(at: tailOffset), anchor.finding].compactMap(\.self)
    }
}

extension TailVerdict {
    /// The finding about the end of a vault whose last change ends at `offset`; nil if there is none.
    func finding(at offset: Int) -> VaultFinding? {
        let (range, code): (Range<Int>, ExitCode)
        switch self {
        case .clean: return nil
        case .torn(let byteCount): (range, code) = (offset..<offset + byteCount, .success)
        case .damaged(let byteCount): (range, code) = (offset..<offset + byteCount, .damaged)
        case .inconsistent(let offset, _): (range, code) = (offset..<offset, .inconsistent)
        }
        return VaultFinding(kind: "end", range: range, description: "at byte \(range.lowerBound): \(self)", code: code)
    }
}

extension AnchorVerdict {
    fileprivate var finding: VaultFinding? {
        let code: ExitCode
        switch self {
        case .fine: return nil
        case .lostCommit: code = .damaged
        case .rollback, .forked: code = .rolledBack
        }
        let advice = self == .lostCommit ? [] : ReadOnlyReason.anchor(self).advice
        let description = ([description] + advice).joined(separator: "; ")
        return VaultFinding(kind: "history", range: nil, description: description, code: code)
    }
}

extension VerificationReport.Damage.Part {
    /// What people call it.
    fileprivate var title: String {
        switch self {
        case .blockList: "the list of a group's parts"
        case .fence, .digestPage, .itemPage: "what tells which items there are"
        case .metadataBlock: "attributes"
        case .secret: "a secret"
        case .run: "changes from before the last compaction"
        case .history: "the past of items"
        case .sealedPart: "a group whose keys are not here"
        case .checkedPart: "something that differs from its check"
        }
    }
}

extension [VaultFinding] {
    /// The code of the worst.
    var code: ExitCode {
        for code in [ExitCode.inconsistent, .damaged, .rolledBack] where contains(where: { $0.code == code }) {
            return code
        }
        return .success
    }
}
