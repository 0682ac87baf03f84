/// What an item of 1Password is.
struct OnePasswordCategory {
    let kind: PasswordRecord.Kind
    /// The identifiers of the fields that are account, password and address, in categories without fields of a login.
    var account = ""
    var secret = ""
    var site = ""

    /// The categories by their identifiers.
    static let all: [String: OnePasswordCategory] = [
        "001": Self(kind: .login), "002": Self(kind: .card), "003": Self(kind: .note), "004": Self(kind: .identity),
        // A password, a document, a license, a bank account, a database.
        "005": Self(kind: .login), "006": Self(kind: .other), "100": Self(kind: .other), "101": Self(kind: .other),
        "102": Self(kind: .login, account: "username", secret: "password", site: "hostname"),
        // Licenses for driving and outdoors, a membership, a passport, rewards, social security.
        "103": Self(kind: .identity), "104": Self(kind: .identity), "105": Self(kind: .identity),
        "106": Self(kind: .identity), "107": Self(kind: .other), "108": Self(kind: .identity),
        // A router, a server, a mail account, an API credential.
        "109": Self(kind: .wifi, account: "network_name", secret: "wireless_password", site: "server"),
        "110": Self(kind: .login, account: "username", secret: "password", site: "url"),
        "111": Self(kind: .login, account: "pop_username", secret: "pop_password", site: "pop_server"),
        "112": Self(kind: .other, account: "username", secret: "credential", site: "hostname"),
        // A medical record, an SSH key, a crypto wallet.
        "113": Self(kind: .other), "114": Self(kind: .key), "115": Self(kind: .other),
    ]
}
