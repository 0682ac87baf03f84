internal import Coffer
internal import CofferBasics

/// The credential that an item holds for a program that only reads it: `Spec/command.md`, section 13.
struct ServedCredential {
    let selection: ItemSelection
    let item: FoundItem
    /// The secret of the item: a token or the like, or a JSON object with the whole credential.
    let secret: HeldSecret

    /// The credential of the only item that matches.
    init(_ run: CommandRun, _ selection: ItemSelection) throws {
        self.selection = selection
        let (item, secret) = try run.withItem(selection.withSecret) { item, keychain in
            (item, try item.secret(in: keychain))
        }
        guard let secret else { throw CommandError(.notFound, "the item \(selection.description) has no secret") }
        (self.item, self.secret) = (item, secret)
    }

    /// The string values of `keys`, if the secret is a JSON object; nil if it is anything else.
    func texts(of keys: [String]) throws -> [String: HeldSecret]? {
        guard secret.withSpan({ !$0.isEmpty && $0[0] == UInt8(ascii: "{") }) else { return nil }
        do {
            return try secret.texts(of: keys)
        } catch {
            throw CommandError(.undecodable, "the secret of \(selection.description): \(CommandError(error).message)")
        }
    }
}

extension CommandRun {
    /// Throws if a credential has expired.
    func check(expiry: HeldSecret?, of selection: ItemSelection) throws {
        guard let expiry = expiry?.text else { return }
        let end = PastTimeParser.seconds(expiry.string ?? "", now: now, secondsFromUTC: context.secondsFromUTC)
        guard let end else {
            throw CommandError(.undecodable, "the time at which \(selection.description) expires is invalid")
        }
        guard end > now else {
            throw CommandError(
                .failure,
                "the credential \(selection.description) expired at \(expiry.shown)",
                hints: ["store a new one with `coffer set --force`"]
            )
        }
    }
}
