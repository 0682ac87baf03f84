internal import Coffer
internal import CofferBasics

extension Option {
    fileprivate static let olderThan = Option(
        "--older-than",
        argument: .value("DAYS", .nothing),
        summary: "report passwords that were not changed for so long (default 730; 0: none)"
    )
}

extension Verb {
    static let audit = Verb(
        "audit",
        .inspection,
        "Find weak, reused and old passwords",
        options: [.olderThan],
        details: """
            A password is weak if words, runs of keys, years and repetitions make it easy to guess; the bits are an \
            estimate. It is reused if another item has the same one, and old if the item was not changed for a long \
            time. Everything is computed here: nothing is sent or stored.

            Keys, notes of several lines and secrets of more than 128 bytes are left out, and so are items that \
            require authentication.
            """,
        examples: [Example(call: "coffer audit", purpose: "look for passwords to change")]
    ) { run in
        let days = try run.arguments.count(of: .olderThan, in: 0...36_500) ?? 730
        var selection = ItemSelection()
        selection.group = run.arguments.value(of: .group)
        let (audit, skippedCount) = try run.vaults.withUnlockedKeychain { keychain in
            let skippedItems = SkippedItems()
            let listed = keychain.showingEachGroup.leavingOut(skippedItems)
            var audit = Audit(olderThan: days > 0 ? Double(days) * 86_400 : nil, now: run.now)
            for item in try selection.items(in: listed) { try audit.add(item, secret: item.secret(in: listed)) }
            return (audit, skippedItems.count)
        }
        run.reportGuardedItems(skippedCount)
        let findings = audit.findings
        guard !run.isJSON else { return try run.output.write(json: .array(findings.map { $0.json(with: $1) })) }
        var table = TextTable(["NAME", "USER", "GROUP", "PROBLEM"])
        for (item, problems) in findings {
            let words = problems.map(\.words).joined(separator: "; ")
            table.add([item.service.shown, item.account.shown, item.group.printable, words])
        }
        try table.write(to: run.output, isColored: run.printsColor)
        let passwords = audit.itemCount.counted("password")
        run.messages.note("\(passwords) checked, \(findings.count.counted("has", "have")) a problem")
    }
}

/// What is wrong with passwords.
struct Audit {
    enum Problem {
        case weak(bits: Double)
        /// So many other items have it, among them `other`.
        case reused(other: FoundItem, count: Int)
        case old(days: Int)

        /// The problem in words.
        var words: String {
            switch self {
            case .weak(let bits): "weak (\(Int(bits)) bits)"
            case .reused(let other, 1): "same as in \(other.line)"
            case .reused(let other, let count): "same as in \(other.line) and \((count - 1).counted("other item"))"
            case .old(let days): "not changed for \(days.counted("day"))"
            }
        }
    }

    private let age: Double?
    private let now: Double
    private var entries: [(item: FoundItem, digest: Int, bits: Double)] = []
    /// Which entries have a password, by its digest.
    private var places: [Int: [Int]] = [:]

    init(olderThan age: Double?, now: Double) {
        (self.age, self.now) = (age, now)
    }

    /// The number of passwords that were looked at.
    var itemCount: Int { entries.count }

    /// Looks at an item, unless its secret is no password.
    mutating func add(_ item: FoundItem, secret: HeldSecret?) {
        guard let secret, let strength = PasswordStrength(ofPassword: secret) else { return }
        // Keyed with a random number of this process, so it tells equal passwords and nothing about them.
        var hasher = Hasher()
        secret.withSpan { bytes in for index in bytes.indices { hasher.combine(bytes[index]) } }
        let digest = hasher.finalize()
        places[digest, default: []].append(entries.count)
        entries.append((item, digest, strength.bits))
    }

    /// The items with problems.
    var findings: [(item: FoundItem, problems: [Problem])] {
        entries.enumerated().compactMap { index, entry in
            let (item, digest, bits) = entry
            var problems: [Problem] = []
            if bits < PasswordStrength.weakBits { problems.append(.weak(bits: bits)) }
            let twins = places[digest] ?? []
            if let other = twins.first(where: { $0 != index }) {
                problems.append(.reused(other: entries[other].item, count: twins.count - 1))
            }
            let seconds = now - item.modified.secondsSince1970
            if let age, seconds > age { problems.append(.old(days: Int(Int64(clamping: seconds / 86_400)))) }
            return problems.isEmpty ? nil : (item, problems)
        }
    }
}

extension FoundItem {
    /// The item with its problems, as JSON.
    fileprivate func json(with problems: [Audit.Problem]) -> JSON {
        var members: [(key: String, value: JSON)] = [("weakBits", .null), ("sameItems", 0), ("unchangedDays", .null)]
        for problem in problems {
            switch problem {
            case .weak(let bits): members[0].value = .decimal(bits)
            case .reused(_, let count): members[1].value = JSON(count)
            case .old(let days): members[2].value = JSON(days)
            }
        }
        return json.with(members)
    }
}
