/// What the surroundings of a program say about it.
package struct ProgramEnvironment: Sendable {
    /// The name of the bundle that the program is in, if it is in one.
    package let bundleIdentifier: String?
    private let variables: [String: String]

    /// The surroundings of a program.
    ///
    /// - Parameters:
    ///   - variables: The environment variables.
    ///   - bundleIdentifier: The name of the bundle that the program is in, if it is in one.
    ///   - isSetUserID: Whether the program has rights that who started it has not (`AT_SECURE`). Its variables are
    ///     then ignored, for they come from who started it.
    package init(variables: [String: String], bundleIdentifier: String? = nil, isSetUserID: Bool) {
        self.variables = isSetUserID ? [:] : variables
        self.bundleIdentifier = bundleIdentifier
    }

    /// The variable with this name, if there is one that may be believed.
    package subscript(variable: String) -> String? { variables[variable] }
}

/// The name of a program that has declared none.
package enum ApplicationIdentifier {
    /// The environment variable that names the program.
    package static let variable = "COFFER_APPLICATION"

    /// What a program is called: by `COFFER_APPLICATION`, else as its bundle, else as the file `executable`.
    ///
    /// An empty name is none.
    package static func `default`(environment: ProgramEnvironment, executable: String) -> String {
        for case let name? in [environment[variable], environment.bundleIdentifier] where !name.isEmpty { return name }
        let fileName = executable.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).last
        return fileName.flatMap { String($0) } ?? executable
    }
}
