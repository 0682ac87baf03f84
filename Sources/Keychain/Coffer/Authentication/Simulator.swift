internal import VaultFiles

/// The behavior of Apple's simulator, where items are read without a prompt whatever their access control says.
///
/// It is meant for test suites that expect that.
enum Simulator {
    private static let variable = "COFFER_SIMULATOR"

    /// Whether the process behaves like the simulator; if so, a line on standard error has said it.
    static let isOn: Bool = {
        guard let value = ProgramEnvironment()[variable], value == "1" else { return false }
        StandardError.write(
            line: "coffer: warning: \(variable) is set: items are used without the authentication that they demand"
        )
        return true
    }()
}
