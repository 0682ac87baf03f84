internal import CofferBasics
internal import VaultFiles

/// The environment of a program: its variables, and the name of its bundle.
package struct ProgramEnvironment: Sendable {
    private enum Variables {
        /// Those of this process, looked up each time, since a copy of all of them would contain secrets.
        case process
        case given([String: String])
    }

    /// The name of the bundle that the program is in, if it is in one.
    package var bundleIdentifier: String?
    private let variables: Variables

    /// Creates the environment of a program.
    ///
    /// - Parameters:
    ///   - variables: The environment variables.
    ///   - bundleIdentifier: The name of the bundle that the program is in, if it is in one.
    ///   - isSetUserID: Whether the program has more rights than the user who started it (`AT_SECURE`). If so, its
    ///     variables are ignored, since they come from that user.
    package init(variables: [String: String], bundleIdentifier: String? = nil, isSetUserID: Bool) {
        self.variables = .given(isSetUserID ? [:] : variables)
        self.bundleIdentifier = bundleIdentifier
    }

    /// Creates the environment of this process.
    package init(bundleIdentifier: String? = nil) {
        variables = CurrentProcess.isSetUserID ? .given([:]) : .process
        self.bundleIdentifier = bundleIdentifier
    }

    /// The value of a variable, if it is set and can be trusted.
    package subscript(variable: String) -> String? {
        withVariable(variable) { bytes in String(copying: bytes) }
    }

    /// Lends `body` the value of a variable, if it is set and can be trusted.
    func withVariable<Result, Failure: Error>(
        _ variable: String,
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        switch variables {
        case .process: try CurrentProcess.withVariable(variable, body)
        case .given(let variables):
            try variables[variable].map { value throws(Failure) in try body(Array(value.utf8).span) }
        }
    }
}

extension String {
    /// Creates the text in `bytes`.
    fileprivate init(copying bytes: Span<UInt8>) {
        self.init(decoding: [UInt8](copying: bytes), as: UTF8.self)
    }
}

/// The name of a program that does not declare one.
package enum ApplicationIdentifier {
    /// The environment variable that names the program.
    package static let variable = "COFFER_APPLICATION"

    /// The name of a program: `COFFER_APPLICATION`, else the name of its bundle, else that of the file `executable`.
    ///
    /// An empty name is ignored.
    package static func `default`(environment: ProgramEnvironment, executable: String) -> String {
        for case let name? in [environment[variable], environment.bundleIdentifier] where !name.isEmpty { return name }
        let fileName = executable.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).last
        return fileName.flatMap { String($0) } ?? executable
    }
}
