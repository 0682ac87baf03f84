// The declarations of the module `Configuration` of swift-configuration 1.0 that a provider meets, with the signatures
// that they have there.

protocol ConfigProvider: Sendable {
    var providerName: String { get }

    func value(forKey key: AbsoluteConfigKey, type: ConfigType) throws -> LookupResult

    func fetchValue(forKey key: AbsoluteConfigKey, type: ConfigType) async throws -> LookupResult

    func watchValue<Return: ~Copyable>(
        forKey key: AbsoluteConfigKey,
        type: ConfigType,
        updatesHandler: (
            _ updates: ConfigUpdatesAsyncSequence<Result<LookupResult, any Error>, Never>
        ) async throws -> Return
    ) async throws -> Return

    func snapshot() -> any ConfigSnapshot

    func watchSnapshot<Return: ~Copyable>(
        updatesHandler: (_ updates: ConfigUpdatesAsyncSequence<any ConfigSnapshot, Never>) async throws -> Return
    ) async throws -> Return
}

protocol ConfigSnapshot: Sendable {
    var providerName: String { get }

    func value(forKey key: AbsoluteConfigKey, type: ConfigType) throws -> LookupResult
}

struct AbsoluteConfigKey: Sendable {
    var components: [String]

    init(_ components: [String]) { self.components = components }
}

enum ConfigType: String, Sendable {
    case string, int, double, bool, bytes, stringArray, intArray, doubleArray, boolArray, byteChunkArray
}

enum ConfigContent: Sendable, Equatable {
    case string(String)
    case int(Int)
    case double(Double)
    case bool(Bool)
    case bytes([UInt8])
    case stringArray([String])
    case intArray([Int])
    case doubleArray([Double])
    case boolArray([Bool])
    case byteChunkArray([[UInt8]])
}

struct ConfigValue: Sendable, Equatable {
    var content: ConfigContent
    var isSecret: Bool

    init(_ content: ConfigContent, isSecret: Bool) {
        self.content = content
        self.isSecret = isSecret
    }
}

struct LookupResult: Sendable, Equatable {
    var encodedKey: String
    var value: ConfigValue?

    init(encodedKey: String, value: ConfigValue?) {
        self.encodedKey = encodedKey
        self.value = value
    }
}

struct ConfigUpdatesAsyncSequence<Element: Sendable, Failure: Error>: AsyncSequence, Sendable {
    struct Iterator: AsyncIteratorProtocol {
        var upstream: any AsyncIteratorProtocol<Element, Failure>

        mutating func next(isolation actor: isolated (any Actor)?) async throws(Failure) -> Element? {
            try await upstream.next(isolation: actor)
        }
    }

    private let upstream: any AsyncSequence<Element, Failure> & Sendable

    init(_ upstream: some AsyncSequence<Element, Failure> & Sendable) { self.upstream = upstream }

    func makeAsyncIterator() -> some AsyncIteratorProtocol<Element, Failure> {
        Iterator(upstream: upstream.makeAsyncIterator())
    }
}
