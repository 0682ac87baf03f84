internal import Coffer
internal import CofferBasics
internal import CofferPasswordFiles

extension NewItem {
    /// An item of an export of our own, with its history and its conflicts: `Spec/export.md`.
    ///
    /// - Parameters:
    ///   - exported: The item.
    ///   - place: Where it is in the file.
    /// - Throws: `PasswordFileError` if the vault cannot have it as it was.
    init(_ exported: ExportedItem, at place: String) throws(PasswordFileError) {
        guard let itemClass = KeychainClass(rawValue: exported.current.itemClass), itemClass != .identity else {
            throw .invalid("unknown class")
        }
        self.init(itemClass, [:], secret: exported.current.secret)
        (self.place, isWhole) = (place, true)
        attributes = try AttributeValues(exported.current)
        created = exported.current.created.map { KeychainDate($0) }
        modified = exported.current.modified.map { KeychainDate($0) }
        written = exported.current.written.map { KeychainDate($0) }
        for revision in exported.history { former.append(try Revision(revision)) }
        for revision in exported.conflicts { conflicts.append(try Revision(revision)) }
        isDeleted = exported.deleted != nil
    }
}

extension NewItem.Revision {
    fileprivate init(_ exported: ExportedItem.Revision) throws(PasswordFileError) {
        attributes = try AttributeValues(exported)
        secret = exported.secret
        created = exported.created.map { KeychainDate($0) }
        modified = exported.modified.map { KeychainDate($0) }
        written = exported.written.map { KeychainDate($0) }
    }
}

extension KeychainDate {
    fileprivate init(_ date: ExportedDate) {
        self.init(secondsSinceReferenceDate: date.secondsSinceReferenceDate)
    }
}

extension AttributeValues {
    fileprivate init(_ revision: ExportedItem.Revision) throws(PasswordFileError) {
        self.init()
        for (name, value) in revision.attributes { self[name] = try ItemValue(value, of: name) }
        self[.accessGroup] = .string(revision.group)
        if revision.isSynchronizable { self[.synchronizable] = .integer(1) }
        guard let accessibility = Accessibility(rawValue: revision.protection) else {
            throw .invalid("unknown protection class")
        }
        guard let control = revision.accessControl else {
            self[.accessibility] = .string(accessibility.rawValue)
            return
        }
        let conditions = AccessControl.Conditions(rawValue: control.flags)
        guard let control = AccessControl(accessibility, conditions, enrolled: control.enrolled) else {
            throw .invalid("the conditions of its access control contradict each other")
        }
        self[.accessControl] = .accessControl(control)
    }
}

extension ItemValue {
    fileprivate init(_ value: ExportedItem.Value, of name: String) throws(PasswordFileError) {
        switch value {
        case .text(let text):
            self = .string(text.withSpan { String(decoding: Array(copying: $0), as: UTF8.self) })
        case .bytes(let bytes): self = .data(bytes.withSpan { Array(copying: $0) })
        case .integer(let number):
            guard let number = Int64(exactly: number) else {
                throw .invalid("the number of `\(name.printable)` has more than 64 bits")
            }
            self = .integer(number)
        case .real(let number): self = .real(number)
        case .bool(let flag): self = .bool(flag)
        case .date(let date): self = .date(secondsSinceReferenceDate: date.secondsSinceReferenceDate)
        }
    }
}
