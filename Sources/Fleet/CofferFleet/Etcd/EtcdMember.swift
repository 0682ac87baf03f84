internal import CofferBasics

/// The status of a member of a cluster.
package struct EtcdMember: Equatable, Sendable {
    package let version: String
    /// The size of its database, and its quota, above which it refuses to write; nil if that is unknown.
    package let byteCount: Int64
    package let byteCountLimit: Int64?
    /// Whether it knows a leader.
    package let hasLeader: Bool
    /// The errors that it reports.
    package let complaints: [String]

    init(_ answer: JSONNode, byteCountLimit: Int64?) {
        self.byteCountLimit = byteCountLimit
        version = answer["version"]?.text ?? "unknown"
        byteCount = answer.number("dbSize")
        hasLeader = answer["leader"]?.text.map { $0 != "0" } ?? false
        complaints = answer["errors"]?.elements.compactMap(\.text) ?? []
    }
}

extension EtcdMember {
    /// The faults that this version is known for; nil if none are.
    package var knownFaults: String? {
        let numbers = version.split(separator: ".").map { Int($0) ?? 0 }
        guard numbers.count == 3 else { return nil }
        return switch (numbers[0], numbers[1], numbers[2]) {
        case (...3, ..<4, _): "it is older than 3.4, with which nothing was tried"
        case (3, 4, ..<42): "reads may be outdated, and watches lose events; 3.4.42 is without these faults"
        case (3, 5, ..<3): "members may differ after a crash; 3.5.3 is without this fault"
        default: nil
        }
    }
}
