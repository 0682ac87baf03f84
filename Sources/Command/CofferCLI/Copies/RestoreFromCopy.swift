internal import Coffer
internal import CofferBasics

extension CommandRun {
    /// Gives an item the content that it has in a copy of the vault.
    func restore(_ selection: ItemSelection, fromCopyAt path: String) throws {
        guard selection.service != nil else { throw CommandError.usage("--from needs NAME: which item is meant?") }
        guard !arguments.has(.at) else { throw CommandError.usage("--from and --at exclude each other") }
        let vault = try vaults.vault(for: .changing)
        if !vault.isUnlocked { try vaults.unlock(vault) }
        let copy = try copy(at: path, of: vault, place: path)
        let (item, secret) = try vaults.withKeychain(ofCopy: copy) { keychain in
            let item = try selection.item(in: keychain)
            return (item, try item.secret(in: keychain))
        }
        if try vault.mergePreview(with: copy).leftOut.contains(where: { $0.isOwn == false && $0.group == item.group }) {
            messages.warning(
                """
                access to \(item.group.printable) was revoked since \(path.printable) was made, so somebody without access could \
                have changed it
                """
            )
        }
        guard let type = item.itemClass.itemType else { throw selection.notFound }
        let isChanged = try vaults.withKeychain(for: .changing) { keychain in
            try keychain.restore(type, item, secret)
        }
        messages.note(isChanged ? "restored \(item.shownName)" : "\(item.shownName) is the same now")
        if isJSON { try output.write(json: ["restored": JSON(isChanged ? 1 : 0), "same": JSON(isChanged ? 0 : 1)]) }
    }
}

extension Keychain {
    /// Gives the item with this name these attributes and this secret, or adds it; returns whether that is a change.
    fileprivate func restore<Item: KeychainItem>(
        _ type: Item.Type,
        _ found: FoundItem,
        _ secret: HeldSecret?
    ) throws -> Bool {
        let item = Item(attributes: found.attributes)
        guard let current = try found.current(type, in: self) else {
            guard let secret else {
                try add(item)
                return true
            }
            _ = try secret.withSpan { bytes in try add(item, secret: bytes) }
            return true
        }
        let hasSameSecret = try heldSecret(of: current.reference) == secret
        guard current.item.attributes != item.attributes || !hasSameSecret else { return false }
        try transaction { transaction in
            try transaction.update(current.reference, ifRevision: current.revision) { $0 = item }
            guard !hasSameSecret else { return }
            guard let secret else {
                try transaction.removeSecret(of: current.reference)
                return
            }
            _ = try secret.withSpan { bytes in try transaction.setSecret(bytes, of: current.reference) }
        }
        return true
    }
}
