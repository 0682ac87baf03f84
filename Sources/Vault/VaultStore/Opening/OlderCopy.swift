internal import CofferBasics
internal import VaultFiles
package import VaultFormat

/// A file that is older than another one of the same vault, which this machine has at another location.
package struct OlderCopy: Equatable, Sendable {
    package let path: String
    /// The path of the later file.
    package let laterPath: String
    /// How many changes the later file has more, if they are counted alike.
    package let missingCount: UInt64
    /// When the last change of the older file was made, such as *2 days ago*; nil if it does not say.
    package let age: String?
}

extension OlderCopy: CustomStringConvertible {
    /// What it is, how old, and what to do.
    package var description: String {
        let facts = [
            missingCount > 0 ? "\(missingCount) \(missingCount == 1 ? "change" : "changes") behind it" : nil,
            age.map { "last changed \($0)" },
        ]
        let details = facts.compactMap(\.self).joined(separator: " and ")
        return """
            it is an older copy of \(laterPath.printable)\(details.isEmpty ? "" : ", \(details)"); take over what only \
            it has with: coffer sync --take \(path.shellPath) --vault \(laterPath.shellPath)
            """
    }
}

extension Time {
    /// How long before `now` this was, in days.
    package func age(at now: Time) -> String {
        // Durations have room for any difference of two times.
        let elapsed = Duration.microseconds(now.microseconds) - .microseconds(microseconds)
        return switch elapsed / .seconds(86_400) {
        case ..<1: "less than a day ago"
        case ..<2: "a day ago"
        case let days: "\(Int(days)) days ago"
        }
    }
}

extension VaultOpener {
    /// Returns how a vault that was rolled back is older than a file at another location of this machine.
    ///
    /// The result is nil, so the vault counts as rolled back, if its location has an anchor of its own, or if no later file
    /// is where this machine wrote one; only the keys show that.
    func olderCopy(_ opened: borrowing Opened) -> OlderCopy? {
        guard opened.rollback == .anchor(.rollback), let anchors = opened.anchor, !anchors.knowsLocation else {
            return nil
        }
        let generation = opened.generation
        let reached = generation.reached(tail: opened.tail)
        for other in anchors.otherLocations() {
            guard other.anchor.verdict(on: reached, chain: { _ in nil }) == .rollback,
                let later = latest(at: other.path, generation.keyring.roots)
            else { continue }
            let (number, latest) = (generation.position.sequence, later.position.sequence)
            let now = Time(microseconds: environment.time.wallMicroseconds())
            return OlderCopy(
                path: location.path,
                laterPath: other.path,
                missingCount: latest > number ? latest - number : 0,
                age: generation.lastChangeTime?.age(at: now)
            )
        }
        return nil
    }

    /// Returns the vault at a location that has an anchor, if it is as this machine left it there or newer.
    private func latest(at path: String, _ roots: Roots) -> OpenGeneration? {
        var options = options
        options.mayWrite = false
        guard let place = try? environment.files.locate(path) else { return nil }
        let opener = VaultOpener(
            location: VaultLocation(path: path, place: place),
            environment: environment,
            options: options
        )
        let latest = try? opener.opened(current: nil, usesIndex: false, allowsOlder: false, roots: { _ in roots })
        // Its own anchor says that: what the directory lists may be named wrongly.
        guard let latest, latest.anchor?.knowsLocation == true, latest.rollback == nil else { return nil }
        return latest.generation
    }
}
