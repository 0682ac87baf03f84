internal import CofferBasics

/// The members of an object in Coffer's own export: each once, of known names, in any order.
struct ExportMembers {
    static let ofRevision = [
        "class", "group", "protection", "accessControl", "synchronizable", "created", "modified", "written",
        "attributes", "secret", "secretBase64",
    ]
    static let ofItem = ofRevision + ["deleted", "conflicts", "history"]

    private let object: JSONNode
    private let values: [String: JSONNode]

    /// Finds the members of an object; one that has another name is an error, since it would be lost.
    init(_ object: JSONNode, _ names: [String]) throws {
        guard object.kind == .object else { throw object.expected("an object") }
        var values: [String: JSONNode] = [:]
        var unknown: JSONNode?
        object.forEachMember { key, value in
            if names.contains(key.keyName) { values[key.keyName] = value } else { unknown = unknown ?? key }
        }
        if let unknown { throw PasswordFileError.invalid("byte \(unknown.offset): unknown member") }
        (self.object, self.values) = (object, values)
    }

    subscript(name: String) -> JSONNode? { values[name] }

    func required(_ name: String) throws -> JSONNode {
        guard let value = values[name] else {
            throw PasswordFileError.invalid("byte \(object.offset): the member `\(name)` is missing")
        }
        return value
    }

    // MARK: - Revisions

    /// The item that the members describe.
    func item() throws -> ExportedItem {
        let deleted = try self["deleted"]?.date()
        if deleted != nil, let conflicts = self["conflicts"] {
            throw PasswordFileError.invalid("byte \(conflicts.offset): `conflicts` and `deleted` exclude each other")
        }
        return ExportedItem(
            try revision(),
            history: try revisions("history"),
            conflicts: try revisions("conflicts"),
            deleted: deleted
        )
    }

    /// The revisions in the member of this name.
    private func revisions(_ name: String) throws -> [ExportedItem.Revision] {
        guard let node = self[name] else { return [] }
        guard node.kind == .array else { throw node.expected("an array of revisions") }
        return try node.elements.map { try ExportMembers($0, Self.ofRevision).revision() }
    }

    /// The revision that the members describe.
    func revision() throws -> ExportedItem.Revision {
        var revision = ExportedItem.Revision(
            itemClass: try required("class").string(),
            group: try required("group").string(),
            protection: try required("protection").string()
        )
        revision.accessControl = try accessControl()
        revision.isSynchronizable = try required("synchronizable").bool()
        revision.created = try self["created"]?.date()
        revision.modified = try self["modified"]?.date()
        revision.written = try self["written"]?.date()
        revision.attributes = try attributes()
        revision.secret = try secret()
        return revision
    }

    private func accessControl() throws -> ExportedItem.AccessControl? {
        guard let node = self["accessControl"] else { return nil }
        let members = try ExportMembers(node, ["flags", "enrolled"])
        let flags = try members.required("flags")
        guard flags.kind == .number, let bits = flags.text.flatMap({ UInt32($0) }) else {
            throw flags.expected("a number from 0 to 4,294,967,295")
        }
        let enrolled = try members["enrolled"]?.base64().withSpan { [UInt8](copying: $0) }
        return ExportedItem.AccessControl(flags: bits, enrolled: enrolled)
    }

    private func attributes() throws -> [(name: String, value: ExportedItem.Value)] {
        let node = try required("attributes")
        guard node.kind == .object else { throw node.expected("an object with attributes") }
        var attributes: [(name: String, value: ExportedItem.Value)] = []
        for (name, value) in node.members {
            guard !ExportedItem.namesOfMembers.contains(name) else {
                throw PasswordFileError.invalid(
                    "byte \(value.offset): `\(name)` is not allowed here; it has a member of its own"
                )
            }
            attributes.append((name, try value.attribute()))
        }
        return attributes
    }

    private func secret() throws -> HeldSecret? {
        guard let bytes = self["secretBase64"] else { return try self["secret"]?.heldString() }
        guard self["secret"] == nil else {
            throw PasswordFileError.invalid("byte \(bytes.offset): `secret` and `secretBase64` exclude each other")
        }
        return try bytes.base64()
    }
}

// MARK: - Values

extension JSONNode {
    func expected(_ what: String) -> PasswordFileError { .invalid("byte \(offset): expected \(what)") }

    fileprivate func heldString() throws -> HeldSecret {
        guard kind == .string, let secret else { throw expected("a string") }
        return secret
    }

    fileprivate func string() throws -> String { try heldString().text }

    fileprivate func bool() throws -> Bool {
        guard kind == .bool else { throw expected("true or false") }
        return isTrue
    }

    fileprivate func base64() throws -> HeldSecret {
        guard kind == .string, let secret, let bytes = secret.withSpan(Encodings.base64) else {
            throw expected("bytes in base64")
        }
        return bytes
    }

    fileprivate func date() throws -> ExportedDate {
        if kind == .string, let text, let date = ExportedDate(text) { return date }
        guard let number = double else { throw expected("a date such as 2026-01-31T09:30:00Z") }
        return ExportedDate(secondsSinceReferenceDate: number)
    }

    /// A number, or one of the texts for those that are not finite.
    private var double: Double? {
        guard let text else { return nil }
        switch (kind, text) {
        case (.number, _):
            let number = Double(text)
            return number?.isFinite ?? false ? number : nil
        case (.string, "nan"), (.string, "inf"), (.string, "-inf"): return Double(text)
        default: return nil
        }
    }

    fileprivate func attribute() throws -> ExportedItem.Value {
        switch kind {
        case .string: return .text(try heldString())
        case .bool: return .bool(isTrue)
        case .number:
            guard let number = text.flatMap({ Int128($0) }) else { throw expected("a whole number of 128 bits") }
            return .integer(number)
        case .object:
            let members = try ExportMembers(self, ["base64", "date", "real"])
            if let node = try members.only("base64") { return .bytes(try node.base64()) }
            if let node = try members.only("date") { return .date(try node.date()) }
            if let node = try members.only("real") {
                guard let number = node.double else { throw node.expected("a number") }
                return .real(number)
            }
            throw expected("an object with `base64`, `date` or `real`")
        default: throw expected("the value of an attribute")
        }
    }
}

extension ExportMembers {
    /// The member of this name, if there is no other.
    fileprivate func only(_ name: String) throws -> JSONNode? {
        guard let value = values[name] else { return nil }
        guard values.count == 1 else { throw object.expected("an object with one member") }
        return value
    }
}
