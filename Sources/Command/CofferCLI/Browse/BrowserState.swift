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

    /// Whether this is only a list of items to choose from, without other panes.
    var isPicker = false
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
    /// The items, in the order in which they are listed.
    private(set) var items: [FoundItem] = []
    private(set) var deleted: [FoundItem] = []
    /// What is searched of the items and of the deleted ones.
    private var searchable: (items: [SearchableItem], deleted: [SearchableItem]) = ([], [])
    /// The places of the items that have the one-time passwords of others, by the name of these.
    private var generators: [String: [Int]] = [:]
    /// What is there and not listed, in words.
    var missing: String?
    /// What is being read or opened, and how far that is.
    var progress: String?

    // MARK: - The view

    var focus = Pane.items
    /// What the user searches for.
    var query = TextField()
    var isSearching = false
    private(set) var scopes: [(scope: Scope, count: Int)] = []
    var scopeWindow = ListWindow()
    /// The places of the listed items among all of their scope.
    private var matches: [Int] = []
    /// What `matches` match; nil if that has changed.
    private var matched: (query: String, scope: Scope)?
    var itemWindow = ListWindow()
    private(set) var isSortedByDate = false
    /// The items that are marked, to do something with all of them.
    private(set) var marks: Set<PersistentReference> = []
    var details: Details?
    var changeWindow = ListWindow()
    /// The change that is compared with another one.
    var marked: Int?
    var message: (text: String, time: UInt64)?
    /// The secret that is shown, and since when.
    private(set) var secret: HeldSecret?
    private(set) var secretTime: UInt64?
    /// Of which revision the secret is, if not of the current one.
    private(set) var secretRevision: ItemRevision?
    /// The generator whose current one-time password is shown, and whether it is the secret itself.
    private(set) var generator: (uri: OneTimePasswordURI, isSecret: Bool)?
    /// Where the panes were drawn, for the mouse.
    var places: [(pane: Pane, rect: Rect)] = []

    var scope: Scope { scopeWindow.selected.map { scopes[$0].scope } ?? .all }
    var listedCount: Int { matches.count }
    var selected: FoundItem? { itemWindow.selected.map { listed($0) } }
    /// The items with which something is to be done: those that are marked, else the selected one.
    var chosen: [FoundItem] {
        marks.isEmpty ? selected.map { [$0] } ?? [] : items.filter { marks.contains($0.reference) }
    }
    var selectedChange: HistoryChange? {
        guard let changes = details?.changes, let index = changeWindow.selected, index < changes.count else {
            return nil
        }
        return changes[index]
    }

    // MARK: - Changes

    /// Shows a secret, and the current one-time password of a generator, or of the secret if it is one.
    mutating func show(
        _ secret: HeldSecret,
        of revision: ItemRevision? = nil,
        generator other: HeldSecret? = nil,
        at time: UInt64
    ) {
        (self.secret, secretTime, secretRevision) = (secret, time, revision)
        let own = OneTimePasswordURI(uri: secret)
        generator = (own ?? other.flatMap { OneTimePasswordURI(uri: $0) }).map { ($0, own != nil) }
    }

    mutating func hideSecret() { (secret, secretTime, secretRevision, generator) = (nil, nil, nil, nil) }

    /// Forgets the vault and everything of it.
    mutating func forget() {
        hideSecret()
        (vault, outline, details, missing, isUnlocked) = (nil, nil, nil, nil, false)
        marks = []
        take([], deleted: [])
        clearSearch()
        focus = .items
    }

    /// Shows these items; the selection stays on the same one.
    mutating func take(_ items: [FoundItem], deleted: [FoundItem]) {
        let (scope, selection) = (scope, selected?.reference)
        typealias Place = (date: Double, title: String, account: String, rank: Int, group: String)
        let isByDate = isSortedByDate
        let places = items.map { item -> Place in
            let date = isByDate ? -item.modified.secondsSince1970 : 0
            // Of items with one title and account, what belongs to another one comes last.
            return (date, item.title.lowercased(), item.account.shown, item.companion == nil ? 0 : 1, item.group)
        }
        self.items = items.indices.sorted { places[$0] < places[$1] }.map { items[$0] }
        self.deleted = deleted
        searchable = (self.items.map { SearchableItem($0) }, deleted.map { SearchableItem($0) })
        generators = [:]
        for (index, item) in self.items.enumerated() {
            guard let companion = item.companion, companion.kind == .otp else { continue }
            for name in companion.names { generators[name, default: []].append(index) }
        }
        if !marks.isEmpty { marks.formIntersection(items.map(\.reference)) }
        var (classes, groups): ([KeychainClass: Int], [String: Int]) = ([:], [:])
        for item in items {
            classes[item.itemClass, default: 0] += 1
            groups[item.group, default: 0] += 1
        }
        var scopes: [(scope: Scope, count: Int)] = [(.all, items.count)]
        for itemClass in KeychainClass.stored {
            if let count = classes[itemClass] { scopes.append((.itemClass(itemClass), count)) }
        }
        scopes += groups.sorted { $0.key < $1.key }.map { (.group($0.key), $0.value) }
        if !deleted.isEmpty { scopes.append((.deleted, deleted.count)) }
        self.scopes = scopes
        scopeWindow.resize(count: scopes.count, height: scopeWindow.height)
        scopeWindow.select(scopes.firstIndex { $0.scope == scope } ?? 0)
        matched = nil
        filter(keeping: selection)
    }

    /// Selects the item with this reference, if it is listed.
    mutating func select(_ reference: PersistentReference) -> Bool {
        let all = matched?.scope == .deleted ? deleted : items
        guard let index = matches.firstIndex(where: { all[$0].reference == reference }) else { return false }
        itemWindow.select(index)
        return true
    }

    mutating func clearSearch() {
        isSearching = false
        query = TextField()
    }

    /// The item with this place in the list.
    func listed(_ index: Int) -> FoundItem {
        matched?.scope == .deleted ? deleted[matches[index]] : items[matches[index]]
    }

    /// The item that has the generator of one-time passwords of another one.
    func generator(of item: FoundItem) -> FoundItem? {
        let found = generators[item.service.string ?? ""]?.map { items[$0] } ?? []
        return found.first { $0.account == item.account && $0.group == item.group }
    }

    /// Lists the items of the scope that match what is searched for; the selection stays on the same one.
    mutating func filter() { filter(keeping: selected?.reference) }

    private mutating func filter(keeping selection: PersistentReference?) {
        let (scope, text) = (scope, query.text)
        let search = FuzzySearch(text)
        // What is typed behind the rest can only rule out items.
        let isNarrower = matched.map { $0.scope == scope && text.hasPrefix($0.query) } ?? false
        let searchable = scope == .deleted ? searchable.deleted : searchable.items
        let places = isNarrower ? matches : searchable.indices.filter { isIn(scope, $0) }
        if search.isEmpty {
            matches = isNarrower ? places.sorted() : places
        } else {
            var scored: [(score: Int, index: Int)] = []
            for index in places { if let score = search.score(searchable[index]) { scored.append((-score, index)) } }
            scored.sort { $0 < $1 }
            matches = scored.map(\.index)
        }
        matched = (text, scope)
        itemWindow.resize(count: matches.count, height: itemWindow.height)
        if let selection { _ = select(selection) }
    }

    private func isIn(_ scope: Scope, _ index: Int) -> Bool {
        switch scope {
        case .all, .deleted: true
        case .itemClass(let itemClass): items[index].itemClass == itemClass
        case .group(let group): items[index].group == group
        }
    }

    // MARK: - Marks and order

    /// Marks the selected item, or takes its mark away.
    mutating func toggleMark() {
        guard let reference = selected?.reference, scope != .deleted else { return }
        if marks.remove(reference) == nil { marks.insert(reference) }
    }

    /// Marks all items that are listed, or takes all marks away if all of these have one.
    mutating func toggleAllMarks() {
        guard scope != .deleted else { return }
        let listed = Set(matches.map { items[$0].reference })
        marks = listed.isSubset(of: marks) ? [] : marks.union(listed)
    }

    mutating func clearMarks() { marks = [] }

    /// Sorts by date, the newest first, or by name again.
    mutating func toggleOrder() {
        isSortedByDate.toggle()
        take(items, deleted: deleted)
        itemWindow.select(0)
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
