internal import CofferBasics

extension PasswordRecord {
    mutating func readOnePasswordOverview(_ overview: JSONMembers) {
        var overview = overview
        title = overview.text("title") ?? ""
        // Made from other fields, or statistics of the program.
        overview.skip("subtitle", "ps", "pbe", "pgrng", "icons", "watchtowerExclusions", "ainfo")
        let main = overview.text("url")
        for address in overview.objects("urls") {
            var members = JSONMembers(address)
            addSite(members.text("url"))
            if let label = members.text("label"), label != "website" {
                add("label of address \(sites.count)", text: label)
            }
            addRest(of: members, in: "urls")
        }
        // Normally the first of the addresses again.
        if let main, !sites.contains(main) { sites.insert(main, at: 0) }
        tags = overview.texts("tags")
        addRest(of: overview)
    }

    /// Adds a field of a login form.
    mutating func addOnePasswordLoginField(_ field: JSONNode) {
        var members = JSONMembers(field)
        let value = Self.onePasswordText(of: members.take("value"))
        let designation = members.text("designation")
        let (name, id) = (members.text("name"), members.text("id"))
        let fieldName = name ?? id ?? designation ?? ""
        let isPassword = members.text("fieldType") == "P"
        switch designation {
        case "username": setAccount(value, orField: fieldName)
        case "password": setSecret(value, orField: fieldName)
        default: add(fieldName, value, isHidden: isPassword)
        }
        addRest(of: members, in: "loginFields")
    }

    /// The text of a value, which may be in an object with a single text in it.
    private static func onePasswordText(of value: JSONNode?) -> HeldSecret? {
        guard let value else { return nil }
        if value.isScalar { return value.secret }
        let texts = value.members.filter { !$0.value.isEmpty }
        return texts.count == 1 && texts[0].value.isScalar ? texts[0].value.secret : value.source
    }

    /// Adds a field of a section, whose value is an object with a member that says what it is.
    ///
    /// - Parameters:
    ///   - field: The field.
    ///   - section: The title of its section.
    ///   - category: The category of the item.
    ///   - title: Returns the title of another item by its identifier.
    mutating func addOnePasswordField(
        _ field: JSONNode,
        section: String,
        category: OnePasswordCategory,
        titleOf title: (String) -> String?
    ) {
        var members = JSONMembers(field)
        let id = members.text("id") ?? ""
        let name = Self.name(members.text("title") ?? id, in: section)
        let isGuarded = members.isTrue("guarded")
        members.skip("multiline", "dontGenerate", "inputTraits", "placeholder", "clipboardFilter", "indexAtSource")
        var values = members.members("value")
        if !takeRole(id, of: category, &values) {
            readValues(of: &values, name: name, isHidden: isGuarded, titleOf: title)
        }
        values.forEachRest { kind, value in
            // Unknown kinds may be secret.
            let visible = ["string", "url", "phone", "menu", "gender", "creditCardType"]
            add(name, value, isHidden: isGuarded || !visible.contains(kind))
        }
        addRest(of: members, in: name)
    }

    /// Takes a value that is the account, the password or the address of the record.
    private mutating func takeRole(_ id: String, of category: OnePasswordCategory, _ values: inout JSONMembers) -> Bool
    {
        guard !id.isEmpty else { return false }
        switch id {
        case category.account where account.isEmpty:
            account = values.text("string") ?? ""
            return !account.isEmpty
        case category.secret where secret == nil:
            secret = values.secret("concealed") ?? values.secret("string")
            return secret != nil
        case category.site where sites.isEmpty:
            addSite(values.text("url") ?? values.text("string"))
            return !sites.isEmpty
        default: return false
        }
    }

    private mutating func readValues(
        of values: inout JSONMembers,
        name: String,
        isHidden: Bool,
        titleOf title: (String) -> String?
    ) {
        addOneTimePassword(values.secret("totp"), field: name)
        if let key = values.object("sshKey") { addOnePasswordKey(key, field: name) }
        if let mail = values.take("email") {
            let isOpen = mail.kind != .object || mail["provider"] == nil
            add(name, isOpen ? Self.onePasswordText(of: mail) : mail.source, isHidden: isHidden)
        }
        values.members("address").forEachRest { part, value in add(Self.name(part, in: name), value, isHidden: isHidden)
        }
        // The time of day is always noon.
        let date = values.take("date") { $0.integer.flatMap(FileDate.iso8601) }
        add(name, text: date.map { String($0.prefix(10)) })
        if let month = values.integer("monthYear") { add(name, text: String(month)) }
        if let id = values.text("reference") {
            if let title = title(id) {
                add(name, text: title)
            } else {
                losses.append("field \"\(name.printable)\" refers to an item that is not in the file")
            }
        }
    }

    private mutating func addOnePasswordKey(_ key: JSONNode, field name: String) {
        var members = JSONMembers(key)
        var metadata = members.members("metadata")
        // The key outside of the metadata is not always in the same form.
        let outer = members.secret("privateKey")
        setSecret(metadata.secret("privateKey") ?? outer, orField: Self.name("private key", in: name))
        add("public key", metadata.secret("publicKey"))
        add("fingerprint", metadata.secret("fingerprint"))
        add("key type", metadata.secret("keyType"))
        addRest(of: metadata, in: name)
        addRest(of: members, in: name)
    }
}

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
