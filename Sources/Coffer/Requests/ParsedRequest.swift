/// A request whose keys were told apart, and whose values are of the right kind.
struct ParsedRequest: Equatable, Sendable {
    /// Which items a request is about, as to being synchronizable.
    enum Synchronizability: Equatable, Sendable {
        case unsaid
        case value(ItemValue)
        case any
    }

    /// What a caller wants to get.
    struct Returns: OptionSet, Sendable {
        let rawValue: Int

        static let data = Returns(rawValue: 1)
        static let attributes = Returns(rawValue: 2)
        static let reference = Returns(rawValue: 4)
        static let persistentReference = Returns(rawValue: 8)
    }

    /// How many items a caller wants at most.
    enum Limit: Equatable, Sendable {
        case one
        case count(Int)
        case all
    }

    var itemClass: KeychainClass
    /// The attributes that are stored and compared, by name, without group, protection and dates.
    var attributes: [String: ItemValue] = [:]
    /// What no item has but the keychain of another system: a user of its own, an id for synchronisation.
    var foreign: [String: ItemValue] = [:]
    /// Dates and digests, which can only be compared.
    var computed: [String: ItemValue] = [:]
    var group: ItemValue?
    var accessibility: Accessibility?
    var accessControl: AccessControl?
    var synchronizability = Synchronizability.unsaid
    var data: [UInt8]?
    var persistentReference: PersistentReference?
    var returns: Returns = []
    var limit = Limit.one
    /// The conditions beside attributes, but for the limit.
    var matches: [String: ItemValue] = [:]
    var hasLimit = false
    var hasItemList = false
    init(_ itemClass: KeychainClass) {
        self.itemClass = itemClass
    }
}
