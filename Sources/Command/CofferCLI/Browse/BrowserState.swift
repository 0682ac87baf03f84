internal import Coffer
internal import CofferBasics
internal import CofferPasswordFiles
internal import CofferScreen
internal import CofferCertificates

/// What the browser shows.
struct BrowserState {
    enum Pane { case scopes, items, details }

    /// Which items are listed.
    enum Scope: Equatable {
        case all
        case itemClass(KeychainClass)
        case group(String)
        case deleted
    }

    /// What is known of the selected item.
    struct Details {
        let item: FoundItem
        let facts: [(name: String, value: String)]
        let certificate: X509Certificate?
        let changes: [HistoryChange]
        /// Why not all is known.
        let problem: String?
    }

    var hidesSecrets = false
    var isLight = false

    // MARK: - The vault

    var vault: Vault?
    var path = ""
    /// The path for people: `~` stands for the home directory.
    var shownPath = ""
    var isUnlocked = false
    /// Whether a vault is shown of which more can be seen with its passphrase.
    var isLocked: Bool { vault != nil && !isUnlocked }
    /// What can be seen of a vault that cannot be opened yet.
    var outline: VaultOutline?
    private(set) var items: [FoundItem] = []
    private var searchable: [SearchableItem] = []
    private(set) var deleted: [FoundItem] = []
    /// What is there and not listed, in words.
    var missing: String?

    // MARK: - The view

    var focus = Pane.items
    /// What the user searches for.
    var query = TextField()
    var isSearching = false
    private(set) var scopes: [(scope: Scope, count: Int)] = []
    var scopeWindow = ListWindow()
    private(set) var listed: [FoundItem] = []
    var itemWindow = ListWindow()
    var details: Details?
    var changeWindow = ListWindow()
    /// The change that is compared with another one.
    var marked: Int?
    var message: (text: String, time: UInt64)?
    /// The secret that is shown, and since when.
    private(set) var secret: HeldSecret?
    private(set) var secretTime: UInt64?
    /// The generator of one-time passwords that the secret is; then its current password is shown.
    private(set) var generator: OneTimePasswordURI?
    /// Where the panes were drawn, for the mouse.
    var places: [(pane: Pane, rect: Rect)] = []

    var scope: Scope { scopeWindow.selected.map { scopes[$0].scope } ?? .all }
    var selected: FoundItem? { itemWindow.selected.map { listed[$0] } }
    var selectedChange: HistoryChange? {
        guard let changes = details?.changes, let index = changeWindow.selected, index < changes.count else {
            return nil
        }
        return changes[index]
    }

    // MARK: - Changes

    mutating func show(_ secret: HeldSecret, at time: UInt64) {
        (self.secret, secretTime, generator) = (secret, time, OneTimePasswordURI(uri: secret))
    }

    mutating func hideSecret() { (secret, secretTime, generator) = (nil, nil, nil) }

    /// Forgets the vault and everything of it.
    mutating func forget() {
        hideSecret()
        (vault, outline, details, missing, isUnlocked) = (nil, nil, nil, nil, false)
        take([], deleted: [])
        clearSearch()
        focus = .items
    }

    /// Shows these items; the selection stays on the same one.
    mutating func take(_ items: [FoundItem], deleted: [FoundItem]) {
        let scope = scope
        let sorted = items.map { (item: $0, key: ($0.title.lowercased(), $0.account.shown)) }.sorted { $0.key < $1.key }
        self.items = sorted.map(\.item)
        self.deleted = deleted
        searchable = self.items.map { SearchableItem($0) }
        var scopes: [(scope: Scope, count: Int)] = [(.all, items.count)]
        for itemClass in KeychainClass.stored {
            let count = items.count { $0.itemClass == itemClass }
            if count > 0 { scopes.append((.itemClass(itemClass), count)) }
        }
        let groups = Dictionary(grouping: items, by: \.group).mapValues(\.count)
        scopes += groups.sorted { $0.key < $1.key }.map { (.group($0.key), $0.value) }
        if !deleted.isEmpty { scopes.append((.deleted, deleted.count)) }
        self.scopes = scopes
        scopeWindow.resize(count: scopes.count, height: scopeWindow.height)
        scopeWindow.select(scopes.firstIndex { $0.scope == scope } ?? 0)
        filter()
    }

    /// Selects the item with this reference, if it is listed.
    mutating func select(_ reference: PersistentReference) -> Bool {
        guard let index = listed.firstIndex(where: { $0.reference == reference }) else { return false }
        itemWindow.select(index)
        return true
    }

    mutating func clearSearch() {
        isSearching = false
        _ = query.handle(.character("u"), .control)
        _ = query.handle(.character("k"), .control)
    }

    /// Lists the items of the scope that match what is searched for; the selection stays on the same one.
    mutating func filter() {
        let selection = selected?.reference
        let search = FuzzySearch(query.text)
        if scope == .deleted {
            listed = search.isEmpty ? deleted : search.matches(in: deleted)
        } else {
            var scored: [(index: Int, score: Int)] = []
            for index in items.indices where isInScope(items[index]) {
                guard let score = search.score(searchable[index]) else { continue }
                scored.append((index, score))
            }
            if !search.isEmpty { scored.sort { ($1.score, $0.index) < ($0.score, $1.index) } }
            listed = scored.map { items[$0.index] }
        }
        itemWindow.resize(count: listed.count, height: itemWindow.height)
        if let selection { _ = select(selection) }
    }

    private func isInScope(_ item: FoundItem) -> Bool {
        switch scope {
        case .all, .deleted: true
        case .itemClass(let itemClass): item.itemClass == itemClass
        case .group(let group): item.group == group
        }
    }
}

extension BrowserState.Scope {
    /// The name of the scope on the screen.
    var title: String {
        switch self {
        case .all: "All items"
        case .itemClass(.genericPassword): "Passwords"
        case .itemClass(.internetPassword): "Web passwords"
        case .itemClass(.certificate): "Certificates"
        case .itemClass(.key): "Keys"
        case .itemClass(.identity): "Identities"
        case .group(let name): name.printable
        case .deleted: "Deleted"
        }
    }
}

extension FoundItem {
    /// The name of the item in the list, as in other programs with a window: the label, if it has one.
    var title: String {
        let label = text(.label)?.shown ?? ""
        return label.isEmpty ? service.shown : label
    }
}
