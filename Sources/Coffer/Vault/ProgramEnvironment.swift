internal import CofferBasics
internal import VaultFiles

/// What the surroundings of a program say about it.
package struct ProgramEnvironment: Sendable {
    private enum Variables {
        /// Those of this process, looked up anew each time: a copy of them all would hold secrets.
        case process
        case given([String: String])
    }

    /// The name of the bundle that the program is in, if it is in one.
    package let bundleIdentifier: String?
    private let variables: Variables

    /// The surroundings of a program.
    ///
    /// - Parameters:
    ///   - variables: The environment variables.
    ///   - bundleIdentifier: The name of the bundle that the program is in, if it is in one.
    ///   - isSetUserID: Whether the program has rights that who started it has not (`AT_SECURE`). Its variables are
    ///     then ignored, for they come from who started it.
    package init(variables: [String: String], bundleIdentifier: String? = nil, isSetUserID: Bool) {
        self.variables = .given(isSetUserID ? [:] : variables)
        self.bundleIdentifier = bundleIdentifier
    }

    /// The surroundings of this process.
    package init(bundleIdentifier: String? = nil) {
        variables = CurrentProcess.isSetUserID ? .given([:]) : .process
        self.bundleIdentifier = bundleIdentifier
    }

    /// The variable with this name, if there is one that may be believed.
    package subscript(variable: String) -> String? {
        withVariable(variable) { bytes in String(copying: bytes) }
    }

    /// Lends `body` the value of a variable, if there is one that may be believed.
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
    /// The text in `bytes`.
    fileprivate init(copying bytes: Span<UInt8>) {
        self.init(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
    }
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
