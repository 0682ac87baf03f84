extension VerbTable {
    /// Verbs that are called as in macOS `security`.
    static let macOSVerbs: [Verb] = [
        .addGenericPassword, .findGenericPassword, .deleteGenericPassword, .addInternetPassword, .findInternetPassword,
        .deleteInternetPassword, .dumpKeychain, .createKeychain, .deleteKeychain, .lockKeychain, .unlockKeychain,
        .setKeychainPassword, .showKeychainInfo, .listKeychains, .defaultKeychain, .error,
    ]
}
