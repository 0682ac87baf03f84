internal import CofferBasics

/// The question that a program asks.
package enum AskpassPrompt: Equatable {
    /// The user of a server: git.
    case username(url: String)
    /// The password of a server: git.
    case password(url: String)
    /// The password of a user on a machine: ssh.
    case login(user: String, host: String)
    /// The passphrase of a private key: ssh.
    case key(path: String)
    /// The password of the user of this machine: sudo.
    case sudo(user: String)
    /// A request for confirmation, which only a person answers.
    case confirmation
    /// A passphrase once more, since the last answer was wrong: ssh repeats this as long as it gets an answer.
    case again
    /// Anything else.
    case unknown

    /// Recognizes the question in `text`.
    package init(_ text: String) {
        let text = text.trimmedEnd
        // Only a person can confirm a host key, whatever else the question contains.
        if text.contains(text: "(yes/no") || text.contains(text: "'yes'") {
            self = .confirmation
        } else if text.hasPrefix("Bad passphrase, try again") {
            self = .again
        } else if let url = text.between("Username for '", "':") {
            self = .username(url: url)
        } else if let url = text.between("Password for '", "':") {
            self = .password(url: url)
        } else if let path = text.between("Enter passphrase for key '", "':") {
            self = .key(path: path)
        } else if let path = text.between("Enter passphrase for ", " (will confirm each use):") {
            self = .key(path: path)
        } else if let path = text.between("Enter passphrase for ", ":"), !path.hasPrefix("key '") {
            self = .key(path: path)
        } else if let user = text.between("[sudo] password for ", ":") {
            self = .sudo(user: user)
        } else if let login = text.between("", "'s password:") ?? text.between("(", ") Password:"),
            let at = login.lastIndex(of: "@")
        {
            self = .login(user: String(login[..<at]), host: String(login[login.index(after: at)...]))
        } else {
            self = .unknown
        }
    }

    /// Whether the typed answer is shown.
    package var isShown: Bool {
        switch self {
        case .username, .confirmation: true
        case .password, .login, .key, .sudo, .again, .unknown: false
        }
    }
}

extension String {
    fileprivate var trimmedEnd: String {
        var rest = self[...]
        while rest.last == " " || rest.last == "\n" { rest = rest.dropLast() }
        return String(rest)
    }

    /// The text between a prefix and a suffix, if it has both and the rest is not empty.
    fileprivate func between(_ start: String, _ end: String) -> String? {
        guard hasPrefix(start), hasSuffix(end), utf8.count > start.utf8.count + end.utf8.count else { return nil }
        return String(dropFirst(start.count).dropLast(end.count))
    }
}
