/// What an item of 1Password is.
struct OnePasswordCategory {
    let name: String
    let kind: PasswordRecord.Kind
    /// The identifiers of the fields that are account, password and address, in categories without fields of a login.
    let account: String
    let secret: String
    let site: String

    private init(
        _ name: String,
        _ kind: PasswordRecord.Kind,
        account: String = "",
        secret: String = "",
        site: String = ""
    ) {
        (self.name, self.kind) = (name, kind)
        (self.account, self.secret, self.site) = (account, secret, site)
    }

    /// The category of an identifier; without a name if it is unknown.
    init(id: String) {
        self =
            switch id {
            case "001": Self("login", .login)
            case "002": Self("card", .card)
            case "003": Self("note", .note)
            case "004": Self("identity", .identity)
            case "005": Self("password", .login)
            case "006": Self("document", .other)
            case "100": Self("license", .other)
            case "101": Self("bank account", .other)
            case "102": Self("database", .login, account: "username", secret: "password", site: "hostname")
            case "103": Self("driving license", .identity)
            case "104": Self("outdoor license", .identity)
            case "105": Self("membership", .identity)
            case "106": Self("passport", .identity)
            case "107": Self("rewards", .other)
            case "108": Self("social security", .identity)
            case "109": Self("router", .wifi, account: "network_name", secret: "wireless_password", site: "server")
            case "110": Self("server", .login, account: "username", secret: "password", site: "url")
            case "111":
                Self("mail account", .login, account: "pop_username", secret: "pop_password", site: "pop_server")
            case "112": Self("API credential", .other, account: "username", secret: "credential", site: "hostname")
            case "113": Self("medical record", .other)
            case "114": Self("SSH key", .key)
            case "115": Self("crypto wallet", .other)
            default: Self("", .other)
            }
    }
}
