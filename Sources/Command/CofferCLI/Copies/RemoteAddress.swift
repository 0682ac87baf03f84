internal import CofferBasics

/// The address of a vault on another machine: `ssh://[USER@]HOST[:PORT][/PATH]`.
struct RemoteAddress: Equatable {
    static let prefix = "ssh://"

    /// The host, with the user before it if one is given.
    let destination: String
    let port: UInt16?
    /// The path there; empty for the vault that the user has there.
    let path: String

    /// The address, as it was given.
    let text: String

    /// Reads an address.
    ///
    /// - Parameter text: The address.
    /// - Throws: `CommandError` if it is invalid.
    init(_ text: String) throws {
        self.text = text
        guard text.hasPrefix(Self.prefix) else { throw Self.invalid(text, "it must begin with \(Self.prefix)") }
        let rest = text.dropFirst(Self.prefix.count)
        let slash = rest.firstIndex(of: "/") ?? rest.endIndex
        let path = rest[slash...]
        // As for other programs, `/~/` stands for the home directory.
        self.path = path == "/" ? "" : String(path.hasPrefix("/~/") ? path.dropFirst() : path)
        var destination = rest[..<slash]
        let bracket = destination.lastIndex(of: "]") ?? destination.startIndex
        if let colon = destination[bracket...].lastIndex(of: ":") {
            guard let port = UInt16(destination[destination.index(after: colon)...]), port > 0 else {
                throw Self.invalid(text, "the port must be a number up to 65535")
            }
            self.port = port
            destination = destination[..<colon]
        } else {
            port = nil
        }
        // An address in brackets, as ssh takes it.
        let words = destination.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        guard
            words.allSatisfy({ word in
                // Otherwise ssh would take it for an option.
                !word.isEmpty && !word.hasPrefix("-") && word.utf8.allSatisfy(Self.isAllowed)
            })
        else {
            throw Self.invalid(
                text,
                "the host is missing, begins with - or has characters other than A-Z a-z 0-9 . - _ :"
            )
        }
        self.destination = String(destination.filter { $0 != "[" && $0 != "]" })
    }

    private static func isAllowed(_ byte: UInt8) -> Bool { byte.isLetterOrDigit || ".-_:[]%".utf8.contains(byte) }

    private static func invalid(_ text: String, _ reason: String) -> CommandError {
        .usage("invalid address \(text.printable): \(reason)", hints: ["use ssh://[USER@]HOST[:PORT][/PATH]"])
    }

    /// The command that serves the vault there.
    ///
    /// - Parameters:
    ///   - program: The ssh program.
    ///   - mayAsk: Whether ssh may ask the user.
    /// - Returns: The words of the command; the path is not among them, since a shell reads them there.
    func words(_ program: String, mayAsk: Bool) -> [String] {
        var words = [program, "-T", "-o", "ServerAliveInterval=15", "-o", "ServerAliveCountMax=3"]
        if !mayAsk { words += ["-o", "BatchMode=yes"] }
        if let port { words += ["-p", String(port)] }
        return words + ["--", destination, "coffer", "sync", "--stdio"]
    }
}
