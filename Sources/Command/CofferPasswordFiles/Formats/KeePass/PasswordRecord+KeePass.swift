internal import CofferBasics

extension PasswordRecord {
    mutating func readKeePassStrings(_ strings: inout KeePassStrings) {
        title = strings.take("Title")?.text ?? ""
        account = strings.take("UserName")?.text ?? ""
        secret = strings.take("Password")
        notes = strings.take("Notes")
        addSite(strings.take("URL")?.text)
        // Of the plugin for Android and of KeePassXC: KP2A_URL, KP2A_URL_1, …
        for address in strings.takeAll(withPrefix: "KP2A_URL") { addSite(address.text) }
        readKeePassGenerators(&strings)
        readKeePassPasskey(&strings)
        fields += strings.fields
    }

    private mutating func readKeePassGenerators(_ strings: inout KeePassStrings) {
        var found: [HeldSecret] = []
        for (names, result) in OneTimePasswordURI.inFields({ [strings] in strings[$0] }) {
            do throws(OneTimePasswordError) {
                let generator = try result.get()
                for name in names { _ = strings.take(name) }
                // An entry may have one generator in two forms, with a label in one of them.
                var unlabeled = generator
                (unlabeled.label, unlabeled.issuer) = ("", "")
                let text = unlabeled.text
                guard !found.contains(where: { $0 == text }) else { continue }
                found.append(text)
                add(generator)
            } catch {
                losses.append("the one-time password was kept as a field: \(error.description)")
            }
        }
    }

    private mutating func readKeePassPasskey(_ strings: inout KeePassStrings) {
        let prefix = "KPEX_PASSKEY_"
        guard let key = strings[prefix + "PRIVATE_KEY_PEM"] else { return }
        // Older versions had other names for the identifier and the user; KeePassXC prefers the old identifier.
        let idNames = ["GENERATED_USER_ID", "CREDENTIAL_ID"].map { prefix + $0 }.filter { strings[$0] != nil }
        guard let keyBytes = key.withSpan(PrivateKeyPEM.decoded), let idName = idNames.first,
            let id = strings[idName]?.base64Decoded,
            let handle = (strings[prefix + "USER_HANDLE"] ?? HeldSecret(text: "")).base64Decoded
        else {
            return losses.append("passkey without a valid key and identifier; kept as fields")
        }
        let userName = (strings.take(prefix + "USERNAME") ?? strings.take("KPXC_PASSKEY_USERNAME"))?.text ?? ""
        passkeys.append(
            Passkey(
                relyingParty: strings.take(prefix + "RELYING_PARTY")?.text ?? "",
                userName: userName,
                displayName: "",
                credentialID: id.array,
                userHandle: handle.array,
                key: keyBytes
            )
        )
        for name in [prefix + "PRIVATE_KEY_PEM", idName, prefix + "USER_HANDLE"] { _ = strings.take(name) }
    }

    mutating func readKeePassTimes(_ times: XMLNode?) {
        func date(_ name: String) -> (text: String, date: Int64?)? {
            guard let text = times?[name]?.text.trimmed, !text.isEmpty else { return nil }
            return (text, FileDate.keePass(text))
        }
        for (name, property) in [("CreationTime", \PasswordRecord.created), ("LastModificationTime", \.changed)] {
            guard let (text, date) = date(name) else { continue }
            self[keyPath: property] = date
            if date == nil { add(name, text: text) }
        }
        guard times?["Expires"]?.text.trimmed.lowercased() == "true", let (text, date) = date("ExpiryTime") else {
            return
        }
        add("ExpiryTime", text: date.flatMap(FileDate.iso8601) ?? text)
    }

    /// Reads the earlier versions of an entry, the oldest first, for their passwords.
    mutating func readKeePassHistory(_ history: XMLNode?) {
        let versions = (history?.children ?? []).filter { $0.hasName("Entry") }
        guard !versions.isEmpty else { return }
        losses.append("\(versions.count) earlier versions; only their passwords are taken")
        var former: [FormerSecret] = []
        var previous: HeldSecret?
        for version in versions {
            var strings = KeePassStrings(of: version, losses: &losses)
            let password = strings.take("Password")
            let time = version["Times"]?["LastModificationTime"].flatMap { FileDate.keePass($0.text.trimmed) }
            if let previous, previous != password {
                // A version was valid until the next one was made.
                former.append(FormerSecret(previous, time: time))
            }
            previous = password
        }
        if let previous, previous != secret {
            former.append(FormerSecret(previous, time: changed))
        }
        addFormerSecrets(former)
    }

    /// Reads what an entry has besides strings.
    mutating func readKeePassSettings(_ entry: XMLNode) {
        let separators: [Character] = [";", ","]
        tags = (entry["Tags"]?.text ?? "").split { separators.contains($0) }.map(\.trimmed).filter { !$0.isEmpty }
        add("OverrideURL", entry["OverrideURL"]?.secret)
        for name in ["ForegroundColor", "BackgroundColor"] { add(name, entry[name]?.secret) }
        if entry["CustomIconUUID"]?.secret.isEmpty == false { losses.append("the icon") }
        if let autoType = entry["AutoType"] {
            add("auto-type", autoType["DefaultSequence"]?.secret)
            for association in autoType.children where association.hasName("Association") {
                let window = association["Window"]?.text ?? ""
                add(Self.name(window, in: "auto-type"), association["KeystrokeSequence"]?.secret)
                if association["KeystrokeSequence"]?.secret.isEmpty != false, !window.isEmpty {
                    add("auto-type", text: window)
                }
            }
        }
        for item in entry["CustomData"]?.children ?? [] where item.hasName("Item") {
            let key = item["Key"]?.text ?? ""
            // The date of the last change of these data.
            guard key != "_LAST_MODIFIED" else { continue }
            add(key, item["Value"]?.secret, isHidden: true)
        }
    }
}
