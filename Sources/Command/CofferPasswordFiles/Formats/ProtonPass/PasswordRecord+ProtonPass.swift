internal import CofferBasics

extension PasswordRecord {
    /// Reads the data of an item; what is not taken stays in `data`.
    mutating func readProtonData(_ data: inout JSONMembers, alias: HeldSecret?) {
        var metadata = data.members("metadata")
        title = metadata.text("name") ?? ""
        let note = metadata.secret("note")
        metadata.skip("itemUuid")
        let type = data.text("type") ?? ""
        var content = data.members("content")
        switch type {
        case "login":
            kind = .login
            readProtonLogin(&content)
        case "alias":
            account = alias?.text ?? ""
        case "creditCard": kind = .card
        case "note": kind = .note
        case "identity": kind = .identity
        case "sshKey":
            kind = .key
            secret = content.secret("privateKey")
            add("publicKey", content.secret("publicKey"))
        case "wifi":
            kind = .wifi
            account = content.text("ssid") ?? ""
            secret = content.secret("password")
        case "custom": break
        default: losses.append("unknown type \"\(type.printable)\" of item; all of it is in fields")
        }
        if kind == .note { secret = note } else { notes = note }
        if type != "alias" { add("alias", alias) }
        for field in data.objects("extraFields") { addProtonField(field) }
        readProtonSections(&content)
        let isKnown = ["creditCard", "identity"].contains(type)
        content.forEachRest { name, value in
            add(name, value, isHidden: !isKnown || Self.isSecretName(name) || !value.isScalar)
        }
        addRest(of: metadata)
        addProtonPlatforms(data.members("platformSpecific"))
    }

    private mutating func readProtonLogin(_ content: inout JSONMembers) {
        let mail = content.secret("itemEmail")
        // Older files have `username` only.
        setAccount(content.secret("itemUsername") ?? content.secret("username"), orField: "username")
        setAccount(mail, orField: "email")
        secret = content.secret("password")
        let urls = content.texts("urls")
        addProtonAddresses(content.objects("autofillUrls"), urls: urls)
        addOneTimePassword(content.secret("totpUri"), field: "totpUri")
        for passkey in content.objects("passkeys") {
            let site = passkey["rpId"]?.text ?? passkey["domain"]?.text ?? ""
            losses.append("passkey for \(site.printable): its key has a form of Proton's own; kept as a field")
            add("passkey", passkey, isHidden: true)
        }
    }

    /// Adds addresses with their modes; `urls` are those in the default mode, in older files all.
    mutating func addProtonAddresses(_ addresses: [JSONNode], urls: [String]) {
        // A set, since both may be long.
        var known: Set<String> = []
        for address in addresses {
            var members = JSONMembers(address)
            guard let url = members.text("url")?.trimmed, !url.isEmpty else {
                add("autofillUrls", address, isHidden: true)
                continue
            }
            let mode = members.text("mode")?.lowercased() ?? "0"
            if let name = Self.protonFieldNames[mode] {
                add("autofill \(name)", text: url)
            } else if known.insert(url).inserted {
                sites.append(url)
                if !["0", "default"].contains(mode) {
                    losses.append("address \(sites.count) has the mode \(mode.shortened.printable)")
                }
            }
            addRest(of: members, in: "autofillUrls")
        }
        for url in urls where known.insert(url).inserted { sites.append(url) }
    }

    /// The modes of addresses that are not sites: a rule that blocks one, and two kinds of patterns.
    private static let protonFieldNames = [
        "2": "never", "never": "never", "4": "pattern", "pattern": "pattern", "5": "regular expression",
        "regex": "regular expression", "regular expression": "regular expression",
    ]

    /// Adds the fields of sections, and of lists with other names.
    private mutating func readProtonSections(_ content: inout JSONMembers) {
        for name in ["extraPersonalDetails", "extraAddressDetails", "extraContactDetails", "extraWorkDetails"] {
            for field in content.objects(name) { addProtonField(field) }
        }
        for name in ["sections", "extraSections"] {
            for section in content.objects(name) {
                var members = JSONMembers(section)
                let title = members.text("sectionName") ?? ""
                beginSection(title)
                for field in members.objects("sectionFields") { addProtonField(field, section: title) }
                addRest(of: members, in: title)
            }
        }
    }

    private mutating func addProtonField(_ field: JSONNode, section: String = "") {
        var members = JSONMembers(field)
        let name = Self.name(members.text("fieldName") ?? "", in: section)
        let type = members.text("type")
        var data = members.members("data")
        addOneTimePassword(data.secret("totpUri"), field: name)
        add(name, data.secret("content"), isHidden: type != "text")
        add(name, data.secret("timestamp"))
        addRest(of: data, in: name)
        addRest(of: members, in: name)
    }

    /// Names the Android programs that may fill in the login.
    private mutating func addProtonPlatforms(_ platforms: JSONMembers) {
        var platforms = platforms
        var android = platforms.members("android")
        for program in android.elements("allowedApps") {
            add("Android program", program["packageName"] ?? program)
        }
        addRest(of: android, in: "android")
        addRest(of: platforms)
    }
}
