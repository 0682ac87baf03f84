import Coffer

struct KeychainProvider: ConfigProvider, ConfigSnapshot {
    let secrets: ConfigurationSecrets
    let providerName = "Keychain"

    func value(forKey key: AbsoluteConfigKey, type: ConfigType) throws -> LookupResult {
        let path = key.components
        let content: ConfigContent? =
            switch type {
            case .string: try secrets.value(for: path).map { .string($0) }
            case .int: try secrets.value(for: path).map { .int($0) }
            case .double: try secrets.value(for: path).map { .double($0) }
            case .bool: try secrets.value(for: path).map { .bool($0) }
            case .bytes: try secrets.bytes(for: path).map { .bytes($0) }
            case .stringArray: try secrets.values(for: path).map { .stringArray($0) }
            case .intArray: try secrets.values(for: path).map { .intArray($0) }
            case .doubleArray: try secrets.values(for: path).map { .doubleArray($0) }
            case .boolArray: try secrets.values(for: path).map { .boolArray($0) }
            case .byteChunkArray: try secrets.bytes(for: path).map { .byteChunkArray([$0]) }
            }
        let value = content.map { ConfigValue($0, isSecret: true) }
        return LookupResult(encodedKey: secrets.account(for: path), value: value)
    }

    func fetchValue(forKey key: AbsoluteConfigKey, type: ConfigType) async throws -> LookupResult {
        try value(forKey: key, type: type)
    }

    func watchValue<Return: ~Copyable>(
        forKey key: AbsoluteConfigKey,
        type: ConfigType,
        updatesHandler: (ConfigUpdatesAsyncSequence<Result<LookupResult, any Error>, Never>) async throws -> Return
    ) async throws -> Return {
        let updates = secrets.updates(of: key.components).map { secrets in
            Result { try KeychainProvider(secrets: secrets).value(forKey: key, type: type) }
        }
        return try await updatesHandler(ConfigUpdatesAsyncSequence(updates))
    }

    func snapshot() -> any ConfigSnapshot {
        KeychainProvider(secrets: secrets.frozen())
    }

    func watchSnapshot<Return: ~Copyable>(
        updatesHandler: (ConfigUpdatesAsyncSequence<any ConfigSnapshot, Never>) async throws -> Return
    ) async throws -> Return {
        let updates = secrets.updates().map { KeychainProvider(secrets: $0) as any ConfigSnapshot }
        return try await updatesHandler(ConfigUpdatesAsyncSequence(updates))
    }
}
