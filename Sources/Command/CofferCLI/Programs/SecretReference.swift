internal import Coffer
internal import CofferBasics

/// The name of an item whose secret stands in its place: in an option, in a file of variables, in a template.
struct SecretReference {
    /// What begins a reference in a text.
    static let start = "coffer:"

    /// The word that names the item: `kim@mail`, or another form of `Spec/command.md`, section 2.
    let item: String
    /// Where the reference stands, for errors; nil in an option.
    var place: String?

    /// The secret of the item.
    func secret(in keychain: Keychain, for run: CommandRun) throws -> HeldSecret {
        let selection = ItemSelection(service: item, account: nil, group: run.arguments.value(of: .group))
        do {
            guard let secret = try selection.withSecret.item(in: keychain).secret(in: keychain) else {
                throw CommandError(.notFound, "the item \(selection.description) has no secret")
            }
            return secret
        } catch let error as CommandError {
            throw place.map { error.at($0) } ?? error
        }
    }
}

extension SecretReference {
    /// The reference that a text is as a whole; nil if the text is something else.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - place: Where it stands.
    /// - Throws: `CommandError` if it names no item.
    init?(_ text: Span<UInt8>, at place: String) throws {
        guard text.has(Self.start.utf8), text.isText else { return nil }
        let word = text.extracting(Self.start.utf8.count...).attributeText.string ?? ""
        do {
            self.init(item: try SecretAssignment.item(word, of: Self.start), place: place)
        } catch let error as CommandError {
            throw error.at(place)
        }
    }
}
